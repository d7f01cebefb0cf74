import { BusinessError } from '#kernel/rules/errors.ts'
import { documentOf } from '#kernel/registry.ts'
import type { Tx } from '#server/public/database.ts'

/** Kinds of documents that no user may both write and review in this organisation. */
async function separatedKinds(tx: Tx, org: string): Promise<readonly string[]> {
  const rows = await tx<{ document_kind: string }[]>`
    select distinct document_kind from audit_setting where org_id = ${org} and status = 'enabled' and separates
      order by document_kind`
  return rows.map(row => row.document_kind)
}

const inBoth = (flags: readonly string[], kinds: readonly string[]): string | undefined => {
  const had = new Set(flags)
  return kinds.find(kind => had.has(`${kind}.add`) && had.has(`${kind}.review`))
}

const conflict = (kind: string, who: string) =>
  new BusinessError(
    'rule',
    `${documentOf(kind)?.title ?? kind}已启用制单审核分离，${who}不能同时拥有制单和审核权限，请分给不同的人`,
  )

/** 制单审核分离: refuses roles that together let one user write and review a separated kind. */
export async function checkSegregation(tx: Tx, org: string, who: string, roles: readonly string[]): Promise<void> {
  if (roles.length === 0) return
  const kinds = await separatedKinds(tx, org)
  if (kinds.length === 0) return
  const rows = await tx<{ flag: string }[]>`
    select distinct flag from role r cross join unnest(r.flags) flag
     where r.org_id = ${org} and r.id = any(${roles as string[]}::bigint[]) and r.status = 'enabled'`
  const kind = inBoth(
    rows.map(row => row.flag),
    kinds,
  )
  if (kind !== undefined) throw conflict(kind, who)
}

/** The same check when a role's rights change: users who have it keep their other roles. */
export async function checkRoleSegregation(
  tx: Tx,
  org: string,
  role: { readonly id: string | null; readonly flags: readonly string[]; readonly users?: readonly string[] },
): Promise<void> {
  const kinds = await separatedKinds(tx, org)
  if (kinds.length === 0) return
  const alone = inBoth(role.flags, kinds)
  if (alone !== undefined) throw conflict(alone, '一个角色')
  const holders = await tx<{ name: string; flags: string[] }[]>`
    select u.name,
      coalesce((select array_agg(distinct flag) from user_role g
      join role r on r.id = g.role_id and r.status = 'enabled' cross join unnest(r.flags) flag
                              where g.user_id = u.id and g.role_id is distinct from ${role.id}::bigint), '{}') as flags
      from app_user u where u.org_id = ${org} and ${
        role.users === undefined
          ? tx`exists (select 1 from user_role g where g.user_id = u.id and g.role_id = ${role.id})`
          : tx`u.id = any(${role.users as string[]}::bigint[])`
      } order by u.id`
  for (const { name, flags } of holders) {
    const kind = inBoth([...flags, ...role.flags], kinds)
    if (kind !== undefined) throw conflict(kind, name)
  }
}

/** Users who can currently both write and review a kind, by name; administrators may do everything and are excluded. */
export async function usersViolatingSegregation(tx: Tx, org: string, kind: string): Promise<readonly string[]> {
  const rows = await tx<{ name: string }[]>`
    select u.name from app_user u join user_role g on g.user_id = u.id
      join role r on r.id = g.role_id and r.status = 'enabled'
     where u.org_id = ${org} and u.status = 'enabled' and not u.is_administrator
     group by u.id, u.name having bool_or(${`${kind}.add`} = any(r.flags))
       and bool_or(${`${kind}.review`} = any(r.flags)) order by u.id limit 5`
  return rows.map(row => row.name)
}
