import { shelfLifeDay } from '#kernel/rules/shelf-life.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { ActionContext } from '#server/public/hooks.ts'
import { type Relied, relyOn } from '#modules/trade/licensing/partner-licences.server.ts'
import type { Tx } from '#server/public/database.ts'

/**
 * A product that suppliers authorised us to sell, and the authorisation that covers this customer and day; null if none
 * does.
 */
type Checked = {
  readonly product: string
  readonly customer: string
  readonly specifications: string[]
  readonly relied: Relied | null
}

/**
 * Products of these specifications that are sold by authorisation; those without any authorisation here are not
 * included.
 */
function checked(tx: Tx, org: string, customer: string, day: string, specifications: readonly string[]) {
  return tx<Checked[]>`
    with goods as (
      select p.id, p.name, array_agg(s.id::text) as specifications from specification s
        join product p on p.id = s.product_id
       where s.id = any(${[...specifications]}::bigint[]) group by p.id, p.name)
    select g.name as product, c.name as customer, g.specifications, f.relied
      from goods g join organisation c on c.id = ${customer}
     cross join lateral (
       select count(*) as known,
              (array_agg(json_build_object('id', h.licence_id::text, 'licence_type', h.licence_type, 'licence_no',
                h.authorisation_no, 'valid_to', h.valid_to, 'holds', true) order by h.valid_to desc nulls first, h.id)
                filter (where h.status = 'enabled' and h.valid_from <= ${day}
                  and (h.valid_to is null or h.valid_to >= ${day})
                          and (c.system_type <> 1 or h.hospital_id = c.id
                            or (h.hospital_id is null and (h.area_codes = '{}' or exists (
                                select 1 from unnest(h.area_codes) k
                                  where c.administrative_division_sn like k || '%'))))))[1] as relied
         from authorised_for(${org}, g.id) h) f
     where f.known > 0 order by g.id`
}

/** Products of these specifications that suppliers authorised us to sell, but not to this customer on this day. */
export async function unauthorised(
  tx: Tx,
  org: string,
  customer: string,
  day: string,
  specifications: readonly string[],
): Promise<Checked[]> {
  return (await checked(tx, org, customer, day, specifications)).filter(one => one.relied === null)
}

/**
 * Goods that a supplier authorised us to sell may be sold only within its area, hospitals and days; goods without any
 * authorisation here are not checked. Blocked or asked about, as the organisation's setting for expired licences. An
 * approved document records which authorisations it relied on.
 */
export async function mustBeAuthorised(ctx: ActionContext): Promise<void> {
  const { tx, session, doc, settings, warnings: questions } = ctx
  if (!doc.counterparty_sn) return
  const ids = doc.lines.flatMap(line => (line.specification_sn ? [line.specification_sn] : []))
  const rows = await checked(tx, session.org.id, doc.counterparty_sn, shelfLifeDay(doc), ids)
  const docs = new Map(
    rows.flatMap(({ relied: authorisation }) => (authorisation ? [[authorisation.id, authorisation] as const] : [])),
  )
  if (ctx.action === 'review') await relyOn(ctx, [...docs.values()])
  const beyond = rows.filter(one => one.relied === null)
  if (beyond.length === 0) return
  const problems = beyond.map(({ product, customer, specifications }) => {
    const line = doc.lines.find(one => specifications.includes(one.specification_sn ?? ''))?.line_no
    return {
      field: 'specification_sn',
      ...(line === undefined ? {} : { line }),
      msg: `【${product}】对【${customer}】没有有效的销售授权（医院、区域或期限不符）`,
    }
  })
  if (settings.certificate_check !== 'warn') throw new BusinessError('rule', problems[0]!.msg, problems)
  questions.push(...problems.map(({ msg }) => ({ rule: 'authorisation', msg: `${msg}，是否继续？` })))
}
