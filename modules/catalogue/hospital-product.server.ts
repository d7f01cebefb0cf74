import { Refusal } from '#kernel/refusal.ts'
import { isPositive, type Decimal } from '#kernel/decimal.ts'
import { catalogueColumns, hasStock, typeOf } from '#modules/catalogue/trade.server.ts'
import type { RecordRules } from '#server/engine/records/rules.ts'

export const hospitalProductRules: RecordRules = {
  kind: 'hospitalProduct',
  columns: (tx, session) => ({
    ...catalogueColumns(tx),
    class_code_2002: tx`(select p.class_code_2002 from product p where p.id = ${tx('to_specification_sn.product_id')})`,
    is_implant: tx`(select p.is_implant from product p where p.id = ${tx('to_specification_sn.product_id')})`,
    is_collective: tx`(select p.is_collective from product p where p.id = ${tx('to_specification_sn.product_id')})`,
    storage_condition: tx`(select p.storage_condition from product p where p.id = ${tx('to_specification_sn.product_id')})`,
    own_type: typeOf(tx, session, 'own'),
    account_type: typeOf(tx, session, 'account'),
    management_type: typeOf(tx, session, 'management'),
    purchase_type: typeOf(tx, session, 'purchase'),
    stock: tx`(select coalesce(sum(b.quantity), 0) from stock_balance b where b.org_id = ${session.org.id} and b.specification_id = t.specification_id)::numeric(18,3)`,
  }),
  mayWrite(_session, action) {
    if (action === 'add') throw new Refusal('rule', '请从已发布产品引入，或通过产品准入申请')
  },
  async check(tx, session, change) {
    if (!change.before) return []
    if (change.after.specification_sn !== change.before.specification_sn)
      return [{ field: 'specification_sn', msg: '规格型号不能修改' }]
    const moved = (['regime', 'is_unit_coded'] as const).find(name => change.after[name] !== change.before?.[name])
    if (moved && (await hasStock(tx, session, String(change.after.specification_sn))))
      return [{ field: moved, msg: '该产品有库存，不能变更管理方式' }]
    if (!isPositive(String(change.after.markup_rate) as Decimal)) return []
    const [hospital] = await tx<
      { nature: string | null }[]
    >`select nature from organisation where id = ${session.org.id}`
    return hospital?.nature === '公立' ? [{ field: 'markup_rate', msg: '公立医院耗材零差率销售' }] : []
  },
  async mayLeave(tx, session, action, row) {
    if (
      action === 'del' &&
      (row.admission_state === 'admitted' || (await hasStock(tx, session, String(row.specification_sn))))
    )
      throw new Refusal('blocked', '产品已准入或有库存，不能删除，可以停用')
  },
}
