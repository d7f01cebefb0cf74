import { f } from '#kernel/definition/field.ts'
import { defineReport } from '#kernel/definition/report.ts'
import { above } from '#modules/platform/reports/figure-alerts.ts'
import { goods, lot, narrowing, notAhead, unit } from '#modules/platform/reports/item-columns.ts'
import { ownerships } from '#modules/platform/reports/stock-as-of.report.ts'
import { expiryBands } from '#modules/platform/reports/stock/inventory-detail.report.ts'
import { ofGoods } from '#modules/platform/reports/trade/goods-filters.ts'

/**
 * 中心库库存: stock of the central stores and the consigned ones they run, by lot. Available is sound stock less what is
 * set aside; days of supply are those of the last thirty days' grants less returns; idle days count from the last
 * issue, or from the arrival of what never left. Limits are today's. In base units, days and yuan.
 */
export const centralInventory = defineReport({
  kind: 'centralInventory',
  title: '中心库库存报表',
  beside: {
    warehouse_sn: f.text('仓库'),
    specification_sn: f.text('规格'),
  },
  sqlFile: 'platform/reports/stock/central-inventory.sql',
  leanSums: true,
  parameters: {
    end_date: f.day('截止日期', { required: true }),
    warehouse_model_inner_sn: narrowing.warehouse_model_inner_sn,
    ...ofGoods,
    supplier_sn: f.ref('供应商', 'organisation', { optionsFilter: { relation: 'supplier' } }),
    ownership: f.pick('货权方式', ownerships),
    expiry_band: f.pick('效期段', expiryBands),
    idle: f.pick('呆滞天数', { slow: '超过90天', dead: '超过180天' }),
  },
  validate: notAhead,
  columns: {
    warehouse_name: f.text('仓库'),
    product_code: goods.product_code,
    product_name: goods.product_name,
    specification_name: goods.specification_name,
    ...unit,
    supplier_name: f.text('供应商', { width: 180 }),
    ownership: f.pick('货权方式', ownerships),
    class_name: f.text('产品分类'),
    ...lot,
    expiry_band: f.pick('效期段', expiryBands, { tones: { expired: 'danger', month: 'warning' } }),
    quantity: f.quantity('库存数量'),
    available: f.quantity('可用数量'),
    reserved: f.quantity('预留数量'),
    in_transit: f.quantity('在途数量', { hint: '在途与已到未入库；同一规格只列在首个批号的行，过往日期不计' }),
    max_quantity: f.quantity('上限'),
    min_quantity: f.quantity('下限'),
    days_of_supply: f.count('可用天数'),
    price: f.unitCost('单价(含税)'),
    amount: f.cost('金额(含税)'),
    own_amount: f.cost('其中自有'),
    consigned_amount: f.cost('其中寄售'),
    last_out: f.day('最近出库日期'),
    idle_days: f.count('呆滞天数'),
  },
  alerts: { idle_days: above('idle_days', '90', '180') },
  calls: { toPlan: { label: '生成采购计划', asks: {}, rows: true, tone: 'primary' } },
  totals: ['quantity', 'available', 'reserved', 'in_transit', 'amount', 'own_amount', 'consigned_amount'],
  groupBy: ['warehouse_name', 'class_name', 'product_name', 'supplier_name', 'ownership', 'expiry_band'],
  screens: [
    {
      route: '/hospital/centralInventoryReport',
      title: '中心库库存报表',
      orgs: 'H',
      menu: '报表中心',
      purpose: '中心库任一日期的库存按批号列出可用、预留、上下限、可用天数、效期段与呆滞天数',
      columns: [
        'warehouse_name',
        'product_code',
        'product_name',
        'specification_name',
        'unit_name',
        'supplier_name',
        'ownership',
        'lot_no',
        'expiry_date',
        'expiry_band',
        'quantity',
        'available',
        'reserved',
        'in_transit',
        'max_quantity',
        'min_quantity',
        'days_of_supply',
        'price',
        'amount',
        'last_out',
        'idle_days',
      ],
      keyColumns: [
        'product_name',
        'specification_name',
        'lot_no',
        'expiry_date',
        'quantity',
        'available',
        'amount',
        'idle_days',
      ],
      filters: [],
    },
  ],
})
