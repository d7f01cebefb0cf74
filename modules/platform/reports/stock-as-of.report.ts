import { f } from '#kernel/definition/field.ts'
import { qualityStates } from '#kernel/ledger/posting.ts'
import { defineReport } from '#kernel/definition/report.ts'
import { goods, lot, narrowing, notAhead, ofClass, unit } from '#modules/platform/reports/item-columns.ts'

export const ownerships = { own: '自有', consigned: '寄售' } as const
/** The places of goods: in a store that supplies others, in a department, or under way. */
export const storeClasses = { central: '中心库', ward: '科室库', transit: '在途' } as const

/**
 * 历史库存: the stock by location at the end of a day, summed from the moves posted by then; no snapshot that could
 * disagree with the ledger. Goods of other owners count in pieces and not in value; 货值 adds them at the price of their
 * last delivery, in yuan with tax.
 */
export const stockAsOf = defineReport({
  kind: 'stockAsOf',
  title: '历史库存查询',
  sqlFile: 'platform/reports/stock-as-of.sql',
  parameters: {
    end_date: f.day('截止日期', { required: true }),
    ...narrowing,
    lot_no: f.lot('批号'),
    owner_org_sn: f.ref('货主', 'organisation'),
    ownership: f.pick('库存类型', ownerships),
    store_class: f.pick('库别', storeClasses),
    is_high_value: f.flag('是否高值'),
    ...ofClass,
  },
  validate: notAhead,
  columns: {
    day: f.day('截止日期'),
    warehouse_name: f.text('仓库'),
    ...goods,
    registration_no: f.text('注册证号'),
    ...lot,
    ...unit,
    quantity: f.quantity('库存数量'),
    cost_price: f.unitCost('成本单价'),
    value: f.cost('库存金额'),
    goods_value: f.cost('货值', { orgs: 'H', hint: '自有按成本，寄售按批次入库价' }),
    store_class: f.pick('库别', storeClasses),
    owner_name: f.text('货主'),
    ownership: f.pick('库存类型', ownerships),
    quality_state: f.pick('质量状态', qualityStates),
    class_name: f.text('产品分类'),
  },
  groupBy: [
    'warehouse_name',
    'product_name',
    'lot_no',
    'owner_name',
    'manufacturer_name',
    'class_name',
    'ownership',
    'store_class',
    'quality_state',
  ],
  groupOnlyColumns: ['class_name'],
  totals: ['quantity', 'value', 'goods_value'],
  drillDown: {
    quantity: {
      to: 'stockFlow',
      with: { specification_sn: 'specification_sn', lot_no: 'lot_no', begin_date: 'flow_from', end_date: '=end_date' },
    },
  },
  screens: [
    {
      route: '/commonView/historicalInventory',
      title: '历史库存查询',
      orgs: 'HDV',
      menu: '库存管理',
      purpose: '任意日期的日终库存：由出入库流水累计，与账一致',
      columns: [
        'day',
        'warehouse_name',
        'product_code',
        'product_name',
        'specification_name',
        'registration_no',
        'manufacturer_name',
        'lot_no',
        'expiry_date',
        'unit_name',
        'quantity',
        'cost_price',
        'value',
        'goods_value',
        'owner_name',
        'ownership',
        'store_class',
        'quality_state',
      ],
      filters: [],
    },
  ],
})
