import type { Question } from '#kernel/rules/errors.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { flagNames } from '#server/public/menu.ts'
import type { RecordRow } from '#server/public/records.ts'
import type { Tx } from '#server/public/database.ts'

const list = (value: unknown): string[] => ((value ?? []) as unknown[]).map(String)

/** The roles and rights that applying a template would add to an organisation. Nothing is ever withdrawn. */
export async function additionsOf(tx: Tx, template: string, org: string): Promise<Question[]> {
  const roles = await tx<{ name: string; flags: string[]; has: string[] | null }[]>`
    select t.name, t.flags, r.flags as has from template_role t left
      join role r on r.org_id = ${org} and r.name = t.name
     where t.role_template_id = ${template} order by t.id`
  return roles.flatMap(({ name, flags, has }) => {
    if (has === null) return [{ rule: 'template', msg: `新增角色【${name}】：${flagNames(flags) || '暂无权限'}` }]
    const held = new Set(has)
    const missing = flags.filter(flag => !held.has(flag))
    return missing.length === 0 ? [] : [{ rule: 'template', msg: `角色【${name}】增加权限：${flagNames(missing)}` }]
  })
}

/** The rights that narrowing a limit removes, with the number of organisations, roles and users that lose them. */
export async function withdrawalsOf(
  tx: Tx,
  row: Readonly<RecordRow>,
  after: { readonly isWhole: boolean; readonly flags: readonly string[] },
): Promise<Question[]> {
  if (after.isWhole) return []
  const [found] = await tx<{ orgs: number; roles: number; users: number; lost: string[] }[]>`
    with orgs as (
      select o.id from organisation o where o.system_type = ${parseInteger(row.system_type)}
         and (${(row.only_org_sn as string | null) ?? null}::bigint = o.id
           or (${(row.only_org_sn as string | null) ?? null}::bigint is null
             and ${parseInteger(row.vip_level)} in (0, o.vip_level)
               and not exists (select 1 from system_role s where s.only_org_id = o.id and s.status = 'enabled')))),
    hit as (
      select r.id, r.org_id, array(select flag from unnest(r.flags) flag
              where (${row.is_whole === true} or flag = any(${list(row.flags)}))
                and flag <> all(${[...after.flags, 'patient', 'price', 'figures']})) as lost
        from role r join orgs on orgs.id = r.org_id where r.status = 'enabled')
    select count(distinct h.org_id)::int as orgs, count(*)::int as roles,
           (select count(distinct g.user_id)::int from user_role g
             where g.role_id in (select id from hit where cardinality(lost) > 0)) as users,
           (select coalesce(array_agg(distinct flag), '{}') from hit x cross join unnest(x.lost) flag) as lost
      from hit h where cardinality(h.lost) > 0`
  if (!found || found.roles === 0) return []
  const msg = `${found.orgs}个机构的${found.roles}个角色、${found.users}个用户将立即失去权限：${flagNames(found.lost)}`
  return [{ rule: 'withdraw', msg }]
}
