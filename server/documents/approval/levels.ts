import { today } from '#kernel/values/date.ts'
import { compare } from '#kernel/values/decimal.ts'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import type { ActionContext } from '#server/documents/action/context.ts'
import { documentRulesOf } from '#server/registry/hooks.ts'
import type { Settings } from '#kernel/definition/setting.ts'
import { postingContext } from '#server/documents/posting/post.ts'
import { loadSettings, settingsAt } from '#server/settings/settings.ts'
import type { StoredDocument } from '#server/documents/repository/document.ts'
import { may, type Session } from '#server/access/session.ts'
import { documentRules } from '#server/rulebook/document-rules.ts'
import type { Tx } from '#server/database/transaction.ts'

/** An organisation's approval rules for documents of one kind. */
export type ApprovalPolicy = {
  readonly id: string
  readonly warehouse_id: string | null
  readonly department_id: string | null
  readonly needs_review: boolean
  readonly allow_self: boolean
  readonly is_automatic: boolean
  readonly automatic_limit: string | null
  readonly unreview_days: number | null
}

/** One level that a waiting document must pass, as set when the document was submitted. */
export type ApprovalLevel = {
  readonly level_no: number
  readonly name: string | null
  /** `any`: one of those named is enough; `all`: every person named signs, and one of each role. */
  readonly mode: string
  readonly roles: readonly string[]
  readonly users: readonly string[]
  readonly needs_opinion: boolean
  readonly deputy_id: string | null
  readonly deputy_from: string | null
  readonly deputy_to: string | null
  readonly signed_by: readonly string[]
}

const numerals = ['零', '一', '二', '三', '四', '五', '六', '七', '八', '九']
/** 待一审, 待二审: the waiting state of documents with several levels. */
export const pendingLevelName = (level: number): string => `待${numerals[level] ?? level}审`
export const levelName = (level: ApprovalLevel): string =>
  level.name ?? `${numerals[level.level_no] ?? level.level_no}级审核`

/** All approval settings of a kind: few, read together with the document. */
export const approvalPolicies = (tx: Tx, session: Session, kind: string): Promise<readonly ApprovalPolicy[]> => tx<
  ApprovalPolicy[]
>`
    select id, warehouse_id, department_id, needs_review, allow_self, is_automatic, automatic_limit, unreview_days
      from audit_setting
     where org_id = ${session.org.id} and document_kind = ${kind} and status = 'enabled'
     order by (warehouse_id is not null)::int + (department_id is not null)::int desc, id`

/** The setting that applies to a document: the one for its store or department before the general one. */
export const policyFor = (signings: readonly ApprovalPolicy[], doc: StoredDocument): ApprovalPolicy | null =>
  signings.find(
    ({ warehouse_id: store, department_id: department }) =>
      (store === null || store === doc.warehouse_model_inner_sn || store === doc.to_warehouse_model_inner_sn) &&
      (department === null || department === doc.department_inner_sn),
  ) ?? null

/** The general rules with a kind's own setting applied. */
export const withApprovalPolicy = (settings: Settings, signing: ApprovalPolicy | null): Settings =>
  signing === null
    ? settings
    : {
        ...settings,
        allow_self_review: signing.allow_self,
        unreview_days: signing.unreview_days ?? settings.unreview_days,
      }

/** At submit the levels required by the document's amount are stored with it; later settings do not affect it. */
export async function startApproval(ctx: ActionContext): Promise<void> {
  const { tx, session, doc, approvalPolicy: signing } = ctx
  const org = session.org.id
  const second = documentRulesOf(doc.kind).secondLevel?.(ctx) ?? null
  if (signing === null && second !== null) refuseSingleLevel(ctx, second)
  const before = parseInteger(doc.review_levels)
  if (signing === null && before === 0) return
  await tx`delete from document_review where org_id = ${org} and document_id = ${doc.id}`
  const rows =
    signing === null
      ? []
      : await tx<{ level_no: number }[]>`
    insert into document_review (org_id, document_id, level_no, name, mode, roles, users, needs_opinion, deputy_id,
      deputy_from, deputy_to)
    select d.org_id, d.id, (row_number() over (order by l.level_no))::int, l.name, l.mode, l.roles, l.users,
      l.needs_opinion, l.deputy_id, l.deputy_from, l.deputy_to
      from document d join (
        select a.*, row_number() over (order by a.level_no) as place from audit_level a
         where a.org_id = ${org} and a.audit_setting_id = ${signing.id}) l on l.org_id = d.org_id
     where d.org_id = ${org} and d.id = ${doc.id}
       and (l.from_amount <= abs(d.taxed_amount) or ${second !== null} and l.place <= 2)
    returning level_no`
  if (second !== null && rows.length < 2) refuseSingleLevel(ctx, second)
  await stand(tx, org, doc.id, rows.length > 0 ? 1 : 0, rows.length)
}

