import { BusinessError } from '#kernel/rules/errors.ts'
import { isPositive, type Decimal } from '#kernel/values/decimal.ts'
import { today } from '#kernel/values/date.ts'
import { offeredTo } from '#modules/trade/catalogue/assortment/own-catalogue.server.ts'
import { pick } from '#modules/trade/catalogue/products/product-import.server.ts'
import {
  catalogueColumns,
  hasStock,
  stockColumns,
  typeOf,
} from '#modules/trade/catalogue/assortment/catalogue-columns.server.ts'
import type { ListActionHandler, RecordRules } from '#server/public/records.ts'
import type { Tx } from '#server/public/database.ts'

/** 从平台目录引入: a released product with all its sizes, not admitted until an admission is reviewed. */
const bringIn: ListActionHandler = async ({ tx, session, asked }) => {
  const [product] = await tx<{ name: string; withdrawn_on: string | null }[]>`
    select p.name, p.withdrawn_on from product p where p.id = ${String(asked.product_sn)} and p.status = 'released'
      and ${offeredTo(tx, session)}`
  if (!product) throw new BusinessError('rule', '该产品不是已发布的产品，或未向本院开放')
  await pick(tx, session, { product_sn: asked.product_sn, ...product }, null, {})
  return { said: `已引入【${product.name}】，准入申请审核后才能采购` }
}

type Ticked = {
  id: string
  specification_id: string
  name: string
  regime: string
  is_unit_coded: boolean
  held: boolean
}
const tickedOf = (tx: Tx, org: string, keys: readonly string[]) => tx<Ticked[]>`
  select h.id, h.specification_id, p.name || ' ' || s.name as name, h.regime, h.is_unit_coded,
         exists (select 1 from stock_balance b join warehouse w on w.org_id = b.org_id and w.id = b.warehouse_id
                  where b.org_id = h.org_id and b.specification_id = h.specification_id and b.quantity > 0
                    and w.model <> 'consumed') as held
    from hospital_product h join specification s on s.id = h.specification_id join product p on p.id = s.product_id
   where h.org_id = ${org} and h.id = any(${keys as string[]}::bigint[]) for update of h`

/** 批量设置管理方式: all selected rows or none; stock on hand keeps the way in which it came in. */
const setManage: ListActionHandler = async ({ tx, session, asked, ids }) => {
  if (!asked.regime && !asked.managed_by) throw new BusinessError('invalid', '请选择货权方式或管理方式')
  const rows = await tickedOf(tx, session.org.id, ids)
  const coded = asked.managed_by === 'unit' ? true : asked.managed_by === 'lot' ? false : null
  const changed = rows.filter(
    row => (asked.regime && row.regime !== asked.regime) || (coded !== null && row.is_unit_coded !== coded),
  )
  const held = changed.find(row => row.held)
  if (held) throw new BusinessError('blocked', `该产品有库存，不能变更管理方式：${held.name}`)
  await tx`
    update hospital_product set regime = coalesce(${(asked.regime as string | null) ?? null}, regime),
      is_unit_coded = coalesce(${coded}, is_unit_coded), version = version + 1
     where org_id = ${session.org.id} and id = any(${changed.map(row => row.id)}::bigint[])`
  return { said: `${changed.length}个规格已设置，${rows.length - changed.length}个无需修改` }
}

/** 维护供应商: which supplier comes first for the selected rows, and on which terms. */
const setSupplier: ListActionHandler = async ({ tx, session, asked, ids }) => {
  const org = session.org.id
  const supplier = String(asked.supplier_sn)
  const [partner] = await tx`
    select 1 from org_relation r join organisation o on o.id = r.partner_id
     where r.org_id = ${org} and r.partner_id = ${supplier} and r.status = 'enabled' and o.system_type in (2, 3)
       limit 1`
  if (!partner) throw new BusinessError('rule', '请选择启用中的供应商')
  const rows = await tickedOf(tx, org, ids)
  const sizes = rows.map(row => row.specification_id)
  const priced = await tx<{ specification_id: string }[]>`
    update price_agreement set min_order = coalesce(${(asked.min_order as string | null) ?? null}, min_order),
      lead_days = coalesce(${(asked.lead_days as number | null) ?? null}, lead_days), version = version + 1
     where org_id = ${org} and buyer_id = ${org} and seller_id = ${supplier} and status = 'enabled'
       and (valid_to is null or valid_to >= ${today()}) and specification_id = any(${sizes}::bigint[])
    returning specification_id`
  const known = new Set(priced.map(row => row.specification_id))
  const bare = rows.find(row => !known.has(row.specification_id))
  if (bare) throw new BusinessError('rule', `【${bare.name}】与该供应商没有协议价，请先在询价登记或准入申请中议定价格`)
  if (asked.is_preferred !== false)
    await tx`
      update hospital_product set supplier_id = ${supplier}, version = version + 1
       where org_id = ${org} and supplier_id is distinct
         from ${supplier} and id = any(${rows.map(row => row.id)}::bigint[])`
  return { said: `${rows.length}个规格的供应商已更新` }
}

export const hospitalProductRules: RecordRules = {
  kind: 'hospitalProduct',
  columns: (tx, session) => ({
    ...catalogueColumns(tx),
    class_code_2002: tx`(select p.class_code_2002 from product p where p.id = ${tx('to_specification_sn.product_id')})`,
    is_implant: tx`(select p.is_implant from product p where p.id = ${tx('to_specification_sn.product_id')})`,
    is_collective: tx`(select p.is_collective from product p where p.id = ${tx('to_specification_sn.product_id')})`,
    storage_condition: tx`(select p.storage_condition from product p
      where p.id = ${tx('to_specification_sn.product_id')})`,
    pictures: tx`coalesce((select case when s.pictures <> '{}' then s.pictures else p.pictures end from specification s
      join product p on p.id = s.product_id where s.id = t.specification_id), '{}')`,
    his_state: tx`(case when exists (select 1 from his_match m where m.org_id = ${session.org.id} and m.id = t.id
      and m.match_state in ('matched', 'different')) then 'matched' else 'none' end)`,
    is_new: tx`(t.status = 'enabled' and t.admitted_on is not null
      and t.admitted_on >= date_trunc('month', ${today()}::date))`,
    stands_for_product: tx`(not exists (select 1 from hospital_product h join specification s
        on s.id = h.specification_id
      where h.org_id = t.org_id and s.product_id = ${tx('to_specification_sn.product_id')} and h.id < t.id))`,
    own_type: typeOf(tx, session, 'own'),
    account_type: typeOf(tx, session, 'account'),
    management_type: typeOf(tx, session, 'management'),
    purchase_type: typeOf(tx, session, 'purchase'),
    ...stockColumns(tx, session),
  }),
  mayWrite(_session, action) {
    if (action === 'add') throw new BusinessError('rule', '请从已发布产品引入，或通过产品准入申请')
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
  calls: { bringIn, setManage, setSupplier },
  async mayLeave(tx, session, action, row) {
    if (
      action === 'del' &&
      (row.admission_state === 'admitted' || (await hasStock(tx, session, String(row.specification_sn))))
    )
      throw new BusinessError('blocked', '产品已准入或有库存，不能删除，可以停用')
  },
}

export const productSupplierRules: RecordRules = {
  kind: 'productSupplier',
  readFlag: 'page:/hospital/hProductDetails',
  columns: tx => ({
    product_name: tx`(select p.name from product p where p.id = ${tx('to_specification_sn.product_id')})`,
  }),
}
