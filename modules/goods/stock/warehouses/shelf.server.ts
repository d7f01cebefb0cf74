import { BusinessError } from '#kernel/rules/errors.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { followArea, storeAreaRules } from '#modules/goods/stock/warehouses/store-area.server.ts'
import { mayStore } from '#modules/base/vocabulary/storage-conditions.ts'
import type { Fragment, RecordAction, ListActionHandler, RecordRow, RecordRules } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

const two = (n: unknown): string => String(n).padStart(2, '0')

/** The warehouses of the session. */
const kept = (tx: Tx, session: Session): Fragment =>
  session.warehouses === 'all' ? tx`true` : tx`t.warehouse_id = any(${[...session.warehouses]}::bigint[])`

const stockAt = (tx: Tx, session: Session, codes: Fragment): Fragment =>
  tx`(select coalesce(sum(b.quantity), 0) from stock_balance b
    where b.org_id = ${session.org.id} and b.warehouse_id = t.warehouse_id and b.location in (${codes}))::numeric(18,3)`

/** 生成货位: layers × columns, coded area-shelf-layer-column; existing ones are kept. */
const generate: RecordAction = async (tx, session, row) => {
  const prefix = `${String(row.area)}-${two(row.code)}`
  const places = Array.from({ length: parseInteger(row.layers) * parseInteger(row.columns_count) }, (_, at) => {
    const [layer, column] = [
      Math.floor(at / parseInteger(row.columns_count)) + 1,
      (at % parseInteger(row.columns_count)) + 1,
    ]
    return { layer, column, code: `${prefix}-${two(layer)}-${two(column)}` }
  })
  const [taken] = await tx<{ code: string }[]>`
    select code from shelf_place
      where org_id = ${session.org.id} and warehouse_id = ${String(row.warehouse_model_inner_sn)}
      and shelf_id <> ${String(row.shelf_sn)} and code = any(${places.map(place => place.code)}) limit 1`
  if (taken) throw new BusinessError('duplicate', `货位编码已存在：${taken.code}`)
  const made = await tx`
    insert into shelf_place (org_id, shelf_id, warehouse_id, layer, column_no, code)
    select ${session.org.id}, ${String(row.shelf_sn)}, ${String(row.warehouse_model_inner_sn)}, p.layer, p."column",
      p.code from jsonb_to_recordset(${tx.json(places)}) p(layer int, "column" int, code text)
    on conflict (org_id, warehouse_id, code) do nothing returning id`
  if (made.length === 0) throw new BusinessError('rule', '该货架的货位已全部生成')
}

async function refuseStocked(
  tx: Tx,
  session: Session,
  warehouse: unknown,
  codes: Fragment,
  action: string,
): Promise<void> {
  const [held] = await tx<{ code: string }[]>`
    select location as code from stock_balance where org_id = ${session.org.id} and warehouse_id = ${String(warehouse)}
      and quantity > 0 and location in (${codes}) limit 1`
  if (held) throw new BusinessError('blocked', `该货位存在库存，不能${action}：${held.code}`)
}

const shelfRules: RecordRules = {
  kind: 'shelf',
  visible: kept,
  columns: (tx, session) => ({
    place_count: tx`(select count(*)::int from shelf_place k where k.org_id = ${session.org.id} and k.shelf_id = t.id)`,
    used_count: tx`(select count(*)::int from shelf_place k where k.org_id = ${session.org.id} and k.shelf_id = t.id
      and exists (
      select 1 from stock_balance b where b.org_id = k.org_id and b.warehouse_id = k.warehouse_id
        and b.location = k.code and b.quantity > 0))`,
    stock: stockAt(
      tx,
      session,
      tx`select k.code from shelf_place k where k.org_id = ${session.org.id} and k.shelf_id = t.id`,
    ),
  }),
  async check(tx, session, change) {
    const { id, before, after } = change
    const other = await followArea(tx, session, change)
    if (other.length > 0 || id === null || before === null) return other
    const moved = ['warehouse_model_inner_sn', 'area', 'code'].find(name => before[name] !== after[name])
    if (!moved) return []
    const [made] = await tx`select 1 from shelf_place where org_id = ${session.org.id} and shelf_id = ${id} limit 1`
    return made ? [{ field: moved, msg: '货架已生成货位，不能修改' }] : []
  },
  async mayLeave(tx, session, action, row) {
    const places = tx`select k.code from shelf_place k
      where k.org_id = ${session.org.id} and k.shelf_id = ${String(row.shelf_sn)}`
    await refuseStocked(tx, session, row.warehouse_model_inner_sn, places, action === 'del' ? '删除' : '停用')
    if (action === 'del')
      await tx`delete from shelf_place where org_id = ${session.org.id} and shelf_id = ${String(row.shelf_sn)}`
  },
  actions: { generate },
}