function refuseSingleLevel({ definition }: ActionContext, why: string): never {
  throw new BusinessError(
    'rule',
    `${why}，须经二级审核：请先在【审核设置】为${definition.title}设置第一级和第二级审核人`,
  )
}

const stand = (tx: Tx, org: string, document: string, level: number, levels: number) => tx`
  update document set review_level = ${level}, review_levels = ${levels} where org_id = ${org} and id = ${document}`

/** A document that is no longer waiting has no level; one whose review was taken back starts again at the first. */
export async function resetApproval({ tx, session, doc, action }: ActionContext): Promise<void> {
  const org = session.org.id
  if (parseInteger(doc.review_levels) === 0) return
  if (action !== 'unreview') {
    await stand(tx, org, doc.id, 0, parseInteger(doc.review_levels))
    return
  }
  const rows = await tx`
    update document_review set signed_by = '{}', signed_at = null where org_id = ${org} and document_id = ${doc.id}
      returning level_no`
  await stand(tx, org, doc.id, rows.length > 0 ? 1 : 0, rows.length)
}

export const levelsOf = (tx: Tx, org: string, document: string): Promise<readonly ApprovalLevel[]> =>
  tx<ApprovalLevel[]>`
    select level_no, name, mode, roles, users, needs_opinion, deputy_id, deputy_from, deputy_to, signed_by
      from document_review where org_id = ${org} and document_id = ${document} order by level_no`

export const rolesOf = async (tx: Tx, session: Session): Promise<ReadonlySet<string>> => {
  const rows = await tx<{ id: string }[]>`
    select g.role_id as id from user_role g join role r on r.id = g.role_id and r.status = 'enabled'
      where g.user_id = ${session.userId}`
  return new Set(rows.map(row => row.id))
}

const isDeputy = (level: ApprovalLevel, user: string): boolean =>
  level.deputy_id === user &&
  (level.deputy_from === null || level.deputy_from <= today()) &&
  (level.deputy_to === null || level.deputy_to >= today())

/** In whose name a user may sign a level now: the user's own, or as the deputy of those named; null if in neither. */
export function mayApprove(level: ApprovalLevel, user: string, roles: ReadonlySet<string>): 'self' | 'deputy' | null {
  if (level.signed_by.includes(user)) return null
  if (level.users.includes(user) || level.roles.some(role => roles.has(role))) return 'self'
  return isDeputy(level, user) ? 'deputy' : null
}

/** The names of the users a level waits for. */
export async function approversOf(tx: Tx, org: string, level: ApprovalLevel): Promise<string> {
  const rows = await tx<{ name: string }[]>`
    select name from app_user where org_id = ${org} and id = any(${level.users as string[]}::bigint[])
    union all
    select name from role where org_id = ${org} and id = any(${level.roles as string[]}::bigint[])`
  return rows.map(row => row.name).join('、')
}

export type Signed = { readonly last: boolean; readonly label: string }

/** Signs the level at which the document waits; refuses other users. `last`: this reviews the document. */
export async function approveLevel(ctx: ActionContext): Promise<Signed> {
  const { tx, session, doc, spec, reason } = ctx
  const org = session.org.id
  const levels = parseInteger(doc.review_level) === 0 ? [] : await levelsOf(tx, org, doc.id)
  const level = levels.find(one => one.level_no === parseInteger(doc.review_level))
  if (level === undefined || ctx.collectedErrors !== undefined || session.userId === '0')
    return { last: true, label: spec.label }
  const roles = await rolesOf(tx, session)
  const as = mayApprove(level, session.userId, roles)
  if (as === null) await refuseSigner(ctx, level)
  if (level.needs_opinion && !reason)
    throw new BusinessError('invalid', '请填写审核意见', [{ field: 'reason', msg: '请填写审核意见' }])
  const signed = [...level.signed_by, session.userId]
  await tx`
    update document_review set signed_by = ${signed}, signed_at = posting_now()
     where org_id = ${org} and document_id = ${doc.id} and level_no = ${level.level_no}`
  const complete = level.mode !== 'all' || as === 'deputy' || (await allSigned(tx, level, signed))
  const next = complete ? levels.find(one => one.level_no > level.level_no) : level
  await stand(tx, org, doc.id, next?.level_no ?? 0, levels.length)
  const label = levels.length > 1 || level.name !== null ? levelName(level) : spec.label
  return {
    last: next === undefined,
    label: as === 'deputy' ? `代${await approversOf(tx, org, level)}审核` : label,
  }
}

