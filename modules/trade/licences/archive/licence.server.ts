import type { Sql } from 'postgres'
import { today } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { askProduction, withProduction } from '#modules/trade/licences/archive/production-scope.server.ts'
import { applyForLicence, share } from '#modules/trade/licences/sharing/grant-draft.server.ts'
import { grantedTo } from '#modules/trade/licences/archive/own-licences.server.ts'
import { actions, handIn, ownPage } from '#modules/trade/licences/archive/licence-lifecycle.server.ts'
import { unknownSubjects } from '#modules/trade/licensing/clinical-specialties.server.ts'
import { auditedByPlatform, authorising, practice } from '#modules/trade/licensing/licence-types.ts'
import { licencesChanged, recountLicences } from '#modules/trade/licensing/licences-changed.server.ts'
import { fitGiven } from '#modules/trade/licensing/authorisation-sync.server.ts'
import { openChangesOf } from '#modules/trade/compliance/changed-partners.server.ts'
import { passOwnRenewals } from '#modules/trade/licences/sharing/grant-expiry.server.ts'
import { sendMessage } from '#server/public/notifications.ts'
import type { Change, RecordRow, RecordRules } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import { inOrganisation, type Tx } from '#server/public/database.ts'

const isOwn = (session: Session, row: Readonly<RecordRow>) => row.holder_sn === session.org.id
const isOpen = (row: Readonly<RecordRow>) => row.audit_state === 'draft' || row.audit_state === 'rejected'
/** Own licences that need no approval are in force when saved. */
const needsNobody = (session: Session, row: Readonly<RecordRow>) =>
  isOwn(session, row) && !auditedByPlatform.includes(String(row.licence_type))

const GIVEN = '给经销商的产品授权书，编号、期限、被授权方和启停请在【证照授权】的【产品授权书】中修改'

/** The reason why an action is not allowed on a row in its current state; null: it is allowed. */
function against(session: Session, action: string, row: Readonly<RecordRow>): string | null {
  const own = isOwn(session, row)
  // The receiver decides whether a granted licence counts: a receiver who disabled it may enable it again.
  if (row.origin === 'granted' && ['edit', 'renew', 'submit', 'unsubmit'].includes(action))
    return '对方授权的证照由对方维护，不能修改'
  if (own && row.origin === 'granted' && action === 'del') return '授权书由授权方发来，不能删除，可以停用'
  if (row.is_given === true && action === 'del') return '证照已被授权或引用，不能删除'
  if (row.is_given === true && action === 'renew') return '给经销商的产品授权书在【证照授权】的【产品授权书】中续期'
  if (row.is_given === true && (action === 'enable' || action === 'disable')) return GIVEN
  if (row.status === 'replaced') return '证照已换证，不能修改'
  switch (action) {
    case 'edit':
    case 'del':
      return isOpen(row) || needsNobody(session, row) || (action === 'del' && row.origin === 'granted')
        ? null
        : '证照已提交或已审核，不能修改；内容有变请使用换证'
    case 'submit':
      return isOpen(row) ? null : '证照已提交，请刷新列表'
    case 'unsubmit':
      return row.audit_state === 'pending' ? null : '只有待审核的证照可以撤回'
    case 'review':
    case 'reject':
      if (own) return '本机构的证照由平台审核'
      return row.audit_state === 'pending' ? null : '只有待审核的证照可以审核'
    case 'renew':
      return row.audit_state === 'passed' ? null : '审核通过的证照才能换证'
    case 'share':
      if (!own) return '只能授权本机构的证照'
      return row.audit_state === 'passed' ? null : '审核通过的证照才能授权'
    case 'apply':
    case 'remind':
      return own ? '本机构的证照请直接换证' : null
    default:
      return null
  }
}

