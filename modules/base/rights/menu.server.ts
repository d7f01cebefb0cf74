import { BusinessError } from '#kernel/rules/errors.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { permissionNodes, syncMenu } from '#server/public/menu.ts'
import type { RecordAction, RecordRules } from '#server/public/records.ts'
import type { Tx } from '#server/public/database.ts'

const routes = () => new Set(permissionNodes().flatMap(node => (node.route === null ? [] : [node.route])))

/** Swaps places with the sibling above or below. */
const move =
  (up: boolean): RecordAction =>
  async (tx, _session, row) => {
    const siblings = await tx<{ id: string }[]>`
      select id from menu_node where parent_id is not distinct from ${(row.parent_sn as string | null) ?? null}::bigint
        order by sort_no, id`
    const ids = siblings.map(sibling => sibling.id)
    const at = ids.indexOf(String(row.menu_node_sn))
    const other = at + (up ? -1 : 1)
    if (at < 0 || other < 0 || other >= ids.length)
      throw new BusinessError('rule', up ? '已经是第一个' : '已经是最后一个')
    ;[ids[at], ids[other]] = [ids[other]!, ids[at]!]
    await tx`
      update menu_node n set sort_no = o.place * 10 from unnest(${ids}::bigint[]) with ordinality o(id, place)
        where n.id = o.id and n.id <> ${String(row.menu_node_sn)}`
    return { sort_no: (other + 1) * 10 }
  }

/** Two pages of one client may not have the same name under one parent: operations are grouped by it. */
async function refuseSameName(tx: Tx, id: string | null, content: string, type: unknown): Promise<void> {
  if (String(type ?? '1') !== '1') return
  const [duplicate] = await tx`
    select 1 from menu_node where node_type = 1 and level = 1 and content = ${content} and id is distinct
      from ${id}::bigint limit 1`
  if (duplicate) throw new BusinessError('duplicate', '菜单名称已存在', [{ field: 'content', msg: '菜单名称已存在' }])
}

export const menuNodeRules: RecordRules = {
  kind: 'menuNode',
  visible: (tx, session) => (session.org.type === 'P' ? tx`true` : tx`false`),
  columns: tx => ({
    node_type: tx`t.node_type::text`,
    role_count: tx`(select count(*)::int from role r where t.flag <> '' and t.flag = any(r.flags))`,
  }),
  async check(tx, _session, { id, before, after, sent }) {
    const { route } = after
    if (sent.route !== undefined && route && !routes().has(String(route)))
      return [{ field: 'route', msg: `路由不存在：${String(route)}` }]
    if (before !== null && sent.route !== undefined && route !== before.route)
      return [{ field: 'route', msg: '页面的路由由程序登记，不能修改' }]
    if (before === null) {
      const [duplicate] = route ? await tx`select 1 from menu_node where node_key = ${`page:${String(route)}`}` : []
      if (duplicate) return [{ field: 'route', msg: `路由已在菜单中：${String(route)}` }]
      if (route && !after.parent_sn) return [{ field: 'parent_sn', msg: '请选择页面所在的上级菜单' }]
    }
    const parent = after.parent_sn
      ? await tx<{ level: number }[]>`select level from menu_node where id = ${String(after.parent_sn)}`
      : []
    const level = before === null ? (route ? 2 : 1) : parseInteger(before.level)
    if (level > 1 && parent[0]?.level !== level - 1)
      return [{ field: 'parent_sn', msg: level === 2 ? '页面只能放在一级菜单下' : '操作只能放在页面下' }]
    if (level === 1) await refuseSameName(tx, id, String(after.content), after.node_type)
    return []
  },
  async alsoWrites(_tx, _session, { before, after }) {
    if (before !== null) return {}
    const route = after.route as string | null
    return {
      node_key: route ? `page:${route}` : `group:${String(after.content)}`,
      level: route ? 2 : 1,
      node_type: 1,
      flag: route ? `page:${route}` : null,
    }
  },
  async asks(tx, _session, action, row) {
    const flag = String(row.flag ?? '')
    if (action !== 'del' || flag === '') return []
    const [hit] = await tx<{ n: number }[]>`select count(*)::int as n from role where ${flag} = any(flags)`
    return hit && hit.n > 0
      ? [{ rule: 'withdraw', msg: `删除后${hit.n}个角色将失去权限【${String(row.content)}】` }]
      : []
  },
  async mayLeave(tx, _session, action, row) {
    if (action !== 'del') return
    const [child] = await tx`select 1 from menu_node where parent_id = ${String(row.menu_node_sn)} limit 1`
    if (child) throw new BusinessError('blocked', '菜单下还有下级，不能删除，可以停用')
    const flag = String(row.flag ?? '')
    if (flag === '') return
    await tx`update role set flags = array_remove(flags, ${flag}), version = version + 1 where ${flag} = any(flags)`
  },
  actions: {
    up: move(true),
    down: move(false),
    sync: async tx => void (await syncMenu(tx)),
  },
}

export const motherTreeRules: RecordRules = {
  kind: 'motherTree',
  visible: (tx, session) => (session.org.type === 'P' ? tx`true` : tx`false`),
  columns: tx => ({
    node_type: tx`t.node_type::text`,
    is_used: tx`case when exists (select 1 from menu_node m where m.node_key = t.node_key) then 'used'
      else 'unused' end`,
    difference: tx`case when not t.in_code then '程序中已没有'
      when not exists (select 1 from menu_node m where m.node_key = t.node_key) then '菜单树中缺少' end`,
  }),
  mayWrite(_session, action) {
    if (action === 'add') throw new BusinessError('rule', '权限节点由程序登记，不能手工新增')
  },
  async mayLeave(tx, _session, _action, row) {
    const [used] = await tx`
      select 1 from menu_node m join mother_node t on t.node_key = m.node_key where t.id = ${String(row.mother_node_sn)}
       union all select 1 from mother_node t where t.parent_id = ${String(row.mother_node_sn)} limit 1`
    if (used) throw new BusinessError('blocked', '节点已被引用，不能删除')
    if (row.in_code === true) throw new BusinessError('rule', '程序中仍有这个节点，不能删除')
  },
  actions: {
    /** Adds this node, its ancestors and its descendants where the menu lacks them; nothing else changes. */
    async publish(tx, _session, row) {
      const [own] = await tx<
        { node_key: string }[]
      >`select node_key from mother_node where id = ${String(row.mother_node_sn)}`
      const all = permissionNodes()
      const node = all.find(one => one.key === own?.node_key)
      if (!node) throw new BusinessError('rule', '程序中已没有这个节点，不能下发')
      const parents = all.filter(
        one => one.key === node.parent || one.key === all.find(up => up.key === node.parent)?.parent,
      )
      const below = all.filter(
        one => one.parent === node.key || all.find(up => up.key === one.parent)?.parent === node.key,
      )
      await syncMenu(tx, [...parents, node, ...below])
    },
  },
}
