import type { Sql } from 'postgres'
import { compactDay, today } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { partnerChanged } from '#modules/trade/compliance/changed-partners.server.ts'
import { establish, checkAsked } from '#modules/trade/partners/relations/relation-request.server.ts'
import { changeable } from '#modules/trade/partners/organisations/org-change-approval.entity.ts'
import { divisionPath, pinyinInitials, platformId } from '#server/public/organisations.ts'
import { sendMessage } from '#server/public/notifications.ts'
import type { Change, RecordRow, RecordRules } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import { inOrganisation, type Tx } from '#server/public/database.ts'

type File = Readonly<Record<string, string | null>>
const names = Object.keys(changeable) as (keyof typeof changeable)[]

/** The organisation's current master data. */
async function fileOf(tx: Tx, org: string): Promise<File & { status: string; system_type: string }> {
  const [row] = await tx<(File & { status: string; system_type: string })[]>`
    select ${tx([...names, 'status', 'system_type'] as unknown as readonly string[])} from organisation
      where id = ${org}`
  if (!row) throw new BusinessError('notFound', '机构不存在')
  return row
}

/** The fields that would change: those with a value that differs from the current one. */
const differing = (asked: Readonly<RecordRow>, file: File) =>
  names.filter(name => (asked[name] ?? null) !== null && asked[name] !== file[name])

const listed = (of: Readonly<RecordRow>, which: readonly (keyof typeof changeable)[]) =>
  which.map(name => `${changeable[name].label}：${String(of[name] ?? '空')}`).join('；')

/** A credit code is unique among organisations of the same kind. */
async function refuseTakenCode(tx: Tx, org: string, file: { system_type: string }, code: unknown): Promise<void> {
  if (!code) return
  const [taken] = await tx`
    select 1 from organisation where id <> ${org} and system_type = ${parseInteger(file.system_type)}
      and upper(social_credit_code) = ${String(code).toUpperCase()} limit 1`
  if (taken)
    throw new BusinessError('duplicate', '统一社会信用代码已存在', [
      { field: 'social_credit_code', msg: '统一社会信用代码已存在' },
    ])
}

type Said = { readonly changed: string; readonly before_text: string; readonly after_text: string }
/** The application in words: the fields that would change, with old and new values. */
function saidOf(type: string, { partner, ...basic }: Said & { readonly partner: string | null }): Said {
  if (type === 'stop') return { changed: '状态', before_text: '启用', after_text: '停用' }
  if (type === 'relation') return { changed: '交易关系', before_text: '无', after_text: `与${partner ?? ''}交易` }
  return basic
}

async function fill(tx: Tx, session: Session, change: Change): Promise<void> {
  const { after } = change
  const [open] = await tx`
    select 1 from org_change where organisation_id = ${session.org.id} and change_type = ${String(after.change_type)}
      and state = 'pending' limit 1`
  if (open) throw new BusinessError('duplicate', '存在待审批的变更申请，请勿重复提交')
  const file = await fileOf(tx, session.org.id)
  const partner = after.change_type === 'relation' ? await checkAsked(tx, session.org, after) : null
  if (partner === null) Object.assign(after, { partner_sn: null, relation: null, valid_from: null, valid_to: null })
  const changed = after.change_type === 'basic' ? differing(after, file) : []
  if (after.change_type === 'basic' && changed.length === 0)
    throw new BusinessError('invalid', '请填写需要变更的内容', [{ field: 'name', msg: '请填写需要变更的内容' }])
  await refuseTakenCode(tx, session.org.id, file, after.social_credit_code)
  for (const name of names) if (!changed.includes(name)) after[name] = null
  const [next] = await tx<{ number: string }[]>`select nextval('reference_id_seq') as number`
  Object.assign(after, {
    code: `BG${compactDay(today())}${next?.number ?? ''}`,
    organisation_sn: session.org.id,
    ...saidOf(String(after.change_type), {
      changed: changed.map(name => changeable[name].label).join('、'),
      before_text: listed(file, changed),
      after_text: listed(after, changed),
      partner,
    }),
    applied_by: session.userName,
    applied_at: new Date().toISOString(),
  })
}

/**
 * Writes all changes in one step; the previous values are kept under today's date, so that older documents show them.
 */
