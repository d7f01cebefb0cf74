import { orgTypeOf } from '#kernel/values/organisation-type.ts'
import { type Problem, BusinessError } from '#kernel/rules/errors.ts'
import { instant } from '#kernel/values/date.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { extraFlags, permissionsOf } from '#server/public/menu.ts'
import { additionsOf, withdrawalsOf } from '#modules/base/rights/differences.server.ts'
import type { RecordRow, RecordRules } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** The next version of a template, which is made of its roles as well. */
const revise = async (tx: Tx, template: unknown): Promise<void> =>
  void (await tx`update role_template set revision = revision + 1, changed_at = ${instant()}
    where id = ${String(template)}`)

/** Flags for which no organisation of the kind has a page or a button. */
function unknownFlags(type: unknown, flags: readonly string[]): Problem[] {
  const known = permissionsOf(orgTypeOf(parseInteger(type)))
  const unknown = flags.find(flag => !known.has(flag) && !Object.hasOwn(extraFlags, flag))
  return unknown === undefined ? [] : [{ field: 'flags', msg: `没有“${unknown.slice(0, 60)}”这项权限` }]
}

const counts = (tx: Tx) => ({
  page_count: tx`(select count(*)::int from unnest(t.flags) flag where flag like 'page:%')`,
  operation_count: tx`(select count(*)::int from unnest(t.flags) flag where flag not like 'page:%')`,
})

export const systemRoleRules: RecordRules = {
  kind: 'systemRole',
  visible: (tx, session) => (session.org.type === 'P' ? tx`true` : tx`false`),
  alsoWrites: async (_tx, session) => ({ changed_by: session.userName, changed_at: instant() }),
  columns: tx => ({
    ...counts(tx),
    system_type: tx`t.system_type::text`,
    org_count: tx`(select count(*)::int from organisation o where o.system_type = t.system_type
      and (t.only_org_id = o.id or (t.only_org_id is null and (t.vip_level = o.vip_level or t.vip_level = 0))))`,
  }),
  async check(tx, _session, { id, before, after }) {
    const [duplicate] = await tx`
      select 1 from system_role where system_type = ${parseInteger(after.system_type)}
        and vip_level = ${parseInteger(after.vip_level ?? 0)}
         and only_org_id is not distinct from ${(after.only_org_sn as string | null) ?? null}::bigint
           and id is distinct from ${id}::bigint limit 1`
    if (duplicate) return [{ field: 'vip_level', msg: '该机构类型与VIP等级已有系统角色' }]
    if (before?.is_builtin === true && before.system_type !== after.system_type)
      return [{ field: 'system_type', msg: '预置系统角色不能修改机构类型' }]
    return unknownFlags(after.system_type, (after.flags ?? []) as string[])
  },
  mayWrite(_session, action, row) {
    if (row?.is_builtin === true && ['disable', 'del'].includes(action))
      throw new BusinessError('rule', '预置系统角色不能停用或删除')
  },
  /** Withdrawing rights shows how many lose them. */
  asks: async (tx, _session, action, row, sent) =>
    action === 'edit' && ('flags' in sent || 'is_whole' in sent)
      ? withdrawalsOf(tx, row, {
          isWhole: (sent.is_whole ?? row.is_whole) === true,
          flags: (sent.flags ?? row.flags ?? []) as string[],
        })
      : [],
  actions: {
    async copy(tx, session, row, _reason, answers) {
      await cloneBound(tx, session, row, {
        code: String(answers.code),
        vip: parseInteger(answers.vip_level),
        org: null,
      })
    },
    /** One organisation's own limit, starting as the one of its kind. */
    async org(tx, session, row, _reason, answers) {
      const [org] = await tx<{ code: string; system_type: number }[]>`
        select code, system_type from organisation where id = ${String(answers.org_sn)}`
      if (org?.system_type !== parseInteger(row.system_type))
        throw new BusinessError('rule', '机构类型与系统角色不同，请重新选择')
      await cloneBound(tx, session, row, {
        code: `SYS-${org.code}`,
        vip: parseInteger(row.vip_level),
        org: String(answers.org_sn),
      })
    },
  },
}

async function cloneBound(
  tx: Tx,
  session: Session,
  row: Readonly<RecordRow>,
  to: { code: string; vip: number; org: string | null },
): Promise<void> {
  const made = await tx`
    insert into system_role (code, name, system_type, vip_level, only_org_id, is_whole, flags, description, changed_by,
      changed_at)
    select ${to.code}, name, system_type, ${to.vip}, ${to.org}, is_whole, flags, description, ${session.userName},
           ${instant()} from system_role
      where id = ${String(row.system_role_sn)}
    on conflict do nothing returning id`
  if (made.length === 0) throw new BusinessError('duplicate', '编码已存在，或该机构类型与VIP等级已有系统角色')
}

