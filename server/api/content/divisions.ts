import type { FastifyInstance } from 'fastify'
import { BusinessError } from '#kernel/rules/errors.ts'
import { divisionsUnder } from '#server/reference/divisions.ts'
import { done } from '#server/http/envelope.ts'
import { openFor } from '#server/api/request/query-names.ts'

/** Provinces, the cities of one, the counties of one: public, because registration happens without an account. */
export function addDivisions(app: FastifyInstance): void {
  const open = { config: { access: 'open' } } as const
  app.get('/v1/division/province', open, async () => listed(divisionsUnder('', 'province')))
  for (const [level, named] of [
    ['city', '省份'],
    ['county', '城市'],
  ] as const)
    app.get<{ Querystring: Record<string, unknown> }>(
      `/v1/division/${level}`,
      openFor('administrative_division_sn'),
      async request => {
        const parent = request.query.administrative_division_sn
        if (typeof parent !== 'string' || parent === '')
          throw new BusinessError('invalid', undefined, [
            { field: 'administrative_division_sn', msg: `请先选择${named}` },
          ])
        return listed(divisionsUnder(parent, level))
      },
    )
}

const listed = (list: readonly unknown[]) => done({ list, total: list.length })