async function refuseSigner({ tx, session, definition, doc }: Reviewing, level: ApprovalLevel): Promise<never> {
  if (level.signed_by.includes(session.userId)) throw new BusinessError('forbidden', '本级您已审核，请等待其他审核人')
  const names = await approversOf(tx, session.org.id, level)
  throw new BusinessError(
    'forbidden',
    `${definition.title}${doc.sn}${pendingLevelName(level.level_no)}，当前审批人：${names}，您不是本级审核人`,
  )
}

/** 会签: every person named, and one of each role. */
async function allSigned(tx: Tx, level: ApprovalLevel, signed: readonly string[]): Promise<boolean> {
  if (level.users.some(user => !signed.includes(user))) return false
  const rows = await tx<{ role_id: string }[]>`
    select distinct role_id from user_role where user_id = any(${signed as string[]}::bigint[])
      and role_id = any(${level.roles as string[]}::bigint[])`
  return rows.length === level.roles.length
}

/** What decides whether somebody may review a document. */
type Reviewing = Pick<
  ActionContext,
  'tx' | 'session' | 'definition' | 'doc' | 'spec' | 'settings' | 'action' | 'collectedErrors'
>

/**
 * Refuses whoever could not review the waiting document now: without the right to, as its author, or out of turn.
 * `what` is the label of the field that belongs to its reviewer.
 */
export async function checkReviews(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  doc: StoredDocument,
  what: string,
): Promise<void> {
  if (!may(session, `${definition.kind}.review`))
    throw new BusinessError('forbidden', `没有操作权限：【${what}】由审核人填写`)
  const place = { warehouse: doc.warehouse_model_inner_sn, department: doc.department_inner_sn }
  const policy = policyFor(await approvalPolicies(tx, session, definition.kind), doc)
  const settings = withApprovalPolicy(settingsAt(await loadSettings(tx, session.org.id), place), policy)
  const spec = definition.actions.review!
  const reviewing = { tx, session, definition, doc, spec, settings, action: 'review' }
  await checkNotAuthor(reviewing)
  await checkIsApprover(reviewing)
}

/** Only users of the current level may send a document back. */
export async function checkIsApprover(ctx: Reviewing): Promise<void> {
  const { tx, session, doc } = ctx
  if (ctx.collectedErrors !== undefined || session.userId === '0' || parseInteger(doc.review_level) === 0) return
  const level = (await levelsOf(tx, session.org.id, doc.id)).find(
    one => one.level_no === parseInteger(doc.review_level),
  )
  if (level && mayApprove(level, session.userId, await rolesOf(tx, session)) === null) await refuseSigner(ctx, level)
}

/** True if a document just submitted is reviewed by the system itself. */
export function isAutoApproved({
  approvalPolicy: signing,
  doc,
  collectedErrors: gathered,
  definition,
  session,
}: ActionContext): boolean {
  const { review } = definition.actions
  if (signing === null || gathered !== undefined || review === undefined) return false
  // Another person must look at some kinds, and entries between organisations need a person's decision as well.
  if (review.notByAuthor || booksMoney(definition, doc, session)) return false
  if (!signing.needs_review) return true
  if (!signing.is_automatic) return false
  return signing.automatic_limit === null || compare(abs(doc.taxed_amount), signing.automatic_limit) <= 0
}
const booksMoney = ({ posting: { postings } }: AnyDocument, doc: StoredDocument, session: Session): boolean =>
  (postings?.(doc, postingContext(session)).entries?.length ?? 0) > 0