/** The holder of the licence; a business licence must have the organisation's own code. */
async function checkHolder(tx: Tx, session: Session, { after, before }: Change) {
  const holder = String(after.holder_sn)
  if (before && before.holder_sn !== holder) return [{ field: 'holder_sn', msg: '持有机构不能修改' }]
  if (holder !== session.org.id) {
    // Makers whose goods come through others count as well: their licences are part of the chain.
    const [partner] = await tx`
      select 1 from org_relation where org_id = ${session.org.id} and partner_id = ${holder}
       union all select 1 from product where manufacturer_id = ${holder} and status = 'released' limit 1`
    return partner ? [] : [{ field: 'holder_sn', msg: '请选择相关机构。' }]
  }
  if (after.licence_type !== '营业执照') return []
  const [mine] = await tx<
    { code: string }[]
  >`select social_credit_code as code from organisation where id = ${session.org.id}`
  return mine?.code === after.licence_no ? [] : [{ field: 'licence_no', msg: '证照的统一社会信用代码与机构不一致' }]
}

/** 诊疗科目 must be from the national list. */
async function wrongSubjects(tx: Tx, { after, sent }: Change) {
  const named = (sent.subjects ?? []) as readonly string[]
  if (named.length === 0) return []
  if (!(practice as readonly string[]).includes(String(after.licence_type)))
    return [{ field: 'subjects', msg: `${String(after.licence_type)}不填诊疗科目` }]
  const unknown = await unknownSubjects(tx, named)
  return unknown === null ? [] : [{ field: 'subjects', msg: `诊疗科目名录中没有【${unknown}】，请从名录选择` }]
}

/**
 * Kind and number are unique per holder, whatever the dates: 换证 creates the next licence, which may keep its number,
 * and the copy for another campus has it too.
 */
async function refuseDuplicate(tx: Tx, session: Session, { id, after }: Change): Promise<void> {
  const [duplicate] = await tx`
    select 1 from licence where org_id = ${session.org.id} and holder_id = ${String(after.holder_sn)}
      and licence_type = ${String(after.licence_type)} and licence_no = ${String(after.licence_no)}
       and status <> 'replaced' and copy_no is not distinct from ${(after.copy_no ?? null) as string}
       and id is distinct from ${id}::bigint limit 1`
  const msg = `${String(after.licence_type)}${String(after.licence_no)}已存在`
  if (duplicate) throw new BusinessError('duplicate', msg, [{ field: 'licence_no', msg }])
}

/**
 * An authorisation given to dealers is edited where it was given: its licence takes number, dates and names from there.
 */
function refuseGiven({ after, before }: Change) {
  const names = ['licence_type', 'licence_no', 'valid_from', 'valid_to', 'grantor_sn', 'grantee_sn'] as const
  const changed =
    before?.is_given === true ? names.find(name => (after[name] ?? null) !== (before[name] ?? null)) : undefined
  return changed === undefined ? [] : [{ field: changed, msg: GIVEN }]
}

/** True if the licence is an authorisation of one organisation by another. */
const authorises = (row: Readonly<RecordRow>) => authorising.includes(String(row.licence_type))

/**
 * Updates everything that depends on a licence that changed, was added or removed: at once, not with the next hourly
 * job.
 */
async function follow(sql: Sql, session: Session, row: Readonly<RecordRow>): Promise<void> {
  const org = session.org.id
  if (isOwn(session, row) && authorises(row)) await fitGiven(sql, org)
  await licencesChanged(sql, org)
  if (isOwn(session, row)) await inOrganisation(sql, org, '0', tx => passOwnRenewals(tx, org))
  else await openChangesOf(sql, org, String(row.holder_sn))
}

