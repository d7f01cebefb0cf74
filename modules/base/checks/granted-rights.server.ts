import { BusinessError } from '#kernel/rules/errors.ts'
import type { Tx } from '#server/public/database.ts'
import type { Change, RecordRow } from '#server/public/records.ts'
import { may, type Session } from '#server/public/session.ts'

/**
 * An administrator may grant everything that the organisation may have; other users may grant only rights that they
 * have themselves.
 */
export const isAdministrator = (session: Session): boolean =>
  session.isAdministrator === true || session.flags === 'all'

/** Refuses roles with a right that the acting user lacks, and roles that the organisation does not have. */
export async function refuseRolesBeyond(tx: Tx, session: Session, roles: readonly string[]): Promise<void> {
  if (roles.length === 0) return
  const rows = await tx<{ id: string; flags: string[] }[]>`
    select id, flags from role where org_id = ${session.org.id} and id = any(${roles as string[]}::bigint[])`
  if (rows.length < new Set(roles).size)
    throw new BusinessError('invalid', '所选角色不存在，请重新选择', [{ field: 'roles', msg: '所选角色不存在' }])
  if (isAdministrator(session)) return
  if (rows.some(({ flags }) => flags.some(flag => !may(session, flag))))
    throw new BusinessError('forbidden', '不能分配超出本人权限的角色')
}

/** Only administrators may change an administrator's account: its password would give access to everything. */
export function refuseAccountOfAdministrator(session: Session, row: Readonly<RecordRow> | null | undefined): void {
  if (row?.is_administrator === true && !isAdministrator(session))
    throw new BusinessError('forbidden', '管理员的账号只能由管理员修改')
}

const listOf = (value: unknown): readonly string[] => ((value ?? []) as unknown[]).map(String)

/** Refuses stores and departments that the acting user may not see. */
export function refuseScopeBeyond(session: Session, { before, after }: Change): void {
  if (isAdministrator(session)) return
  const changed = (name: string) => JSON.stringify(before?.[name] ?? null) !== JSON.stringify(after[name] ?? null)
  const isBeyond = (scope: string, all: string, named: string, own: ReadonlySet<string> | 'all') =>
    own !== 'all' &&
    (changed(scope) || changed(named)) &&
    (after[scope] === all || listOf(after[named]).some(one => !own.has(one)))
  if (
    isBeyond('store_scope', 'all', 'warehouses', session.storesOfDepartments ? 'all' : session.warehouses) ||
    isBeyond('data_scope', 'organisation', 'departments', session.departments)
  )
    throw new BusinessError('forbidden', '不能分配超出本人的仓库或科室范围')
}