/** The most flags that organisations of a kind and level may have; null: all. */
async function boundOf(tx: Tx, type: number, vip: number): Promise<ReadonlySet<string> | null> {
  const [bound] = await tx<{ is_whole: boolean; flags: string[] }[]>`
    select is_whole, flags from system_role where system_type = ${type} and only_org_id is null and status = 'enabled'
      and vip_level in (0, ${vip}) order by vip_level desc limit 1`
  return bound && !bound.is_whole ? new Set([...bound.flags, ...Object.keys(extraFlags)]) : null
}

export const roleTemplateRules: RecordRules = {
  kind: 'roleTemplate',
  visible: (tx, session) => (session.org.type === 'P' ? tx`true` : tx`false`),
  columns: tx => ({
    system_type: tx`t.system_type::text`,
    role_names: tx`(select string_agg(r.name, '、' order by r.id) from template_role r where r.role_template_id = t.id)`,
    org_count: tx`(select count(distinct r.org_id)::int from role r where r.template_code = t.code)`,
  }),
  mayWrite(_session, action, row) {
    if (row?.is_default === true && ['disable', 'del'].includes(action))
      throw new BusinessError('rule', '默认模板不能停用或删除，请先设置其他默认模板')
  },
  async mayLeave(tx, _session, action, row) {
    if (action === 'del') await tx`delete from template_role where role_template_id = ${String(row.role_template_sn)}`
  },
  saved: async (tx, _session, id, { before }) => (before === null ? undefined : revise(tx, id)),
  asks: async (tx, _session, action, row, answers) =>
    action === 'apply' ? additionsOf(tx, String(row.role_template_sn), String(answers.org_sn)) : [],
  actions: {
    /** Adds the roles and rights an organisation lacks; its own settings stay. */
    async apply(tx, _session, row, _reason, answers) {
      const [org] = await tx<{ id: string; system_type: number }[]>`
        select id, system_type from organisation where id = ${String(answers.org_sn)}`
      if (org?.system_type !== parseInteger(row.system_type))
        throw new BusinessError('rule', '机构类型与模板不同，请重新选择')
      await tx`
        insert into role (org_id, name, description, flags, template_code)
        select ${org.id}, r.name, r.description, r.flags, ${String(row.code)} from template_role r
          where r.role_template_id = ${String(row.role_template_sn)}
        on conflict (org_id, name) do update
           set flags = array(select distinct flag from unnest(role.flags || excluded.flags) flag order by flag),
             template_code = excluded.template_code, version = role.version + 1`
    },
    async default(tx, _session, row) {
      await tx`
        update role_template set is_default = false, version = version + 1
         where is_default and system_type = ${parseInteger(row.system_type)}
           and vip_level = ${parseInteger(row.vip_level)} and id <> ${String(row.role_template_sn)}`
      return { is_default: true }
    },
    async copy(tx, _session, row, _reason, answers) {
      const [made] = await tx<{ id: string }[]>`
        insert into role_template (code, name, system_type, vip_level, departments, warehouses, description)
        select ${String(answers.code)}, name || '（副本）', system_type, vip_level, departments, warehouses, description
          from role_template where id = ${String(row.role_template_sn)}
        on conflict (code) do nothing returning id`
      if (!made) throw new BusinessError('duplicate', '模板编码已存在')
      await tx`
        insert into template_role (role_template_id, code, name, description, flags)
        select ${made.id}, code, name, description, flags from template_role
          where role_template_id = ${String(row.role_template_sn)}`
    },
  },
}

export const templateRoleRules: RecordRules = {
  kind: 'templateRole',
  visible: (tx, session) => (session.org.type === 'P' ? tx`true` : tx`false`),
  saved: async (tx, _session, _id, { after }) => revise(tx, after.role_template_sn),
  mayLeave: async (tx, _session, _action, row) => revise(tx, row.role_template_sn),
  async check(tx, _session, { after }) {
    const [template] = await tx<{ system_type: number; vip_level: number }[]>`
      select system_type, vip_level from role_template where id = ${String(after.role_template_sn)}`
    if (!template) return []
    const flags = (after.flags ?? []) as string[]
    const unknown = unknownFlags(template.system_type, flags)
    if (unknown.length > 0) return unknown
    const bound = await boundOf(tx, template.system_type, template.vip_level)
    const beyond = bound === null ? undefined : flags.find(flag => !bound.has(flag))
    return beyond === undefined ? [] : [{ field: 'flags', msg: '模板权限超出系统角色范围' }]
  },
}
