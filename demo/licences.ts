import type { Sql } from 'postgres'
import { addDays, today } from '#kernel/values/date.ts'
import { noteLook } from '#modules/trade/licences/sharing/granted-scans.server.ts'
import { licenceRenewal } from '#modules/trade/licences/archive/licence-renewal.entity.ts'
import { addRecord } from '#server/records/write.ts'
import { inOrganisation } from '#server/database/transaction.ts'
import { systemSessionOf } from '#server/organisations/organisations.ts'

/**
 * Licences that their owners renewed: those about to expire wait for the platform's check, last year's were approved
 * long ago.
 */
export async function renewLicences(owner: Sql): Promise<void> {
  await owner`
    insert into licence (org_id, holder_id, licence_type, licence_no, issuer, issued_on, valid_from, valid_to, scope,
      previous_id, audit_state, updated_by)
    select l.org_id, l.holder_id, l.licence_type, l.licence_no || '（延）', l.issuer, ${today()}::date, l.valid_to + 1,
      (l.valid_to + interval '5 years')::date, l.scope, l.id, 'pending', '质量负责人'
      from licence l join organisation o on o.id = l.org_id
     where l.org_id = l.holder_id and l.licence_type like '%许可证' and l.status = 'enabled' and l.valid_to
       between ${today()}::date and ${addDays(today(), 120)}::date`
  await owner`
    insert into licence_audit (organisation_id, licence_id, licence_type, licence_no, issuer, valid_from, valid_to,
      scope, submitted_by, submitted_at, state, decided_by, decided_at)
    select l.org_id, l.id, l.licence_type, l.licence_no, l.issuer, l.valid_from, l.valid_to, l.scope, '质量负责人',
           case when l.audit_state = 'pending' then now() - interval '1 day' else now() - interval '200 days' end,
             l.audit_state,
           case when l.audit_state = 'passed' then '平台运营' end,
             case when l.audit_state = 'passed' then now() - interval '199 days' end
      from licence l join organisation o on o.id = l.org_id and o.system_type in (2, 3)
     where l.org_id = l.holder_id and l.licence_type like '%许可证' and l.status = 'enabled' order by l.id`
}

/** Users viewed the licences granted to them; some printed them. */
export async function lookAtGrants(owner: Sql): Promise<void> {
  const grants = await owner<{ org_id: string; sn: string; owner: string; line_no: number; licence_type: string }[]>`
    select d.org_id, d.sn, d.from_org_id as owner, l.line_no, l.fields->>'licence_type' as licence_type
      from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
     where d.kind = 'licenceEmpower' and d.role = 'counterparty' and d.state = 'reviewed' order by d.id, l.line_no`
  for (const { org_id, ...grant } of grants) {
    const session = { ...(await systemSessionOf(owner, org_id)), userName: '质量管理员' }
    await noteLook(owner, session, grant, 'view')
    await noteLook(owner, session, grant, grant.line_no === 1 ? 'print' : 'view')
  }
}

/** Renewals entered for a future date. */
export async function writeRenewals(owner: Sql): Promise<void> {
  const docs = await owner<
    { org_id: string; licence_type: string; licence_no: string; valid_from: string; valid_to: string }[]
  >`
    select distinct on (l.org_id) l.org_id, l.licence_type, l.licence_no, (l.valid_to + 1)::text as valid_from,
      (l.valid_to + interval '2 years')::date::text as valid_to
      from licence l join organisation o on o.id = l.org_id and o.code in ('H01', 'D01', 'V01')
     where l.holder_id = l.org_id and l.status = 'enabled' and l.audit_state = 'passed' and l.valid_to >= ${today()}
       and l.licence_type not like '%许可证' order by l.org_id, l.valid_to, l.id`
  for (const { org_id, licence_no, ...doc } of docs) {
    const session = { ...(await systemSessionOf(owner, org_id)), userName: '质量管理员' }
    const row = { ...doc, old_no: licence_no, licence_no: `${licence_no}（续）`, issued_on: today() }
    await inOrganisation(owner, org_id, '0', tx => addRecord(tx, session, licenceRenewal, row))
  }
}
