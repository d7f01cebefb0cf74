import type { Sql } from 'postgres'
import { addDays, today } from '#kernel/day.ts'
import { noteLook } from '#modules/licences/granted-scans.server.ts'
import { sessionOf } from '#server/engine/organisations.ts'

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

/** People looked at what they were given, some of them printed it. */
export async function lookAtGrants(owner: Sql): Promise<void> {
  const grants = await owner<{ org_id: string; sn: string; owner: string; line_no: number; licence_type: string }[]>`
    select d.org_id, d.sn, d.from_org_id as owner, l.line_no, l.fields->>'licence_type' as licence_type
      from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
     where d.kind = 'licenceEmpower' and d.role = 'counterparty' and d.state = 'reviewed' order by d.id, l.line_no`
  for (const { org_id, ...grant } of grants) {
    const session = { ...(await sessionOf(owner, org_id)), userName: '质量管理员' }
    await noteLook(owner, session, grant, 'view')
    await noteLook(owner, session, grant, grant.line_no === 1 ? 'print' : 'view')
  }
}
