import { addDays, today } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { Change, ListActionHandler, RecordRules } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

const deepest = (tree: unknown): number => (tree === 'own' ? 4 : 5)

type Node = { id: string; code: string; tree: string }
/** The node and all its ancestors, nearest first. */
const chainOf = (tx: Tx, session: Session, id: string) => tx<Node[]>`
  with recursive up as (
    select id, parent_id, code, tree, 1 as far from custom_type where org_id = ${session.org.id} and id = ${id}
    union all select c.id, c.parent_id, c.code, c.tree, up.far + 1 from up
      join custom_type c on c.org_id = ${session.org.id} and c.id = up.parent_id where up.far < 10)
  select id, code, tree from up order by far`

/** The number of levels below a node, itself not counted. */
async function depthUnder(tx: Tx, session: Session, id: string | null): Promise<number> {
  if (id === null) return 0
  const [row] = await tx<{ deep: number }[]>`
    with recursive down as (
      select id, 0 as far from custom_type where org_id = ${session.org.id} and id = ${id}
      union all select c.id, down.far + 1 from down join custom_type c on c.org_id = ${session.org.id}
        and c.parent_id = down.id where down.far < 10)
    select max(far)::int as deep from down`
  return row?.deep ?? 0
}

async function nextCode(tx: Tx, session: Session, change: Change, above: Node | undefined): Promise<string> {
  const [row] = await tx<{ last: number }[]>`
    select coalesce(max(right(code, 2)::int) filter (where code ~ '^[0-9]+$'
      and length(code) = ${(above?.code.length ?? 0) + 2}), 0)::int as last
      from custom_type where org_id = ${session.org.id} and tree = ${String(change.after.tree)}
        and parent_id is not distinct from ${above?.id ?? null}::bigint`
  return `${above?.code ?? ''}${String((row?.last ?? 0) + 1).padStart(2, '0')}`
}

async function checkNode(tx: Tx, session: Session, change: Change): Promise<readonly { field: string; msg: string }[]> {
  const { after, before } = change
  if (before && before.tree !== after.tree) return [{ field: 'tree', msg: '分类体系不能修改' }]
  const above = after.parent_sn ? await chainOf(tx, session, String(after.parent_sn)) : []
  if (change.id !== null && above.some(node => node.id === change.id))
    return [{ field: 'parent_sn', msg: after.tree === 'own' ? '不能移动到自身的下级分类' : '不能移动到自己的下级分类' }]
  if (above[0] && above[0].tree !== after.tree) return [{ field: 'parent_sn', msg: '上级分类不在同一分类体系' }]
  const most = deepest(after.tree)
  if (above.length + 1 + (await depthUnder(tx, session, change.id)) > most)
    return [{ field: 'parent_sn', msg: `分类最多${most}级` }]
  if (above[0]) {
    const [hung] =
      await tx`select 1 from typed_product where org_id = ${session.org.id} and custom_type_id = ${above[0].id}
        and valid_to is null limit 1`
    if (hung) return [{ field: 'parent_sn', msg: '上级分类下已挂产品，请先移走产品' }]
  }
  if (!after.code) after.code = await nextCode(tx, session, change, above[0])
  const [sibling] = await tx<{ name: string }[]>`
    select name from custom_type where org_id = ${session.org.id} and tree = ${String(after.tree)} and id is distinct
      from ${change.id}::bigint
       and (code = ${String(after.code)}
         or (parent_id is not distinct from ${(after.parent_sn as string | null) ?? null}::bigint
         and name = ${String(after.name)})) limit 1`
  if (!sibling) return []
  return sibling.name === after.name
    ? [{ field: 'name', msg: '同级分类名称已存在' }]
    : [{ field: 'code', msg: '分类编码已存在' }]
}

export const customTypeRules: RecordRules = {
  kind: 'customType',
  columns: (tx, session) => ({
    level: tx`(with recursive up as (select t.parent_id as above, 1 as far union all select c.parent_id, up.far + 1
      from up join custom_type c on c.org_id = ${session.org.id} and c.id = up.above where up.far < 10)
      select max(far)::int from up)`,
    product_count: tx`(select count(*)::int from typed_product k
      where k.org_id = ${session.org.id} and k.custom_type_id = t.id and k.valid_to is null)`,
  }),
  mayWrite(session, action, row) {
    if (action === 'add' && row && row.tree !== 'own' && row.tree !== undefined && session.org.type !== 'H')
      throw new BusinessError('forbidden', '财务、管理、采购分类由医院维护')
  },
  async check(tx, session, change) {
    if (!change.before) change.after.created_by = session.userName
    return checkNode(tx, session, change)
  },
  alsoWrites: async () => ({ changed_at: new Date().toISOString() }),
  async mayLeave(tx, session, action, row) {
    if (action !== 'del') return
    const id = String(row.custom_type_sn)
    const [busy] = await tx`
      select 1 from custom_type where org_id = ${session.org.id} and parent_id = ${id}
      union all select 1 from typed_product where org_id = ${session.org.id} and custom_type_id = ${id}
        and valid_to is null limit 1`
    if (busy)
      throw new BusinessError(
        'blocked',
        row.tree === 'own' ? '分类下存在子分类或产品，不能删除' : '该分类下存在下级分类或产品，不能删除',
      )
    await tx`delete from typed_product where org_id = ${session.org.id} and custom_type_id = ${id}`
  },
}