const abs = (amount: string): string => amount.replace(/^-/, '')

/** All users who wrote or submitted a document, including before it was handed over to another user. */
export const isAuthor = (doc: StoredDocument, user: string): boolean =>
  doc.created_by === user || doc.submitted_by === user || doc.former_authors.includes(user)

/** Requires another reviewer than the author, unless the organisation lets authors review. */
export async function checkNotAuthor(ctx: Reviewing): Promise<void> {
  const { session, doc, spec, settings, action, definition } = ctx
  if ((action !== 'review' && !spec.notByAuthor) || session.userId === '0') return
  if (session.onBehalf && !session.onBehalf.mayReview) await refuseOwnAgents(ctx)
  if (!isAuthor(doc, session.userId)) return
  if (!spec.notByAuthor && settings.allow_self_review) return
  const usual = spec.notByAuthor
    ? `${definition.title}的制单人不能${spec.label}本单，请由他人${spec.label}`
    : '制单人与审核人不能为同一人，请由他人审核'
  const { alwaysOtherPerson, otherPerson } = documentRules
  throw new BusinessError('forbidden', `${spec.selfReviewMessage ?? usual}${await wayOut(ctx)}`).because(
    spec.notByAuthor ? alwaysOtherPerson : otherPerson,
  )
}

/**
 * The organisation itself reviews documents that the platform wrote in its name, unless the authorisation includes
 * review.
 */
async function refuseOwnAgents({ tx, session, doc }: Reviewing): Promise<void> {
  const authors = [doc.created_by, doc.submitted_by, ...doc.former_authors].filter(id => id !== null && id !== '0')
  const own = await tx`
    select id from app_user where org_id = ${session.org.id} and id = any(${authors}::bigint[])`
  if (own.length < new Set(authors).size) throw new BusinessError('rule', '平台代办单据须由机构自行审核')
}

/** The end of the refusal where nobody else of the organisation may review the document: who can change that. */
async function wayOut({ tx, session, doc, definition, action }: Reviewing): Promise<string> {
  const authors = [doc.created_by, doc.submitted_by, ...doc.former_authors].filter(author => author !== null)
  const [other] = await tx`
    select 1 from app_user u
     where u.org_id = ${session.org.id} and u.status = 'enabled' and u.id <> all(${authors}::bigint[])
       and (u.is_administrator or exists (
         select 1 from user_role g join role r on r.id = g.role_id and r.status = 'enabled'
          where g.user_id = u.id and r.flags @> ${[`${definition.kind}.${action}`]}::text[])) limit 1`
  return other ? '' : '；本机构没有其他有审核权限的人员，请管理员先给他人授权'
}

/** Documents waiting for this user: at no level, or at one the user may sign. `d` is the document. */
export const awaitsMyApprovalSql = (tx: Tx, session: Session) => tx`
  (d.review_level = 0 or exists (
     select 1 from document_review r where r.org_id = d.org_id and r.document_id = d.id and r.level_no = d.review_level
       and not r.signed_by @> ${[session.userId]}::text[]
        and (r.users @> ${[session.userId]}::text[]
          or r.roles && array(select g.role_id::text from user_role g where g.user_id = ${session.userId})
             or (r.deputy_id = ${session.userId} and coalesce(r.deputy_from, ${today()}::date) <= ${today()}
               and coalesce(r.deputy_to, ${today()}::date) >= ${today()}))))`

/** The signatures of a waiting document so far, and whose turn it is; shown on the page beside the state. */
export async function approvalProgress(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  row: Readonly<Record<string, unknown>>,
): Promise<{ readonly steps: readonly unknown[]; readonly mine: boolean }> {
  const at = parseInteger(row.review_level ?? 0)
  if (at === 0 || definition.actions.review === undefined) return { steps: [], mine: true }
  const levels = await levelsOf(tx, session.org.id, String(row.id))
  const roles = await rolesOf(tx, session)
  const steps = []
  for (const level of levels)
    steps.push({
      level_no: level.level_no,
      name: levelName(level),
      approvers: await approversOf(tx, session.org.id, level),
      state: level.level_no < at ? 'signed' : level.level_no === at ? 'waiting' : 'ahead',
    })
  const level = levels.find(one => one.level_no === at)
  return { steps, mine: level === undefined || mayApprove(level, session.userId, roles) !== null }
}