/** Cold-chain goods need a location cold enough; the error names the location. */
async function checkFit(tx: Tx, session: Session, specification: string, places: readonly string[]): Promise<void> {
  const rows = await tx<{ code: string; condition: string; is_cold_chain: boolean; storage: string | null }[]>`
    select k.code, s.storage_condition as condition, p.is_cold_chain, p.storage_condition as storage
      from shelf_place k join shelf s on s.org_id = k.org_id and s.id = k.shelf_id
        join specification f on f.id = ${specification} join product p on p.id = f.product_id
     where k.org_id = ${session.org.id} and k.id = any(${places as string[]}::bigint[])`
  const wrong = rows.find(row => !mayStore(row.condition, row.is_cold_chain, row.storage))
  if (wrong) throw new BusinessError('rule', `货位储存条件与产品不符：${wrong.code}`)
}

const bind: ListActionHandler = async ({ tx, session, asked, ids }) => {
  await checkFit(tx, session, String(asked.specification_sn), ids)
  const rows = await tx`
    update shelf_place set specification_id = ${String(asked.specification_sn)}, version = version + 1
     where org_id = ${session.org.id} and id::text = any(${ids as string[]}) and status = 'enabled' returning id`
  if (rows.length < ids.length) throw new BusinessError('rule', '有货位已停用或已被删除，请刷新后重新勾选')
  return { said: `已绑定${rows.length}个货位` }
}

/** 点亮标签: lights an electronic label where something is to be fetched; the time is stored for the label gateway. */
const lamp: ListActionHandler = async ({ tx, session, ids }) => {
  const rows = await tx`
    update shelf_place set lit_at = now(), version = version + 1
      where org_id = ${session.org.id} and id::text = any(${ids as string[]}) and tag_no is not null returning id`
  if (rows.length === 0) throw new BusinessError('rule', '所选货位没有电子标签，请先填写电子标签编号')
  return { said: `已点亮${rows.length}个电子标签` }
}

const ofShelf = (tx: Tx, session: Session, column: string) =>
  tx`(select ${tx(`s.${column}`)} from shelf s where s.org_id = ${session.org.id} and s.id = t.shelf_id)`

const shelfPlaceRules: RecordRules = {
  kind: 'shelfPlace',
  visible: kept,
  columns: (tx, session) => ({
    area: ofShelf(tx, session, 'area'),
    area_kind: ofShelf(tx, session, 'area_kind'),
    storage_condition: ofShelf(tx, session, 'storage_condition'),
    product_name: tx`(select p.name from specification s join product p on p.id = s.product_id
      where s.id = t.specification_id)`,
    lot_count: tx`(select count(distinct b.lot_id)::int from stock_balance b
      where b.org_id = ${session.org.id} and b.warehouse_id = t.warehouse_id and b.location = t.code
      and b.quantity > 0)`,
    stock: stockAt(tx, session, tx`select t.code`),
    is_used: tx`exists (select 1 from stock_balance b
      where b.org_id = ${session.org.id} and b.warehouse_id = t.warehouse_id and b.location = t.code
      and b.quantity > 0)`,
  }),
  mayWrite(_session, action) {
    if (action === 'add') throw new BusinessError('rule', '货位请在货架上点“生成货位”')
  },
  async check(tx, session, { id, after, sent }) {
    if (id !== null && sent.specification_sn) await checkFit(tx, session, String(after.specification_sn), [id])
    return []
  },
  async mayLeave(tx, session, action, row: Readonly<RecordRow>) {
    await refuseStocked(
      tx,
      session,
      row.warehouse_model_inner_sn,
      tx`select ${String(row.code)}::text`,
      action === 'del' ? '删除' : '停用',
    )
  },
  actions: { unbind: async () => ({ specification_sn: null }) },
  calls: { bind, lamp },
}

/** Areas, their shelves, and the locations on them. */
export const shelfRecords: readonly RecordRules[] = [storeAreaRules, shelfRules, shelfPlaceRules]