async function runAction(tx: Tx, row: Readonly<RecordRow>): Promise<void> {
  if (row.change_type === 'relation') return establish(tx, row)
  const org = String(row.organisation_sn)
  const file = await fileOf(tx, org)
  if (row.change_type === 'stop') {
    await tx`update organisation set status = 'disabled', version = version + 1 where id = ${org}`
    await tx`delete from session where org_id = ${org}`
    return
  }
  await refuseTakenCode(tx, org, file, row.social_credit_code)
  const changed = differing(row, file)
  await tx`
    insert into organisation_past (organisation_id, until_day, name, former)
    values (${org}, ${today()}, ${file.name ?? ''},
      ${tx.json(Object.fromEntries(changed.map(name => [name, file[name] ?? null])))})`
  const next = { ...file, ...Object.fromEntries(changed.map(name => [name, row[name] as string])) }
  await tx`
    update organisation set ${tx(Object.fromEntries(changed.map(name => [name, next[name] ?? null])))}
      where id = ${org}`
  await tx`
    update organisation set version = version + 1, pinyin = ${pinyinInitials(`${next.name ?? ''}${next.alias ?? ''}`)},
           division_name = ${divisionPath(next.administrative_division_sn ?? null)} where id = ${org}`
}

/** The counterparty is notified of a relation the platform established. */
const notifyPartner = (sql: Sql, row: Readonly<RecordRow>): Promise<void> =>
  inOrganisation(sql, String(row.partner_sn), '0', tx =>
    sendMessage(tx, String(row.partner_sn), {
      title: '交易关系已建立',
      body:
        `平台已批准${String(row.organisation_name ?? '')}与贵机构的交易关系（${String(row.relation)}），自` +
        `${String(row.valid_from)}起可以交易`,
      uri: '/commonView/agencyManage/AgencyManagementNew',
      objectId: String(row.change_sn),
      kind: 'orgRelation',
      type: 'audit',
    }),
  )

export const orgChangeRules: RecordRules = {
  kind: 'orgChangeApproval',
  visible: (tx, session) => (session.org.type === 'P' ? tx`true` : tx`t.organisation_id = ${session.org.id}`),
  columns: tx => ({
    system_type: tx`${tx('to_organisation_sn.system_type')}`,
    attachment_count: tx`coalesce(array_length(t.attachments, 1), 0)`,
  }),
  async check(tx, session, change) {
    if (!change.before) await fill(tx, session, change)
    return []
  },
  mayWrite(session, action, row) {
    const isPlatform = session.org.type === 'P'
    if (action === 'edit') throw new BusinessError('forbidden', '变更申请提交后不能修改，可以删除后重新提交')
    if (action === 'add' && isPlatform) throw new BusinessError('forbidden', '平台请在机构管理中直接修改')
    if (action === 'del' && isPlatform) throw new BusinessError('forbidden', '只能由申请机构删除')
    if ((action === 'review' || action === 'reject') && !isPlatform) throw new BusinessError('forbidden')
    if (action !== 'add' && row && row.state !== 'pending')
      throw new BusinessError('wrongState', '该申请已审批，请刷新列表')
  },
  actions: {
    async review(tx, session, row) {
      await runAction(tx, row)
      return { state: 'passed', decided_by: session.userName, decided_at: new Date().toISOString() }
    },
    async reject(_tx, session, _row, reason) {
      return { state: 'refused', decided_by: session.userName, decided_at: new Date().toISOString(), reason }
    },
  },
  /** The platform is notified of waiting requests, the organisation of the decision. */
  async afterwards(sql, session, action, row) {
    if (action === 'review') await partnerChanged(sql, String(row.organisation_sn))
    if (action === 'review' && row.change_type === 'relation') await notifyPartner(sql, row)
    const isAnswer = action === 'review' || action === 'reject'
    const to = isAnswer ? String(row.organisation_sn) : await platformId(sql)
    if (to === null) return
    const said = {
      add: `${session.org.name}申请变更：${String(row.changed)}`,
      review: `变更申请${String(row.code)}已通过：${String(row.changed)}`,
      reject: `变更申请${String(row.code)}已驳回：${String(row.reason ?? '')}`,
    }[action]
    if (!said) return
    await inOrganisation(sql, to, '0', tx =>
      sendMessage(tx, to, {
        title: isAnswer ? '机构变更审批结果' : '机构变更申请',
        body: said,
        uri: isAnswer ? '/commonView/agencyManage/AgencyChange' : '/ptm/agencyManage/AgencyApproval?state=pending',
        objectId: String(row.change_sn),
        kind: 'orgChangeApproval',
        type: 'audit',
        extra: { org_name: session.org.name, kind: 'orgChangeApproval' },
      }),
    )
  },
}
