import { today } from '#kernel/day.ts'
import type { Session } from '#server/engine/session.ts'
import type { Tx } from '#server/engine/transaction.ts'

/**
 * 存入档案: what a partner authorised goes into our archive, where somebody of ours judges it; it stays the partner's paper and counts while
 * the authorisation stands. A copy that we have by ourselves stays ours. Gives how many papers went in.
 */
export async function fileGrant(tx: Tx, session: Session, from: string, grant: string): Promise<number> {
  const rows = await tx`
    insert into licence as l (org_id, holder_id, licence_type, licence_no, issuer, valid_from, valid_to, long_term, scope, subjects, campus, copy_no, attachments, origin, owner_org_id, grant_sn, audit_state, updated_by)
    select d.org_id, d.from_org_id, k.fields->>'licence_type', k.fields->>'licence_no', k.fields->>'issuer', (k.fields->>'paper_from')::date, (k.fields->>'paper_to')::date, k.fields->>'paper_to' is null,
           k.fields->>'scope', string_to_array(coalesce(k.fields->>'subjects', ''), '、'), k.fields->>'campus', k.fields->>'copy_no', array(select jsonb_array_elements_text(coalesce(k.fields->'scans', '[]'))), 'granted', d.from_org_id, d.sn, 'pending', ${session.userName}
      from document d join document_line k on k.org_id = d.org_id and k.document_id = d.id
     where d.org_id = ${session.org.id} and d.kind = 'licenceEmpower' and d.role = 'counterparty' and d.state = 'reviewed' and d.from_org_id = ${from} and d.sn = ${grant}
    on conflict (org_id, holder_id, licence_type, licence_no, copy_no, valid_from) do update
       set grant_sn = excluded.grant_sn, attachments = excluded.attachments, status = 'enabled', updated_at = now(), version = l.version + 1
     where l.origin = 'granted' and not grant_holds(l.org_id, l.owner_org_id, l.grant_sn, ${today()}::date)
    returning l.id`
  return rows.length
}
