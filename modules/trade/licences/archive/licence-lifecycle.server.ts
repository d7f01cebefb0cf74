import type { Sql } from 'postgres'
import { today } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { auditedByPlatform } from '#modules/trade/licensing/licence-types.ts'
import { shareFiles } from '#server/public/files.ts'
import { platformId } from '#server/public/organisations.ts'
import { sendMessage } from '#server/public/notifications.ts'
import type { RecordAction, RecordRow } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import { inOrganisation, type Tx } from '#server/public/database.ts'
import { refuseSecondReminder } from '#modules/base/vocabulary/reminders.ts'

const checked = (session: Session, reason: string | null = null) => ({
  audited_by: session.userName,
  audited_at: new Date().toISOString(),
  audit_reason: reason,
})

/** The scope of a licence as text: its scope field, and the subjects of a hospital. */
const scopeText = ({ scope, subjects }: Readonly<RecordRow>): string | null =>
  [scope, (subjects as readonly string[] | undefined)?.join('、')].filter(Boolean).join('；') || null

const submit: RecordAction = async (tx, session, row) => {
  const scans = (row.attachments ?? []) as readonly string[]
  if (scans.length === 0)
    throw new BusinessError('invalid', '请上传证照扫描件', [{ field: 'attachments', msg: '请上传证照扫描件' }])
  if (row.holder_sn === session.org.id) {
    await shareFiles(tx, session, scans)
    await tx`
      insert into licence_audit (organisation_id, licence_id, licence_type, licence_no, issuer, valid_from, valid_to,
        scope, attachments, submitted_by)
      values (${session.org.id}, ${String(row.licence_sn)}, ${String(row.licence_type)}, ${String(row.licence_no)},
        ${(row.issuer ?? null) as string}, ${String(row.valid_from)},
              ${(row.valid_to ?? null) as string}, ${scopeText(row)}, ${scans as string[]}, ${session.userName})`
  }
  return { audit_state: 'pending', audit_reason: null }
}

/** Withdraws a licence that waits for the platform. */
const unsubmit: RecordAction = async (tx, session, row) => {
  await tx`
    update licence_audit set state = 'withdrawn', version = version + 1
     where organisation_id = ${session.org.id} and licence_id = ${String(row.licence_sn)} and state = 'pending'`
  return { audit_state: 'draft' }
}

/** The old licence ends as soon as its successor becomes valid. */
export const followed = (tx: Tx, org: string, licence: string) => tx`
  update licence p set status = 'replaced', version = p.version + 1
    from licence n where n.org_id = ${org} and n.id = ${licence} and n.valid_from <= ${today()} and p.org_id = n.org_id
      and p.id = n.previous_id and p.status = 'enabled'`

/** Licences whose successor's first day has come, of all organisations. */
export async function replaceFollowed(owner: Sql): Promise<number> {
  const rows = await owner`
    update licence p set status = 'replaced', version = p.version + 1
      from licence n where n.org_id = p.org_id and n.previous_id = p.id and n.audit_state = 'passed'
        and n.status = 'enabled' and n.valid_from <= ${today()} and p.status = 'enabled' returning p.id`
  return rows.length
}

const review: RecordAction = async (tx, session, row) => {
  await followed(tx, session.org.id, String(row.licence_sn))
  return { audit_state: 'passed', ...checked(session) }
}

const reject: RecordAction = async (_tx, session, _row, reason) => ({
  audit_state: 'rejected',
  ...checked(session, reason),
})

