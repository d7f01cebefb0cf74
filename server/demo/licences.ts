import type { Sql } from 'postgres'
import { addDays, today } from '#kernel/day.ts'

/** Papers that their owners renewed: those about to end wait for the platform's eye, those of last year were passed long ago. */
export async function renewLicences(owner: Sql): Promise<void> {
  await owner`
    insert into licence (org_id, holder_id, licence_type, licence_no, issuer, issued_on, valid_from, valid_to, scope, previous_id, audit_state, updated_by)
    select l.org_id, l.holder_id, l.licence_type, l.licence_no || '（延）', l.issuer, ${today()}::date, l.valid_to + 1, (l.valid_to + interval '5 years')::date, l.scope, l.id, 'pending', '质量负责人'
      from licence l join organisation o on o.id = l.org_id
     where l.org_id = l.holder_id and l.licence_type like '%许可证' and l.status = 'enabled' and l.valid_to between ${today()}::date and ${addDays(today(), 120)}::date`
  await owner`
    insert into licence_audit (organisation_id, licence_id, licence_type, licence_no, issuer, valid_from, valid_to, scope, submitted_by, submitted_at, state, decided_by, decided_at)
    select l.org_id, l.id, l.licence_type, l.licence_no, l.issuer, l.valid_from, l.valid_to, l.scope, '质量负责人',
           case when l.audit_state = 'pending' then now() - interval '1 day' else now() - interval '200 days' end, l.audit_state,
           case when l.audit_state = 'passed' then '平台运营' end, case when l.audit_state = 'passed' then now() - interval '199 days' end
      from licence l join organisation o on o.id = l.org_id and o.system_type in (2, 3)
     where l.org_id = l.holder_id and l.licence_type like '%许可证' and l.status = 'enabled' order by l.id`
}
