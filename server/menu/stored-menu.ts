import type { Sql } from 'postgres'
import type { OrgType } from '#kernel/values/organisation-type.ts'
import { type PermissionNode, permissionNodes } from '#server/menu/permission-tree.ts'
import { derived } from '#kernel/registry.ts'
import { allPages, type MenuNode } from '#server/menu/menu.ts'
import type { Tx } from '#server/database/transaction.ts'

const LEVELS = [1, 2, 3] as const

/**
 * Merges the code's nodes into the trees of the platform; what operators renamed, moved or hid stays as it is. Only
 * what is missing is inserted: a row that meets a conflict has already passed all triggers of the table.
 */
export async function syncMenu(sql: Sql | Tx, wanted: readonly PermissionNode[] = permissionNodes()): Promise<void> {
  for (const level of LEVELS) {
    const rows = wanted.filter(node => node.level === level)
    await (sql as Tx)`
      insert into menu_node (node_key, parent_id, content, node_type, level, route, flag, icon, orgs, sort_no)
      select n.key, p.id, n.content, n.type, n.level, n.route, n.flag, n.icon, array(select
        jsonb_array_elements_text(n.orgs)), n.sort_no
        from jsonb_to_recordset(${(sql as Tx).json(rows)}::jsonb) n(key text, parent text, content
        text, type smallint, level int, route text, flag text, icon text, orgs jsonb, sort_no int)
        left join menu_node p on p.node_key = n.parent
       where (n.parent is null or p.id is not null)
         and not exists (select from menu_node known where known.node_key = n.key)
      on conflict (node_key) do nothing`
  }
}

/** The full permission tree follows the code: new nodes are added, removed ones are marked. */
export async function syncPermissionTree(sql: Sql): Promise<void> {
  const all = permissionNodes()
  for (const level of LEVELS)
    await sql`
      insert into mother_node (node_key, parent_id, content, node_type, level, route, flag, calls, for_p, for_h, for_d,
        for_v, sort_no)
      select n.key, p.id, n.content, n.type, n.level, n.route, n.flag, a.calls, n.orgs ? 'P', n.orgs ? 'H',
        n.orgs ? 'D', n.orgs ? 'V', n.sort_no
        from jsonb_to_recordset(${sql.json(all.filter(node => node.level === level))}::jsonb) n(key text,
          parent text, content text, type smallint, level int, route text, flag text, calls jsonb, orgs jsonb,
          sort_no int)
       cross join lateral (select array(select jsonb_array_elements_text(n.calls)) as calls) a
        left join mother_node p on p.node_key = n.parent
       where not exists (
             select from mother_node known
              where known.node_key = n.key
                and (known.content, known.calls, known.for_p, known.for_h, known.for_d, known.for_v, known.in_code)
                    is not distinct from
                    (n.content, a.calls, n.orgs ? 'P', n.orgs ? 'H', n.orgs ? 'D', n.orgs ? 'V', true))
      on conflict (node_key) do update set content = excluded.content, calls = excluded.calls, for_p = excluded.for_p,
        for_h = excluded.for_h, for_d = excluded.for_d, for_v = excluded.for_v,
             in_code = true, parent_id = excluded.parent_id, changed_at = excluded.changed_at,
               version = mother_node.version + 1`
  await sql`update mother_node set in_code = false, version = version + 1
    where in_code and node_key <> all(${all.map(node => node.key)}::text[])`
}

/** Writes the menu and the permissions, which must exist before any sign-in. Several processes may start at once. */
export async function seedPermissions(owner: Sql): Promise<void> {
  await syncMenu(owner)
  await syncPermissionTree(owner)
}

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

/** Pages that are in no menu any more: an installation may have them in its tree from an earlier version. */
const unlisted = derived(
  () =>
    new Set(
      [...Map.groupBy(allPages(), ({ screen }) => screen.route as string)]
        .filter(([, tabs]) => tabs.every(({ screen }) => screen.hidden))
        .map(([route]) => route),
    ),
)

/** The menu as the platform arranged it, for a user with these flags: read at each load. */
export async function menuFor(
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
  const allowed = (row: Row) => may(row.flag ?? '') && !unlisted().has(row.route ?? '')
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
