import type postgres from 'postgres'
import { StartupError } from '../config.ts'

/** The role of every request: no login, owns nothing, subject to the row policies. */
export const appRoleOf = (databaseName: string): string => `${databaseName}_app`

/** Several processes may start at once: they queue on a lock of this database. */
export async function createAppRole(owner: postgres.Sql, role: string): Promise<void> {
  await owner.begin(async tx => {
    await tx`select pg_advisory_xact_lock(hashtext('medtrace app role'))`
    const [found] = await tx`select 1 from pg_roles where rolname = ${role}`
    if (!found) await tx`create role ${tx(role)} nologin nobypassrls`
    const [member] = await tx<{ may: boolean }[]>`select exists (
      select from pg_auth_members where roleid = ${role}::regrole and member = current_user::regrole
         and coalesce((to_jsonb(pg_auth_members) ->> 'set_option')::boolean, true)) as may`
    if (!member?.may) await tx`grant ${tx(role)} to current_user`
  })
}

/** The row policies do not apply to a superuser, BYPASSRLS or a table's owner: such a role is refused. */
export async function refusePrivileged(app: postgres.Sql, role: string): Promise<void> {
  const [effective] = await app<{ name: string; superuser: boolean; bypasses: boolean; owns: boolean }[]>`
    select r.rolname as name, r.rolsuper as superuser, r.rolbypassrls as bypasses,
           exists (select from pg_class c where c.relowner = r.oid and c.relnamespace not in
                   (select oid from pg_namespace where nspname like 'pg\_temp%')) as owns
      from pg_roles r where r.rolname = current_user`
  if (effective?.name !== role)
    throw new StartupError(`应用连接的角色应为 ${role}，实际是 ${effective?.name}。请检查数据库角色后重新启动。`)
  const next = '否则机构之间的数据隔离失效。请改正后重新启动。'
  if (effective.superuser) throw new StartupError(`角色 ${role} 不得是超级用户（SUPERUSER），${next}`)
  if (effective.bypasses) throw new StartupError(`角色 ${role} 不得有 BYPASSRLS，${next}`)
  if (effective.owns) throw new StartupError(`角色 ${role} 不得拥有表，${next}`)
}
