import type { Sql } from 'postgres'
import type { OrgType } from '#kernel/organisation.ts'
import { configItems } from '#modules/config-items.ts'
import { readyRoles } from '#modules/ready-roles.ts'
import { type CodeNode, codeNodes } from '#server/engine/code-nodes.ts'
import { grantedIn, type MenuNode } from '#server/engine/menu-tree.ts'
import type { Tx } from '#server/engine/transaction.ts'

const LEVELS = [1, 2, 3] as const

/** Lays what the code has into the trees of the platform; what operators renamed, moved or hid stays as they left it. */
export async function layMenu(sql: Sql | Tx, wanted: readonly CodeNode[] = codeNodes()): Promise<void> {
  for (const level of LEVELS) {
    const rows = wanted.filter(node => node.level === level)
    await (sql as Tx)`
      insert into menu_node (node_key, parent_id, content, node_type, level, route, flag, icon, orgs, sort_no)
      select n.key, p.id, n.content, n.type, n.level, n.route, n.flag, n.icon, array(select jsonb_array_elements_text(n.orgs)), n.sort_no
        from jsonb_to_recordset(${(sql as Tx).json(rows as never)}::jsonb) n(key text, parent text, content text, type smallint, level int, route text, flag text, icon text, orgs jsonb, sort_no int)
        left join menu_node p on p.node_key = n.parent
       where n.parent is null or p.id is not null
      on conflict (node_key) do nothing`
  }
}

/** The tree of everything there is follows the code: new nodes come, gone ones are marked. */
export async function layMother(sql: Sql): Promise<void> {
  const all = codeNodes()
  for (const level of LEVELS)
    await sql`
      insert into mother_node (node_key, parent_id, content, node_type, level, route, flag, calls, for_p, for_h, for_d, for_v, sort_no)
      select n.key, p.id, n.content, n.type, n.level, n.route, n.flag, array(select jsonb_array_elements_text(n.calls)), n.orgs ? 'P', n.orgs ? 'H', n.orgs ? 'D', n.orgs ? 'V', n.sort_no
        from jsonb_to_recordset(${sql.json(all.filter(node => node.level === level) as never)}::jsonb) n(key text, parent text, content text, type smallint, level int, route text, flag text, calls jsonb, orgs jsonb, sort_no int)
        left join mother_node p on p.node_key = n.parent
      on conflict (node_key) do update set content = excluded.content, calls = excluded.calls, for_p = excluded.for_p, for_h = excluded.for_h, for_d = excluded.for_d, for_v = excluded.for_v,
             in_code = true, parent_id = excluded.parent_id, changed_at = excluded.changed_at, version = mother_node.version + 1
       where (mother_node.content, mother_node.calls, mother_node.for_p, mother_node.for_h, mother_node.for_d, mother_node.for_v, mother_node.in_code)
             is distinct from (excluded.content, excluded.calls, excluded.for_p, excluded.for_h, excluded.for_d, excluded.for_v, true)`
  await sql`update mother_node set in_code = false, version = version + 1 where in_code and node_key <> all(${all.map(node => node.key)}::text[])`
}

const types = { P: 0, H: 1, D: 2, V: 3 } as const
const names = { P: '平台', H: '医院', D: '经销商', V: '厂商' } as const

/** The default template of each kind of organisation, where nobody made any yet. */
async function layTemplates(sql: Sql): Promise<void> {
  const [any] = await sql`select 1 from role_template limit 1`
  if (any) return
  for (const type of ['P', 'H', 'D', 'V'] as const satisfies readonly OrgType[]) {
    const [made] = await sql<{ id: string }[]>`
      insert into role_template (code, name, system_type, is_default, description) values (${`TPL-${type}`}, ${`${names[type]}标准角色`}, ${types[type]}, true, '机构通过注册后铺设的角色')
      on conflict (code) do nothing returning id`
    if (!made) continue
    for (const [at, role] of readyRoles[type].entries())
      await sql`
        insert into template_role (role_template_id, code, name, description, flags)
        values (${made.id}, ${`R${String(at + 1).padStart(2, '0')}`}, ${role.name}, ${role.description}, ${[...grantedIn(type, role.groups), ...(role.also ?? [])]})
        on conflict (role_template_id, name) do nothing`
  }
}

/** What must stand before anybody is let in. Several processes may start at once. */
export async function layPermissions(owner: Sql): Promise<void> {
  await layMenu(owner)
  await layMother(owner)
  await layTemplates(owner)
  await layConfigItems(owner)
  await owner`
    insert into system_role (code, name, system_type, is_whole, is_builtin) values
      ('SYS-P', '平台管理员', 0, true, true), ('SYS-H', '医院', 1, true, true), ('SYS-D', '经销商', 2, true, true), ('SYS-V', '厂商', 3, true, true)
    on conflict do nothing`
  await owner`insert into vip_level (code, name, system_type) values (0, '免费版', 1), (0, '免费版', 2), (0, '免费版', 3) on conflict do nothing`
}

const layConfigItems = (sql: Sql) => sql`
  insert into config_item (place, name, title, category, value_kind, least, most, preset)
  select n.place, n.name, n.title, n.category, n.kind, n.least, n.most, n.preset
    from jsonb_to_recordset(${sql.json(configItems.map((item, at) => ({ ...item, place: at + 1 })) as never)}::jsonb) n(place int, name text, title text, category text, kind text, least numeric, most numeric, preset text)
  on conflict (place) do update set name = excluded.name, title = excluded.title, category = excluded.category, value_kind = excluded.value_kind, least = excluded.least, most = excluded.most, preset = excluded.preset`

type Row = {
  readonly id: string
  readonly parent_id: string | null
  readonly content: string
  readonly node_type: number
  readonly level: number
  readonly route: string | null
  readonly flag: string | null
  readonly icon: string | null
}

/** The menu as the platform arranged it, for somebody with these flags: read anew at each load. */
export async function arrangedMenu(
  tx: Tx,
  type: OrgType,
  org: string,
  may: (flag: string) => boolean,
): Promise<readonly MenuNode[]> {
  const rows = await tx<Row[]>`
    select n.id, n.parent_id, n.content, n.node_type, n.level, n.route, n.flag, n.icon from menu_node n
     where n.is_shown and n.status = 'enabled' and (n.level = 1 or ${type} = any(n.orgs))
       and n.least_vip <= (select o.vip_level from organisation o where o.id = ${org})
     order by n.level, n.sort_no, n.id`
  const under = Map.groupBy(rows, row => row.parent_id ?? '')
  const nodeOf = (row: Row, children: readonly MenuNode[]): MenuNode => ({
    content: row.content,
    title: row.content,
    uri: row.route ?? '',
    icon: row.icon ?? '',
    type: row.node_type === 2 ? 2 : 1,
    flag: row.flag ?? '',
    level: row.level,
    children,
  })
  const allowed = (row: Row) => may(row.flag ?? '')
  return (under.get('') ?? []).flatMap(group => {
    const pages = (under.get(group.id) ?? []).filter(allowed).map(page =>
      nodeOf(
        page,
        (under.get(page.id) ?? []).filter(allowed).map(operation => nodeOf(operation, [])),
      ),
    )
    return pages.length === 0 ? [] : [nodeOf(group, pages)]
  })
}
