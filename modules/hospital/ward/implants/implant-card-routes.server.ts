import type { FastifyInstance } from 'fastify'
import type { Sql } from 'postgres'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { PublishedCard } from '#kernel/print/public-label.ts'
import { inOrganisation } from '#server/public/database.ts'
import { done, openFor, RateLimited, useAllowance } from '#server/public/routes.ts'

const TOKEN = /^[\w-]{20,64}$/
/** Enough for a family, too little to look for tokens. */
const perAddress = { most: 60, seconds: 600 } as const
/** Reads as no organisation: no row that belongs to one is visible but by the view of cards. */
const NOBODY = '0'

type Row = Omit<PublishedCard['implants'][number], never> & { readonly hospital_phone: string | null }

/** The page behind the code on a patient's card, for anyone: product, certificate, lot and the hospital's phone. */
export function addImplantCards(app: FastifyInstance, { sql }: { readonly sql: Sql }): void {
  app.get<{ Querystring: { token?: unknown } }>('/v1/public/implantCard', openFor('token'), async request => {
    const { isAllowed, wait } = await useAllowance(sql, { name: `implant card ${request.ip}`, ...perAddress })
    if (!isAllowed) throw new RateLimited(wait)
    const token = typeof request.query.token === 'string' ? request.query.token : ''
    if (!TOKEN.test(token)) throw new BusinessError('invalid', '植入卡的二维码不完整，请重新扫描')
    const rows = await inOrganisation(
      sql,
      NOBODY,
      NOBODY,
      tx => tx<Row[]>`
        select product_name, specification_name, certificate_no, lot_no, hospital_phone from published_implant_card
         where token = ${token} order by line_no`,
    )
    if (rows.length === 0) throw new BusinessError('notFound', '没有查到这张植入卡，请联系手术医院')
    const implants = rows.map(({ hospital_phone: _phone, ...implant }) => implant)
    return done({ info: { implants, hospital_phone: rows[0]!.hospital_phone } satisfies PublishedCard })
  })
}