/** 换证: a new licence beside the old one, which keeps its dates; own licences that need no approval count at once. */
async function createRenewal(tx: Tx, session: Session, row: Readonly<RecordRow>, answers: Readonly<RecordRow>) {
  const [from, to] = [String(answers.valid_from), (answers.valid_to ?? null) as string | null]
  const refuse = (field: string, msg: string): never => {
    throw new BusinessError('invalid', msg, [{ field, msg }])
  }
  if (to !== null && to <= from) refuse('valid_to', '有效期至必须晚于有效期起')
  if (row.licence_no === answers.licence_no && row.valid_from === from)
    refuse('licence_no', '新证照与原证照相同，请填写新的编号或有效期')
  const passes = row.holder_sn === session.org.id && !auditedByPlatform.includes(String(row.licence_type))
  const [made] = await tx<{ id: string }[]>`
    insert into licence (org_id, holder_id, licence_type, licence_no, licence_name, issuer, issued_on, valid_from,
      valid_to, long_term, scope, subjects, campus, copy_no, legal_person, manager, quality_manager,
                         domicile, premises, warehouse_address, grantor_id, grantee_id, person_name, attachments,
                           previous_id, audit_state, updated_by)
    select org_id, holder_id, licence_type, ${String(answers.licence_no)}, licence_name, issuer,
      ${(answers.issued_on ?? null) as string}, ${from}, ${to}, ${to === null}, scope, subjects, campus, copy_no,
      legal_person, manager,
           quality_manager, domicile, premises, warehouse_address, grantor_id, grantee_id, person_name,
             ${(answers.attachments ?? []) as string[]}, id,
           ${passes ? 'passed' : 'draft'}, ${session.userName}
      from licence where org_id = ${session.org.id} and id = ${String(row.licence_sn)}
    on conflict (org_id, holder_id, licence_type, licence_no, copy_no, valid_from) do nothing returning id`
  if (!made) return refuse('licence_no', `${String(row.licence_type)}${String(answers.licence_no)}已存在`)
  // The new authorisation covers what the old one did; lines without dates of their own get the new ones.
  await tx`
    insert into licence_line (org_id, licence_id, product_id, manufacturer_id, class_code, hospital_id, area,
      area_codes, is_exclusive, may_pass_on, valid_from, valid_to, remark)
    select org_id, ${made.id}, product_id, manufacturer_id, class_code, hospital_id, area, area_codes, is_exclusive,
      may_pass_on, valid_from, valid_to, remark from licence_line
     where org_id = ${session.org.id} and licence_id = ${String(row.licence_sn)} and status = 'enabled' order by id`
  return { id: made.id, follows: passes && from <= today() }
}

// The action writes its row itself.
const renew: RecordAction = async (tx, session, row, _reason, answers) =>
  (await createRenewal(tx, session, row, answers)).follows ? { status: 'replaced' } : undefined

/** The same from another page; returns the new licence. */
export async function renewLicence(
  tx: Tx,
  session: Session,
  row: Readonly<RecordRow>,
  answers: Readonly<RecordRow>,
): Promise<string> {
  const { id, follows } = await createRenewal(tx, session, row, answers)
  if (follows) await followed(tx, session.org.id, id)
  return id
}

/** Once a day: a partner asked today is not asked again. */
const remind: RecordAction = async (tx, session, row) => {
  const rows = await tx`
    update licence set reminded_on = ${today()} where org_id = ${session.org.id} and id = ${String(row.licence_sn)}
      and reminded_on is distinct from ${today()}::date returning id`
  refuseSecondReminder(rows.length === 0)
  await mustBeReached(tx, String(row.holder_sn), '更新证照')
}

/** Organisations outside the platform cannot read messages. */
export async function mustBeReached(tx: Tx, org: string, action: string): Promise<void> {
  const [absent] = await tx`select 1 from organisation where id = ${org} and kept_by_id is not null`
  if (absent) throw new BusinessError('rule', `该机构未入驻平台，请电话联系${action}`)
}

export const actions = { submit, unsubmit, review, reject, renew, remind }

/** The page with an organisation's own licences. */
export async function ownPage(tx: Tx, org: string): Promise<string> {
  const [row] = await tx<{ type: number }[]>`select system_type as type from organisation where id = ${org}`
  return (
    '/commonView/myLic/' +
    `${({ 1: 'hospital', 2: 'dealer', 3: 'vendor' } as Record<number, string>)[row?.type ?? 0] ?? 'dealer'}`
  )
}

/** The platform is notified that a licence waits for it. */
export async function handIn(sql: Sql, session: Session, row: Readonly<RecordRow>): Promise<void> {
  const to = await platformId(sql)
  if (to === null) return
  await inOrganisation(sql, to, '0', tx =>
    sendMessage(tx, to, {
      title: '证照待审核',
      body: `${session.org.name}提交了${String(row.licence_type)}（${String(row.licence_no)}）`,
      uri: '/ptm/agencyManage/AgencyApproval?tab=证照审核',
      objectId: String(row.licence_no),
      kind: 'licenceAudit',
      type: 'audit',
    }),
  )
}
