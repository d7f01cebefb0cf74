import { Refusal } from '#kernel/refusal.ts'
import { extraFlags, flagsOf } from '#server/engine/menu-tree.ts'
import type { RecordRules } from '#server/engine/records/rules.ts'
import { may } from '#server/engine/session.ts'

export const roleRules: RecordRules = {
  kind: 'role',
  columns: tx => ({
    page_count: tx`(select count(*)::int from unnest(t.flags) flag where flag like 'page:%')`,
    operation_count: tx`(select count(*)::int from unnest(t.flags) flag where flag not like 'page:%')`,
    user_count: tx`(select count(*)::int from user_role g where g.role_id = t.id)`,
  }),
  async check(_tx, session, change) {
    const flags = (change.sent.flags ?? []) as string[]
    const known = flagsOf(session.org.type)
    const unknown = flags.find(flag => !known.has(flag) && !Object.hasOwn(extraFlags, flag))
    if (unknown !== undefined) return [{ field: 'flags', msg: `没有“${unknown.slice(0, 60)}”这项权限` }]
    const had = new Set((change.before?.flags ?? []) as string[])
    if (flags.some(flag => !had.has(flag) && !may(session, flag)))
      throw new Refusal('forbidden', '只能授予自己拥有的权限')
    return []
  },
  mayWrite(_session, action, row) {
    if (row?.is_system === true && action !== 'add') throw new Refusal('rule', '系统预置角色不能修改')
  },
  async mayLeave(tx, _session, action, row) {
    if (action !== 'del') return
    const [used] = await tx`select 1 from user_role where role_id = ${String(row.role_sn)} limit 1`
    if (used) throw new Refusal('blocked', '角色已分配用户，不能删除')
  },
}
