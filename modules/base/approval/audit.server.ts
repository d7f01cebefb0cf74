import { compare } from '#kernel/values/decimal.ts'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { type Problem, BusinessError } from '#kernel/rules/errors.ts'
import { derived, documentOf, documents } from '#kernel/registry.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import type { Change, RecordRow, RecordRules } from '#server/public/records.ts'
import { usersViolatingSegregation } from '#modules/base/checks/segregation-of-duties.server.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** The business area a document kind belongs to. */
const kinds = derived(() => documents().map(each => each.kind))
const categories = derived(() => documents().map(each => each.category))

const kindOf = (row: Readonly<RecordRow>): AnyDocument => {
  const definition = documentOf(String(row.document_kind))
  if (!definition) throw new BusinessError('invalid', '没有这种单据')
  return definition
}

/**
 * Documents that book something between organisations need a person's signature, and self-approval cannot be enabled
 * for kinds the author may never approve.
 */
function problemsOf(change: Change): Problem[] {
  const { after } = change
  const definition = kindOf(after)
  const problems: Problem[] = []
  const say = (field: string, msg: string) => problems.push({ field, msg })
  if (definition.actions.review === undefined) say('document_kind', `${definition.title}不需要审核，不能设置`)
  if (after.allow_self === true && definition.actions.review?.notByAuthor)
    say('allow_self', `${definition.title}必须由他人审核`)
  const books = definition.category === 'finance' || definition.posting.accountMovement !== undefined
  const byOthers = definition.actions.review?.notByAuthor === true
  const others = `${definition.title}必须由他人审核`
  if (after.is_automatic === true && (books || byOthers))
    say('is_automatic', books ? '该单据涉及往来记账，不能设为自动审核' : others)
  if (after.needs_review === false && (books || byOthers))
    say('needs_review', byOthers ? others : '该单据涉及往来记账，须启用审核')
  return problems
}

/** One setting per document kind, warehouse and department. */
async function refuseDuplicate(tx: Tx, session: Session, { id, after }: Change): Promise<void> {
  const [duplicate] = await tx`
    select 1 from audit_setting where org_id = ${session.org.id} and document_kind = ${String(after.document_kind)}
       and warehouse_id is not distinct from ${(after.warehouse_model_inner_sn as string | null) ?? null}::bigint
       and department_id is not distinct from ${(after.department_inner_sn as string | null) ?? null}::bigint
       and id is distinct from ${id}::bigint limit 1`
  if (duplicate)
    throw new BusinessError('duplicate', '该单据类型已存在审核设置', [
      { field: 'document_kind', msg: '该单据类型已存在审核设置' },
    ])
}

const levelText = (tx: Tx, level: number) => tx`(
  select string_agg(n.name, '、') from audit_level l cross join lateral (
    select r.name from role r where r.id = any(l.roles::bigint[]) union all select u.name from app_user u
      where u.id = any(l.users::bigint[])) n
   where l.org_id = t.org_id and l.audit_setting_id = t.id and l.level_no = ${level})`

