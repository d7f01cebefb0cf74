import type { Problem } from '#kernel/refusal.ts'
import type { Acting } from '#server/engine/documents/acting.ts'
import { stepOf } from '#server/engine/documents/gate-partner.ts'
import { onceIn } from '#server/engine/transaction.ts'

export type LapsedAuthorisation = {
  readonly specifications: readonly string[]
  readonly product: string
  readonly ended_on: string | null
  readonly control: 'refuse' | 'warn' | 'none'
}

/**
 * Goods of makers who authorised the supplier by papers of our archive, none of which holds on the business day. A supplier of whom no
 * authorisation is on file is the affair of the first approval.
 */
export async function lapsedAuthorisations(acting: Acting): Promise<LapsedAuthorisation[]> {
  const { tx, session, doc, definition } = acting
  if (definition.gate !== 'supplier' || !doc.counterparty_sn || doc.counterparty_sn === session.org.id) return []
  const ids = [...new Set(doc.lines.flatMap(line => line.specification_sn ?? []))]
  const key = JSON.stringify(['authorised', definition.kind, doc.counterparty_sn, doc.business_date, ids])
  return onceIn(tx, key, () => readLapsed(acting, ids))
}

function readLapsed({ tx, session, doc, definition }: Acting, ids: readonly string[]): Promise<LapsedAuthorisation[]> {
  return tx<LapsedAuthorisation[]>`
    with goods as (
      select p.manufacturer_id as maker_id, min(p.name) as product, array_agg(s.id::text) as specifications
        from specification s join product p on p.id = s.product_id
       where s.id = any(${ids as string[]}::bigint[]) and p.manufacturer_id <> ${doc.counterparty_sn} group by 1),
    filed as (
      select g.maker_id, l.valid_from <= ${doc.business_date} and (l.long_term or l.valid_to is null or l.valid_to >= ${doc.business_date})
             and grant_holds(l.org_id, l.owner_org_id, l.grant_sn, ${doc.business_date}::date) as holds, l.valid_to, l.licence_type
        from goods g join licence l on l.org_id = ${session.org.id} and l.licence_type in ('授权书', '产品授权书') and l.status in ('enabled', 'replaced') and l.audit_state = 'passed'
         and (l.grantor_id = g.maker_id and (l.grantee_id = ${doc.counterparty_sn} or l.grantee_id is null and l.holder_id = ${doc.counterparty_sn}) or l.holder_id = g.maker_id and l.grantee_id = ${doc.counterparty_sn}))
    select g.specifications, g.product, max(f.valid_to)::text as ended_on, coalesce(min(s.control), 'warn') as control
      from goods g join filed f on f.maker_id = g.maker_id
      left join licence_setting s on s.org_id = ${session.org.id} and s.licence_type = f.licence_type
     group by g.maker_id, g.product, g.specifications
    having not bool_or(f.holds) and coalesce(bool_and(s.status = 'enabled' and s.${tx(stepOf(definition.kind))}), true)
     order by g.maker_id`
}

/** Stopped or asked about, as the kind of paper is set. */
export const authorisationProblems = (
  { doc, definition }: Acting,
  lapsed: readonly LapsedAuthorisation[],
  how: 'refuse' | 'warn',
): Problem[] =>
  lapsed
    .filter(one => one.control === how)
    .map(({ specifications, product, ended_on }) => {
      const line = doc.lines.find(each => specifications.includes(each.specification_sn ?? ''))?.line_no
      const at = line === undefined ? '' : `第${line}行：`
      const until = ended_on === null ? '' : `（授权书${ended_on}到期）`
      return {
        field: 'specification_sn',
        ...(line === undefined ? {} : { line }),
        msg: `${at}供应商未获得【${product}】的授权${until}，不能${definition.deed ?? '采购'}`,
      }
    })