/** The leaf for a new assignment, from today; until yesterday the old one applies. */
async function leafOf(tx: Tx, session: Session, id: string): Promise<Node> {
  const [node] = await tx<(Node & { status: string; inner: boolean })[]>`
    select c.id, c.code, c.tree, c.status,
      exists (select 1 from custom_type d where d.org_id = c.org_id and d.parent_id = c.id) as inner
      from custom_type c where c.org_id = ${session.org.id} and c.id = ${id}`
  if (!node) throw new BusinessError('notFound', '分类不存在或已被删除')
  if (node.inner) throw new BusinessError('rule', '请选择末级分类')
  if (node.status !== 'enabled') throw new BusinessError('rule', '分类已停用，请重新选择')
  return node
}

/** Removes specifications from their leaf in a tree: for documents up to yesterday they are still assigned to it. */
const takeOff = async (tx: Tx, session: Session, tree: string, specifications: readonly string[]) => {
  await tx`
    delete from typed_product where org_id = ${session.org.id} and tree = ${tree}
      and specification_id = any(${specifications as string[]}::bigint[]) and valid_to is null
      and valid_from = ${today()}`
  await tx`
    update typed_product set valid_to = ${addDays(today(), -1)}, version = version + 1
     where org_id = ${session.org.id} and tree = ${tree}
       and specification_id = any(${specifications as string[]}::bigint[]) and valid_to is null`
}

const move: ListActionHandler = async ({ tx, session, asked, ids }) => {
  const leaf = await leafOf(tx, session, String(asked.target_sn))
  const rows = await tx<{ specification_id: string }[]>`
    select specification_id from typed_product where org_id = ${session.org.id} and id::text = any(${ids as string[]})
      and tree = ${leaf.tree} and valid_to is null`
  if (rows.length !== ids.length) throw new BusinessError('rule', '所选产品已不在该分类体系中，请刷新后重试')
  const specifications = rows.map(row => row.specification_id)
  await takeOff(tx, session, leaf.tree, specifications)
  await tx`
    insert into typed_product (org_id, tree, custom_type_id, specification_id, valid_from, by_name)
    select ${session.org.id}, ${leaf.tree}, ${leaf.id}, s, ${today()}, ${session.userName}
      from unnest(${specifications}::bigint[]) s returning id`
  return { said: `已移动${rows.length}个规格` }
}

export const typedProductRules: RecordRules = {
  kind: 'typedProduct',
  columns: (tx, session) => ({
    product_code: tx`(select p.code from product p where p.id = ${tx('to_specification_sn.product_id')})`,
    product_name: tx`(select p.name from product p where p.id = ${tx('to_specification_sn.product_id')})`,
    manufacturer_name: tx`(select o.name from product p join organisation o on o.id = p.manufacturer_id
      where p.id = ${tx('to_specification_sn.product_id')})`,
    former: tx`(select c.name from typed_product k join custom_type c on c.org_id = k.org_id and c.id = k.custom_type_id
                 where k.org_id = ${session.org.id} and k.tree = t.tree and k.specification_id = t.specification_id
                   and k.id < t.id order by k.id desc limit 1)`,
    is_now: tx`(t.valid_to is null)`,
  }),
  calls: { move },
  mayWrite(_session, action, row) {
    if (row?.valid_to && action !== 'add') throw new BusinessError('wrongState', '这是以前的分类，不能修改')
  },
  async check(tx, session, change) {
    const leaf = await leafOf(tx, session, String(change.after.custom_type_sn))
    const { before, after } = change
    if (before && before.specification_sn !== after.specification_sn)
      return [{ field: 'specification_sn', msg: '规格型号不能修改' }]
    if (before && before.tree !== leaf.tree) return [{ field: 'custom_type_sn', msg: '不能移到另一个分类体系' }]
    if (before) return [{ field: 'custom_type_sn', msg: '请勾选后使用“移动到分类”' }]
    await takeOff(tx, session, leaf.tree, [String(after.specification_sn)])
    Object.assign(after, { tree: leaf.tree, valid_from: today(), by_name: session.userName })
    return []
  },
}
