import { orgTypeOf } from '#kernel/values/organisation-type.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { today } from '#kernel/values/date.ts'
import { reciprocalOf, relationBetween } from '#modules/trade/partners/relations/org-relation.server.ts'
import type { RecordRow } from '#server/public/records.ts'
import type { Tx } from '#server/public/database.ts'

const refuse = (msg: string): never => {
  throw new BusinessError('invalid', msg, [{ field: 'partner_sn', msg }])
}

/**
 * A relation an organisation requests from the platform: the one that follows from the two types, with a partner it
 * has none with. Returns the partner's name.
 */
export async function checkAsked(
  tx: Tx,
  org: { readonly id: string; readonly type: string },
  after: RecordRow,
): Promise<string> {
  if (!after.partner_sn) refuse('请选择关联机构')
  const [partner] = await tx<{ id: string; name: string; type: number }[]>`
    select id, name, system_type as type from organisation
     where id = ${String(after.partner_sn)} and status = 'enabled' and audit_state = 'passed' and system_type > 0
       and kept_by_id is null`
  if (!partner || partner.id === org.id) return refuse('请选择相关机构。')
  const relation = relationBetween(org.type, partner.type)
  if (relation === null) return refuse(`与【${partner.name}】不能建立交易关系`)
  const [live] = await tx`
    select 1 from org_relation where org_id = ${org.id} and partner_id = ${partner.id}
      and status in ('enabled', 'pending') limit 1`
  if (live) refuse(`与【${partner.name}】已有交易关系或待审核的申请`)
  Object.assign(after, { relation, valid_from: after.valid_from ?? today() })
  return partner.name
}

/** When the platform approves, the relation exists on both sides and is valid from its first day. */
export async function establish(tx: Tx, row: Readonly<RecordRow>): Promise<void> {
  const [org, partner] = [String(row.organisation_sn), String(row.partner_sn)]
  const [other] = await tx<
    { type: number }[]
  >`select system_type as type from organisation where id = ${partner} and status = 'enabled'`
  if (!other || orgTypeOf(other.type) === 'P') throw new BusinessError('rule', '关联机构已停用，请驳回申请')
  const relation = String(row.relation)
  const sides = [
    { org_id: org, partner_id: partner, relation },
    { org_id: partner, partner_id: org, relation: reciprocalOf(relation) },
  ]
  await tx`
    insert into org_relation as r (org_id, partner_id, relation, applicant_id, valid_from, valid_to, decided_at)
    select k.org_id, k.partner_id, k.relation, ${org}, ${String(row.valid_from)}::date,
      ${(row.valid_to ?? null) as string}::date, now()
      from jsonb_to_recordset(${tx.json(sides)}) as k(org_id bigint, partner_id bigint, relation text)
    on conflict (org_id, partner_id, relation) do update
       set status = 'enabled', valid_from = excluded.valid_from, valid_to = excluded.valid_to, version = r.version + 1
         where r.status <> 'enabled'`
}
