import { BusinessError } from '#kernel/rules/errors.ts'
import { extraFlags, permissionsOf, rolePermissionDiff } from '#server/public/menu.ts'
import type { RecordRow, RecordRules } from '#server/public/records.ts'
import { isAdministrator } from '#modules/base/checks/granted-rights.server.ts'
import { checkRoleSegregation } from '#modules/base/checks/segregation-of-duties.server.ts'
import { may, type Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** A user who assigns a role must have its rights. */
async function refuseMore(tx: Tx, session: Session, role: Readonly<RecordRow>): Promise<void> {
  if (isAdministrator(session)) return
  if (((role.flags ?? []) as string[]).some(flag => !may(session, flag)))
    throw new BusinessError('forbidden', '不能分配超出本人权限的角色')
}

export const roleRules: RecordRules = {
  kind: 'role',
  kept: ['users'],
  columns: tx => ({
    users: tx`(select coalesce(array_agg(g.user_id::text order by g.user_id), '{}') from user_role g
      where g.role_id = t.id)`,
    page_count: tx`(select count(*)::int from unnest(t.flags) flag where flag like 'page:%')`,
    operation_count: tx`(select count(*)::int from unnest(t.flags) flag where flag not like 'page:%')`,
    user_count: tx`(select count(*)::int from user_role g where g.role_id = t.id)`,
  }),
  // The name of the person who made the role is written once.
  alsoWrites: async (_tx, session, { before }) => (before === null ? { created_by: session.userName } : {}),
  async check(tx, session, change) {
    const flags = (change.sent.flags ?? []) as string[]
    const known = permissionsOf(session.org.type)
    const unknown = flags.find(flag => !known.has(flag) && !Object.hasOwn(extraFlags, flag))
    if (unknown !== undefined) return [{ field: 'flags', msg: `没有“${unknown.slice(0, 60)}”这项权限` }]
    const had = new Set((change.before?.flags ?? []) as string[])
    if (flags.some(flag => !had.has(flag) && !may(session, flag)))
      throw new BusinessError('forbidden', '只能授予自己拥有的权限')
    if (change.sent.users !== undefined) await refuseMore(tx, session, change.after)
    if (change.sent.flags !== undefined || change.sent.users !== undefined)
      await checkRoleSegregation(tx, session.org.id, {
        id: change.id,
        flags: (change.after.flags ?? []) as string[],
        ...(change.sent.users === undefined ? {} : { users: (change.sent.users ?? []) as string[] }),
      })
    return []
  },
  /** Before saving, shows what it adds and withdraws. */
  asks: async (_tx, _session, action, row, sent) =>
    action === 'edit' && 'flags' in sent
      ? rolePermissionDiff(String(row.name), (row.flags ?? []) as string[], (sent.flags ?? []) as string[])
      : [],
  /** Users ↔ roles from the other side: exactly these users have the role. */
  async saved(tx, session, id, { sent }) {
    if (sent.users === undefined) return
    const users = [...new Set((sent.users ?? []) as string[])]
    await tx`delete from user_role where role_id = ${id} and user_id <> all(${users}::bigint[])`
    await tx`
      insert into user_role (org_id, user_id, role_id) select u.org_id, u.id, ${id} from app_user u
        where u.org_id = ${session.org.id} and u.id = any(${users}::bigint[]) on conflict do nothing`
  },
  mayWrite(_session, action, row) {
    if (row?.is_system === true && action !== 'add') throw new BusinessError('rule', '系统预置角色不能修改')
  },
  async mayLeave(tx, _session, action, row) {
    if (action !== 'del') return
    const [used] = await tx`select 1 from user_role where role_id = ${String(row.role_sn)} limit 1`
    if (used) throw new BusinessError('blocked', '角色已分配用户，不能删除')
  },
}
