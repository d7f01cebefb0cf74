import type { FastifyInstance } from 'fastify'
import type { Sql } from 'postgres'
import { countLabels, labelKind, labelsOf } from '#server/engine/trace/labels.ts'
import { mustBeAllowed } from '#server/engine/session.ts'
import { bodyOf, reading } from '#server/wire/changing.ts'
import { done } from '#server/wire/envelope.ts'

/** What stands on the labels of pieces (`units`: their keys, comma separated), and that they went to a printer. */
export function addLabels(app: FastifyInstance, sql: Sql): void {
  app.get<{ Querystring: Readonly<Record<string, unknown>> }>('/v1/labels', request =>
    reading(sql, request, async (tx, session) => {
      mustBeAllowed(session, `${labelKind()}.print`)
      const list = await labelsOf(tx, session, request.query.units)
      return done({ list, total: list.length })
    }),
  )
  app.post('/v1/labels/printed', request =>
    reading(sql, request, async (tx, session) => {
      mustBeAllowed(session, `${labelKind()}.print`)
      return done({ info: await countLabels(tx, session, bodyOf(request)) })
    }),
  )
}
