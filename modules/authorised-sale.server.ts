import { Refusal } from '#kernel/refusal.ts'
import type { Acting } from '#server/engine/documents/acting.ts'
import type { Tx } from '#server/engine/transaction.ts'

/** Products of these specifications that suppliers authorised us to sell, though not to this customer on this day. */
export async function unauthorised(
  tx: Tx,
  org: string,
  customer: string,
  day: string,
  specifications: readonly string[],
): Promise<{ product: string; customer: string; specifications: string[] }[]> {
  return tx<{ product: string; customer: string; specifications: string[] }[]>`
    select p.name as product, c.name as customer, array_agg(s.id::text) as specifications
      from specification s join product p on p.id = s.product_id join organisation c on c.id = ${customer}
     where s.id = any(${[...specifications]}::bigint[])
       and exists (select 1 from authorisation_held h where h.org_id = ${org} and h.product_id = p.id)
       and not exists (
         select 1 from authorisation_held h where h.org_id = ${org} and h.product_id = p.id and h.status = 'enabled' and h.valid_from <= ${day} and h.valid_to >= ${day}
            and (c.system_type <> 1 or h.hospital_id = c.id or (h.hospital_id is null and (h.area_codes = '{}' or exists (
                  select 1 from unnest(h.area_codes) k where c.administrative_division_sn like k || '%')))))
     group by p.id, p.name, c.name order by p.id`
}

/**
 * What a supplier authorised us to sell is sold within its area, hospitals and days; goods for which nobody gave an authorisation here are
 * not judged. Stopped or asked about, as the organisation has it for papers out of date.
 */
export async function mustBeAuthorised({ tx, session, doc, settings, questions }: Acting): Promise<void> {
  if (!doc.counterparty_sn) return
  const ids = doc.lines.flatMap(line => (line.specification_sn ? [line.specification_sn] : []))
  const beyond = await unauthorised(tx, session.org.id, doc.counterparty_sn, doc.business_date, ids)
  if (beyond.length === 0) return
  const problems = beyond.map(({ product, customer, specifications }) => {
    const line = doc.lines.find(one => specifications.includes(one.specification_sn ?? ''))?.line_no
    return {
      field: 'specification_sn',
      ...(line === undefined ? {} : { line }),
      msg: `【${product}】对【${customer}】没有有效的销售授权（医院、区域或期限不符）`,
    }
  })
  if (settings.certificate_check !== 'warn') throw new Refusal('rule', problems[0]!.msg, problems)
  questions.push(...problems.map(({ msg }) => ({ rule: 'authorisation', msg: `${msg}，是否继续？` })))
}