export const auditSettingRules: RecordRules = {
  kind: 'auditSetting',
  columns: tx => ({
    category: tx`(select k.category from unnest(${kinds()}::text[], ${categories()}::text[]) k(kind, category)
      where k.kind = t.document_kind)`,
    // Levels that name no signer count as one level: every user with the right may sign.
    level_count: tx`greatest((select count(*)::int from audit_level l
      where l.org_id = t.org_id and l.audit_setting_id = t.id), t.needs_review::int)`,
    level_1: tx`coalesce(${levelText(tx, 1)}, case when t.needs_review then '有审核权限者' end)`,
    level_2: levelText(tx, 2),
    level_3: levelText(tx, 3),
    thresholds: tx`(select string_agg(l.from_amount::text, ' / ' order by l.level_no) from audit_level l
      where l.org_id = t.org_id and l.audit_setting_id = t.id)`,
    updated_by: tx`(select g.actor_name from operation_log g where g.org_id = t.org_id and g.object_key = t.id::text
      and g.subject = 'auditSetting' order by g.id desc limit 1)`,
    updated_at: tx`(select g.at from operation_log g where g.org_id = t.org_id and g.object_key = t.id::text
      and g.subject = 'auditSetting' order by g.id desc limit 1)`,
  }),
  async check(tx, session, change) {
    const definition = kindOf(change.after)
    if (definition.ownerTypes !== '' && !definition.ownerTypes.includes(session.org.type))
      return [{ field: 'document_kind', msg: `本机构没有${definition.title}` }]
    await refuseDuplicate(tx, session, change)
    if (change.after.separates === true && change.before?.separates !== true) {
      const people = await usersViolatingSegregation(tx, session.org.id, String(change.after.document_kind))
      if (people.length > 0)
        return [
          {
            field: 'separates',
            msg: `${people.join('、')}同时拥有${definition.title}的制单和审核权限，请先调整角色再启用制单审核分离`,
          },
        ]
    }
    return problemsOf(change)
  },
  async mayLeave(tx, session, action, row) {
    if (action === 'del')
      await tx`delete from audit_level
        where org_id = ${session.org.id} and audit_setting_id = ${String(row.audit_setting_sn)}`
  },
  actions: {
    /** Copies the levels to another document kind. */
    async copy(tx, session, row, _reason, answers) {
      const after = { ...row, document_kind: answers.document_kind }
      const change: Change = { id: null, before: null, sent: answers, after }
      const definition = kindOf(after)
      if (definition.ownerTypes !== '' && !definition.ownerTypes.includes(session.org.type))
        throw new BusinessError('rule', `本机构没有${definition.title}`)
      await refuseDuplicate(tx, session, change)
      const [problem] = problemsOf(change)
      if (problem) throw new BusinessError('rule', problem.msg, [problem])
      const [made] = await tx<{ id: string }[]>`
        insert into audit_setting (org_id, document_kind, warehouse_id, department_id, needs_review, allow_self,
          separates, is_automatic, automatic_limit, unreview_days, remind_hours, remark)
        select org_id, ${String(answers.document_kind)}, warehouse_id, department_id, needs_review, allow_self,
          separates, is_automatic, automatic_limit, unreview_days, remind_hours, remark
          from audit_setting where org_id = ${session.org.id} and id = ${String(row.audit_setting_sn)} returning id`
      await tx`
        insert into audit_level (org_id, audit_setting_id, level_no, name, mode, roles, users, from_amount,
          needs_opinion, deputy_id, deputy_from, deputy_to)
        select org_id, ${made!.id}, level_no, name, mode, roles, users, from_amount, needs_opinion, deputy_id,
          deputy_from, deputy_to
          from audit_level where org_id = ${session.org.id} and audit_setting_id = ${String(row.audit_setting_sn)}`
    },
    /** Back to the default: one level, any user with the right may sign. */
    async reset(tx, session, row) {
      await tx`delete from audit_level
        where org_id = ${session.org.id} and audit_setting_id = ${String(row.audit_setting_sn)}`
      return {
        needs_review: true,
        allow_self: false,
        separates: false,
        is_automatic: false,
        automatic_limit: null,
        unreview_days: null,
        remind_hours: null,
      }
    },
  },
}

/** At least one user who can sign in must be able to sign. */
async function hasSigner(tx: Tx, session: Session, row: Readonly<RecordRow>): Promise<boolean> {
  const [found] = await tx`
    select 1 from app_user u where u.org_id = ${session.org.id} and u.status = 'enabled'
       and (u.id = any(${(row.users ?? []) as string[]}::bigint[])
         or exists (select 1 from user_role g join role r on r.id = g.role_id and r.status = 'enabled'
                     where g.user_id = u.id and g.role_id = any(${(row.roles ?? []) as string[]}::bigint[]))) limit 1`
  return found !== undefined
}

export const auditLevelRules: RecordRules = {
  kind: 'auditLevel',
  async check(tx, session, { id, after }) {
    if (!(await hasSigner(tx, session, after)))
      return [{ field: 'roles', msg: `第${String(after.level_no)}级没有可用的审核人` }]
    const others = await tx<{ level_no: number; from_amount: string }[]>`
      select level_no, from_amount from audit_level
       where org_id = ${session.org.id} and audit_setting_id = ${String(after.audit_setting_sn)} and id is distinct
         from ${id}::bigint`
    const own = { level_no: parseInteger(after.level_no), from_amount: String(after.from_amount ?? '0') }
    const wrong = others.find(
      other =>
        (other.level_no < own.level_no && compare(other.from_amount, own.from_amount) > 0) ||
        (other.level_no > own.level_no && compare(other.from_amount, own.from_amount) < 0),
    )
    return wrong === undefined
      ? []
      : [{ field: 'from_amount', msg: `金额起点应随级次递增：第${wrong.level_no}级为${wrong.from_amount}` }]
  },
}
