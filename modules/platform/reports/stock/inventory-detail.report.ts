import { f } from '#kernel/definition/field.ts'
import { defineReport } from '#kernel/definition/report.ts'
import { qualityStates } from '#kernel/ledger/posting.ts'
import { goods, lot, narrowing, notAhead, unit } from '#modules/platform/reports/item-columns.ts'
import { ownerships } from '#modules/platform/reports/stock-as-of.report.ts'
import { ofGoods } from '#modules/platform/reports/trade/goods-filters.ts'
import { valueClasses } from '#modules/platform/reports/use/use-filters.ts'
import { warehouseModels } from '#modules/base/vocabulary/warehouse-models.ts'

export const expiryBands = {
  expired: '已过期',
  month: '30天内',
  quarter: '31-90天',
  half: '91-180天',
  later: '180天以上',
} as const
const page = {
  route: '/commonView/inventoryDetailReport',
  title: '库存明细报表',
  orgs: 'HDV',
  menu: '报表中心',
} as const
const endDate = f.day('截止日期', { required: true })

/**
 * 库存明细: the stock at the end of a day down to place, lot, owner and quality state, as the ledger has it. Goods of
 * stores of stopped goods count as stock and are not available; goods on the way have a column of their own. The
 * quantity set aside is known for now only. In base units and yuan: own goods at the ledger's worth, others' at their
 * delivery price.
 */
export const inventoryDetail = defineReport({
  kind: 'inventoryDetail',
  title: '库存明细报表',
  beside: {
    warehouse_sn: f.text('仓库'),
    specification_sn: f.text('规格'),
    class_sn: f.text('产品分类'),
  },
  sqlFile: 'platform/reports/stock/inventory-detail.sql',
  leanSums: true,
  parameters: {
    end_date: endDate,
    warehouse_model_inner_sn: narrowing.warehouse_model_inner_sn,
    store_model: f.pick('仓库类型', warehouseModels),
    location: f.text('货位'),
    ...ofGoods,
    value_class: f.pick('高值/低值/试剂', valueClasses),
    supplier_sn: f.ref('供应商', 'organisation', { optionsFilter: { relation: 'supplier' } }),
    lot_no: f.lot('批号'),
    ownership: f.pick('货权方式', ownerships),
    quality_state: f.pick('质量状态', qualityStates),
    expiry_band: f.pick('效期段', expiryBands),
  },
  validate: notAhead,
  columns: {
    warehouse_name: f.text('仓库'),
    location: f.text('货位'),
    ...goods,
    ...unit,
    certificate_no: f.text('注册证号', { width: 170 }),
    class_name: f.text('产品分类'),
    lot_no: lot.lot_no,
    production_date: f.day('生产日期'),
    expiry_date: lot.expiry_date,
    days_left: f.count('剩余天数'),
    expiry_band: f.pick('效期段', expiryBands, { tones: { expired: 'danger', month: 'warning' } }),
    owner_name: f.text('货主', { width: 180 }),
    supplier_name: f.text('供应商', { width: 180 }),
    ownership: f.pick('货权方式', ownerships),
    quality_state: f.pick('质量状态', qualityStates),
    quantity: f.quantity('库存数量', { hint: '各仓库的在库数量，按基本单位，不含在途' }),
    available: f.quantity('可用数量'),
    in_transit: f.quantity('在途数量'),
    price: f.unitCost('单价(含税)'),
    amount: f.cost('金额(含税)', { hint: '自有货物按成本，寄售货物按最近到货价；含在途' }),
  },
  totals: ['quantity', 'available', 'in_transit', 'amount'],
  groupBy: ['product_name', 'specification_name', 'lot_no', 'owner_name', 'warehouse_name', 'expiry_band'],
  screens: [
    {
      ...page,
      tab: '库存明细',
      leads: true,
      purpose: '任一日期的库存细到仓库、货位、批号、货主与质量状态，用于账架核对',
      columns: [
        'warehouse_name',
        'location',
        'product_code',
        'product_name',
        'specification_name',
        'unit_name',
        'manufacturer_name',
        'certificate_no',
        'lot_no',
        'production_date',
        'expiry_date',
        'days_left',
        'owner_name',
        'quality_state',
        'quantity',
        'available',
        'in_transit',
        'price',
        'amount',
      ],
      keyColumns: [
        'warehouse_name',
        'product_name',
        'specification_name',
        'lot_no',
        'expiry_date',
        'quantity',
        'available',
        'amount',
      ],
      filters: [],
    },
  ],
})

/**
 * 在外寄售: our goods at customers at the end of a day, with their keeper and lot, at our cost. Nothing of the keeper's
 * departments, places or prices.
 */
export const consignedOutside = defineReport({
  kind: 'consignedOutside',
  title: '在外寄售',
  beside: {
    keeper_sn: f.text('保管方'),
  },
  sqlFile: 'platform/reports/stock/consigned-outside.sql',
  wholeOnly: 'goods with customers lie in no store of ours',
  parameters: {
    end_date: endDate,
    keeper_sn: f.ref('保管单位', 'organisation', { optionsFilter: { relation: 'customer' } }),
    specification_sn: narrowing.specification_sn,
    product: narrowing.product,
    manufacturer: narrowing.manufacturer,
    lot_no: f.lot('批号'),
  },
  validate: notAhead,
  columns: {
    keeper_name: f.text('保管单位', { width: 200 }),
    ...goods,
    ...unit,
    ...lot,
    days_left: f.count('剩余天数'),
    quantity: f.quantity('数量'),
    cost_price: f.unitCost('成本单价'),
    value: f.cost('成本金额'),
  },
  totals: ['quantity', 'value'],
  groupBy: ['keeper_name', 'product_name', 'specification_name'],
  screens: [
    {
      ...page,
      orgs: 'DV',
      tab: '在外寄售',
      purpose: '本单位存放在医院或经销商处的寄售与跟台货物',
      columns: [
        'keeper_name',
        'product_code',
        'product_name',
        'specification_name',
        'unit_name',
        'manufacturer_name',
        'lot_no',
        'expiry_date',
        'days_left',
        'quantity',
        'cost_price',
        'value',
      ],
      filters: [],
    },
  ],
})
