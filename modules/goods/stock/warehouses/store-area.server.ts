import { type Problem, BusinessError } from '#kernel/rules/errors.ts'
import { areaKinds, storageConditions } from '#modules/base/vocabulary/storage-conditions.ts'
import type { Change, Fragment, RecordRules } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

const shelvesOf = (tx: Tx, session: Session): Fragment =>
  tx`shelf s where s.org_id = ${session.org.id} and s.warehouse_id = t.warehouse_id and s.area = t.code`

/** True if an area holds any stock. */
async function isStocked(tx: Tx, session: Session, warehouse: unknown, area: unknown): Promise<boolean> {
  const [held] = await tx`
    select 1 from stock_balance b join shelf_place k on k.org_id = b.org_id and k.warehouse_id = b.warehouse_id
      and k.code = b.location join shelf s on s.org_id = k.org_id and s.id = k.shelf_id
     where b.org_id = ${session.org.id} and b.warehouse_id = ${String(warehouse)} and b.quantity > 0
       and s.area = ${String(area)} limit 1`
  return held !== undefined
}

/** Contents restrict changes of an area: shelves fix its code, goods its kind and storage condition. */
async function checkArea(tx: Tx, session: Session, { id, before, after }: Change): Promise<readonly Problem[]> {
  if (id === null || before === null) return []
  const moved = ['warehouse_model_inner_sn', 'code'].find(name => before[name] !== after[name])
  const turned = ['area_kind', 'storage_condition'].find(name => before[name] !== after[name])
  if (moved) {
    const [shelf] = await tx`
      select 1 from shelf
        where org_id = ${session.org.id} and warehouse_id = ${String(before.warehouse_model_inner_sn)}
        and area = ${String(before.code)} limit 1`
    if (shelf) return [{ field: moved, msg: '库区已有货架，不能修改仓库和编码' }]
  }
  if (turned && (await isStocked(tx, session, before.warehouse_model_inner_sn, before.code)))
    return [{ field: turned, msg: `库区【${String(before.name)}】存在库存，不能修改库区类型和贮存条件` }]
  return []
}

export const storeAreaRules: RecordRules = {
  kind: 'storeArea',
  visible: (tx, session) =>
    session.warehouses === 'all' ? tx`true` : tx`t.warehouse_id = any(${[...session.warehouses]}::bigint[])`,
  columns: (tx, session) => ({
    shelf_count: tx`(select count(*)::int from ${shelvesOf(tx, session)})`,
    place_count: tx`(select count(*)::int from shelf_place k
      where k.org_id = ${session.org.id} and k.shelf_id in (select s.id from ${shelvesOf(tx, session)}))`,
    stock: tx`(select coalesce(sum(b.quantity), 0) from stock_balance b
      where b.org_id = ${session.org.id} and b.warehouse_id = t.warehouse_id and b.location in (
      select k.code from shelf_place k
        where k.org_id = ${session.org.id}
        and k.shelf_id in (select s.id from ${shelvesOf(tx, session)})))::numeric(18,3)`,
  }),
  check: checkArea,
  async saved(tx, session, _id, { after }) {
    await tx`
      update shelf set area_kind = ${String(after.area_kind)}, storage_condition = ${String(after.storage_condition)},
        version = version + 1
       where org_id = ${session.org.id} and warehouse_id = ${String(after.warehouse_model_inner_sn)}
         and area = ${String(after.code)}
         and (area_kind, storage_condition) is distinct
           from (${String(after.area_kind)}, ${String(after.storage_condition)})`
  },
  async mayLeave(tx, session, action, row) {
    const operation = action === 'del' ? '删除' : '停用'
    if (await isStocked(tx, session, row.warehouse_model_inner_sn, row.code))
      throw new BusinessError('blocked', `库区【${String(row.name)}】存在库存，不能${operation}`)
    const [shelf] = await tx`
      select 1 from shelf where org_id = ${session.org.id} and warehouse_id = ${String(row.warehouse_model_inner_sn)}
        and area = ${String(row.code)} limit 1`
    if (shelf && action === 'del')
      throw new BusinessError('blocked', `库区【${String(row.name)}】下有货架，不能删除，请先删除货架`)
  },
}

type Kept = { area_kind: keyof typeof areaKinds; storage_condition: keyof typeof storageConditions }

/** A shelf belongs to an area and inherits its data; a shelf with an unknown area creates the area. */
export async function followArea(tx: Tx, session: Session, { before, after }: Change): Promise<readonly Problem[]> {
  const [area] = await tx<Kept[]>`
    select area_kind, storage_condition from store_area
      where org_id = ${session.org.id} and warehouse_id = ${String(after.warehouse_model_inner_sn)}
      and code = ${String(after.area)}`
  if (!area) {
    await tx`
      insert into store_area (org_id, warehouse_id, code, name, area_kind, storage_condition)
      values (${session.org.id}, ${String(after.warehouse_model_inner_sn)}, ${String(after.area)},
        ${`${String(after.area)}区`}, ${String(after.area_kind)}, ${String(after.storage_condition)})
      on conflict (org_id, warehouse_id, code) do nothing`
    return []
  }
  const other = (['area_kind', 'storage_condition'] as const).find(
    name => before !== null && before[name] !== after[name] && after[name] !== area[name],
  )
  if (other)
    return [
      {
        field: other,
        msg:
          `库区${String(after.area)}为${areaKinds[area.area_kind]}、${storageConditions[area.storage_condition]}，` +
          '货架随库区；要改请在库区中修改',
      },
    ]
  Object.assign(after, area)
  return []
}
