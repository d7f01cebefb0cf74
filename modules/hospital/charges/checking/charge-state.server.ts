import { patchDocuments } from '#server/public/documents.ts'
import { systemSessionOf } from '#server/public/organisations.ts'
import type { Tx } from '#server/public/database.ts'

type State = { readonly id: string; readonly kind: string; readonly charge_state: string }

/**
 * Sets the charge state of each of these uses on its document: a call on its way, a call that waits for a person,
 * otherwise charged or refunded. A request that was withdrawn before it was charged counts as not charged.
 */
export async function noteChargeStates(tx: Tx, org: string, documents: readonly string[]): Promise<void> {
  if (documents.length === 0) return
  const rows = await tx<State[]>`
    select d.id, d.kind, s.charge_state from document d
      cross join lateral (select case
          when q.charging then '2' when q.refunding then '6' when q.charge_failed then '5' when q.refund_failed then '7'
          when coalesce(c.charged, 0) > 0 then '4' when q.refunded then '3' else '1' end as charge_state
        from (select coalesce(bool_or(r.state = 'asked' and r.request_kind = 'charge'), false) as charging,
                     coalesce(bool_or(r.state = 'asked' and r.request_kind = 'refund'), false) as refunding,
                     coalesce(bool_or(r.state = 'failed' and r.request_kind = 'charge'), false) as charge_failed,
                     coalesce(bool_or(r.state = 'failed' and r.request_kind = 'refund'), false) as refund_failed,
                     coalesce(bool_or(r.state = 'answered' and r.request_kind = 'refund'), false) as refunded
                from charge_request r where r.org_id = d.org_id and r.use_document_id = d.id) q
        cross join (select sum(u.charged_quantity) as charged from use_check u
          where u.org_id = d.org_id and u.use_document_id = d.id) c) s
     where d.org_id = ${org} and d.id = any(${documents as string[]}::bigint[])
       and coalesce(d.fields->>'charge_state', '1') <> s.charge_state`
  for (const [kind, of] of Map.groupBy(rows, row => row.kind))
    await patchDocuments(
      tx,
      await systemSessionOf(tx, org),
      kind,
      of.map(({ id, charge_state }) => ({ id, values: { charge_state } })),
      'derived',
    )
}
