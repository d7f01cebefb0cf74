import { BusinessError } from '#kernel/rules/errors.ts'
import { everUsed, type RecordRules } from '#server/public/records.ts'
import { refuseBeyondVip } from '#modules/base/settings/plan-limits.server.ts'

const STOP_SALE = 2
const OTHERS = 3

/** The vouchers of past months are derived from these. */
const FIXED_BY_MOVES = [
  { field: 'model', label: '仓库类型' },
  { field: 'accounting', label: '核算方式；请新建仓库，把库存移过去' },
] as const

export const warehouseRules: RecordRules = {
  kind: 'warehouse',
  visible(tx, session, parameters) {
    // A user who is bound to departments chooses among all stores, since he requests goods of them or lends them some.
    const bound =
      session.warehouses === 'all' || session.storesOfDepartments
        ? tx`true`
        : tx`t.id = any(${[...session.warehouses]}::bigint[])`
    if (parameters.one || parameters.scope === 'all') return tx`t.model not in ('transit', 'consumed') and ${bound}`
    if (parameters.type === '2') return tx`t.model = 'stopSale' and t.status = 'enabled' and ${bound}`
    return tx`t.model not in ('transit', 'consumed', 'stopSale', 'advance') and t.status = 'enabled' and ${bound}`
  },
  columns: (tx, session) => ({
    sort_no: tx`case t.model when 'central' then 0 else 1 end`,
    area_count: tx`(select count(*)::int from store_area s
      where s.org_id = ${session.org.id} and s.warehouse_id = t.id)`,
    place_count: tx`(select count(*)::int from shelf_place k
      where k.org_id = ${session.org.id} and k.warehouse_id = t.id)`,
    is_consigned: tx`(t.model = 'consigned' or exists (
      select 1 from stock_balance b where b.org_id = ${session.org.id} and b.warehouse_id = t.id
        and b.owner_id <> b.org_id and b.quantity > 0))`,
  }),
  async check(tx, session, change) {
    if (change.before === null) await refuseBeyondVip(tx, session, 'warehouse')
    change.after.type = change.after.model === 'stopSale' ? STOP_SALE : OTHERS
    if (change.after.model !== 'ward' && change.after.model !== 'cabinet') change.after.department_inner_sn = null
    if (change.id !== null && change.after.parent_sn === change.id)
      return [{ field: 'parent_sn', msg: '上级仓库不能是自己' }]
    const changed = FIXED_BY_MOVES.find(
      ({ field }) => change.before !== null && change.before[field] !== change.after[field],
    )
    if (changed && (await everUsed(tx, session, { stock_move: 'warehouse_id' }, String(change.id))))
      return [{ field: changed.field, msg: `仓库已有库存业务，不能修改${changed.label}` }]
    if (!change.after.department_inner_sn) return []
    const [department] = await tx`
      select 1 from department where org_id = ${session.org.id} and id = ${String(change.after.department_inner_sn)}
        and status = 'enabled'`
    return department ? [] : [{ field: 'department_inner_sn', msg: '所属科室已停用，请重新选择' }]
  },
  async mayLeave(tx, session, action, row) {
    const id = String(row.warehouse_model_inner_sn)
    const operation = action === 'del' ? '删除' : '停用'
    const [busy] = await tx`
      select 1 from stock_balance where org_id = ${session.org.id} and warehouse_id = ${id} and quantity > 0
       union all
      select 1 from document where org_id = ${session.org.id} and (warehouse_id = ${id} or to_warehouse_id = ${id})
        and state in ('draft', 'submitted', 'rejected', 'reviewed', 'partial') limit 1`
    if (busy) throw new BusinessError('blocked', `仓库【${String(row.name)}】存在库存或未完成单据，不能${operation}`)
    const mentions = {
      stock_move: 'warehouse_id',
      document: ['warehouse_id', 'to_warehouse_id'],
      warehouse: 'parent_id',
      cabinet: 'warehouse_id',
      hospital_product: 'default_warehouse_id',
      dealer_product: 'default_warehouse_id',
    }
    if (action === 'del' && (await everUsed(tx, session, mentions, id)))
      throw new BusinessError('blocked', `仓库【${String(row.name)}】已有业务记录，不能删除，只能停用`)
  },
}