export const licenceRules: RecordRules = {
  kind: 'licence',
  asks: askProduction,
  complete: withProduction,
  columns: (tx, session) => ({
    holder_type: tx`case when t.holder_id = ${session.org.id} then 'own'
      else ${tx('to_holder_sn.system_type')}::text end`,
    days_left: tx`case when not t.long_term then t.valid_to - ${today()}::date end`,
    licence_state: tx`case when t.status <> 'enabled' then t.status
      when not grant_holds(t.org_id, t.owner_org_id, t.grant_sn, ${today()}::date) then 'ended' when t.long_term
      or t.valid_to is null then 'valid'
      when t.valid_to < ${today()} then 'expired'
        when t.valid_to <= ${today()}::date + licence_lead(${session.org.id}, t.licence_type) then 'expiring'
        else 'valid' end`,
    granted_to: grantedTo(tx),
    is_granted: tx`(${grantedTo(tx)} > 0)`,
    is_given: tx`exists (select 1 from dealer_authorisation a where a.org_id = t.org_id and a.licence_id = t.id)`,
    hospital_level: tx`${tx('to_holder_sn.hospital_level')}`,
    made_in: tx`case ${tx('to_holder_sn.system_type')} when 3 then case when maker_abroad(t.holder_id) then 'abroad'
      else 'home' end end`,
    certificate_product: tx`case when t.licence_type = '医疗器械注册证/备案凭证'
      then (select c.product_name from registration_certificate c where c.certificate_no = t.licence_no
      order by c.valid_from desc limit 1) end`,
    production_note: tx`null::text`,
    previous_no: tx`(select p.licence_no from licence p where p.org_id = t.org_id and p.id = t.previous_id)`,
  }),
  async check(tx, session, change) {
    if (change.after.long_term === true) change.after.valid_to = null
    const problems = [
      ...(await checkHolder(tx, session, change)),
      ...(await wrongSubjects(tx, change)),
      ...refuseGiven(change),
    ]
    if (problems.length === 0) await refuseDuplicate(tx, session, change)
    if (problems.length === 0 && !change.before)
      change.after.audit_state = needsNobody(session, change.after) ? 'passed' : 'draft'
    return problems
  },
  alsoWrites: async (_tx, session) => ({ updated_by: session.userName, updated_at: new Date().toISOString() }),
  /** Sends the scans of an authorisation given to a dealer to the dealer, together with its lines. */
  async saved(tx, session, id, { before, after }) {
    if (before?.is_given !== true || String(before.attachments) === String(after.attachments)) return
    await tx`
      update dealer_authorisation set version = version + 1 where org_id = ${session.org.id} and licence_id = ${id}
        and status = 'enabled'`
  },
  mayWrite(session, action, row) {
    const why = row && against(session, action, row)
    if (why) throw new BusinessError('wrongState', why)
  },
  async mayLeave(tx, session, action, row) {
    if (action !== 'del') return
    const [used] = await tx`
      select 1 from document_licence where org_id = ${session.org.id} and licence_id = ${String(row.licence_sn)}
        limit 1`
    const [given] = await tx`
      select 1 from document d join document_line k on k.org_id = d.org_id and k.document_id = d.id
       where d.org_id = ${session.org.id} and d.kind = 'licenceEmpower' and d.role = 'own'
         and d.state not in ('deleted', 'cancelled') and k.fields->>'paper_sn' = ${String(row.licence_sn)} limit 1`
    if (used || given) throw new BusinessError('blocked', '证照已被授权或引用，不能删除')
  },
  actions: { ...actions, share, apply: applyForLicence },
  imported: (tx, session) => recountLicences(tx, session.org.id),
  afterDeletion: follow,
  /** Notifies the platform of licences that wait for it, and the owner of a licence whose renewal is requested. */
  async afterwards(sql, session, action, row) {
    if (action === 'submit' && isOwn(session, row)) await handIn(sql, session, row)
    if (!['share', 'apply', 'remind'].includes(action)) await follow(sql, session, row)
    if (action !== 'remind') return
    const to = String(row.holder_sn)
    await inOrganisation(sql, to, '0', async tx =>
      sendMessage(tx, to, {
        title: '请更新证照',
        body:
          `${session.org.name}请贵机构更新${String(row.licence_type)}（${String(row.licence_no)}，有效期至` +
          `${String(row.valid_to ?? '长期')}）`,
        uri: await ownPage(tx, to),
        objectId: String(row.licence_no),
        kind: 'licence',
        type: 'notice',
      }),
    )
  },
}
