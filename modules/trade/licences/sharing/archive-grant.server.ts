import type { Sql } from 'postgres'
import { today } from '#kernel/values/date.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/**
 * 存入档案: licences a partner granted are copied into our archive, where our users approve them; they stay the
 * partner's and count as long as the grant exists. A copy we already have stays ours. Returns how many were filed.
 */
export async function fileGrant(tx: Tx, session: Session, from: string, grant: string): Promise<number> {
  const rows = await tx<{ id: string }[]>`
    insert into licence as l (org_id, holder_id, licence_type, licence_no, issuer, valid_from, valid_to, long_term,
      scope, subjects, campus, copy_no, attachments, grantor_id, grantee_id, origin, owner_org_id, grant_sn,
      audit_state, updated_by)
    select d.org_id, d.from_org_id, k.fields->>'licence_type', k.fields->>'licence_no', k.fields->>'issuer',
      (k.fields->>'paper_from')::date, (k.fields->>'paper_to')::date, k.fields->>'paper_to' is null,
           k.fields->>'scope', string_to_array(coalesce(k.fields->>'subjects', ''), '、'), k.fields->>'campus',
             k.fields->>'copy_no', array(select jsonb_array_elements_text(coalesce(k.fields->'scans', '[]'))),
           (k.fields->'authorises'->>'grantor')::bigint, (k.fields->'authorises'->>'grantee')::bigint, 'granted',
             d.from_org_id, d.sn, 'pending', ${session.userName}
      from document d join document_line k on k.org_id = d.org_id and k.document_id = d.id
     where d.org_id = ${session.org.id} and d.kind = 'licenceEmpower' and d.role = 'counterparty'
       and d.state = 'reviewed' and d.from_org_id = ${from} and d.sn = ${grant}
    on conflict (org_id, holder_id, licence_type, licence_no, copy_no, valid_from) do update
       set grant_sn = excluded.grant_sn, grantor_id = excluded.grantor_id, grantee_id = excluded.grantee_id,
         attachments = excluded.attachments, status = 'enabled', updated_at = now(), version = l.version + 1
     where l.origin = 'granted' and not grant_holds(l.org_id, l.owner_org_id, l.grant_sn, ${today()}::date)
    returning l.id`
  await createFiledLines(
    tx,
    rows.map(row => row.id),
  )
  return rows.length
}

/** The authorisation lines their owner sent with the grant are stored on our copies. */
export async function createFiledLines(tx: Tx | Sql, licences: readonly string[]): Promise<void> {
  if (licences.length === 0) return
  await tx`delete from licence_line where licence_id = any(${[...licences]}::bigint[])`
  await tx`
    insert into licence_line (org_id, licence_id, product_id, manufacturer_id, class_code, hospital_id, area,
      area_codes, is_exclusive, may_pass_on, valid_from, valid_to)
    select l.org_id, l.id, s.product_id, s.manufacturer_id, s.class_code, s.hospital_id, s.area, s.area_codes,
      s.is_exclusive, s.may_pass_on, s.valid_from, s.valid_to
      from licence l
      join document d on d.org_id = l.org_id and d.kind = 'licenceEmpower' and d.role = 'counterparty'
        and d.from_org_id = l.owner_org_id and d.sn = l.grant_sn
      join document_line k on k.org_id = d.org_id and k.document_id = d.id
        and k.fields->>'licence_type' = l.licence_type and k.fields->>'licence_no' = l.licence_no
     cross join jsonb_to_recordset(k.fields->'authorises'->'lines') as s(id bigint, product_id bigint,
       manufacturer_id bigint, class_code text, hospital_id bigint, area text, area_codes text[],
             is_exclusive boolean, may_pass_on boolean, valid_from date, valid_to date)
     where l.id = any(${[...licences]}::bigint[]) order by l.id, s.id`
}
