import { f } from '#kernel/definition/field.ts'
import { shows } from '#kernel/measure/measure.ts'
import { measures } from '#modules/base/measures/measures.ts'
import { defineReport } from '#kernel/definition/report.ts'
import { lot, narrowing, ofClass, orderlyPeriod, period } from '#modules/platform/reports/item-columns.ts'

const behind = {
  to: 'stockFlow',
  with: {
    specification_sn: 'specification_sn',
    lot_no: 'lot_no',
    warehouse_model_inner_sn: '=warehouse_model_inner_sn',
    begin_date: '=begin_date',
    end_date: '=end_date',
  },
} as const

/** Documents that move goods, by their titles. */
const kinds = {
  openingStock: '期初库存',
  purchaseGrn: '采购入库',
  purchaseReturn: '采购退货',
  saleOdo: '销售出库',
  saleReturn: '销售退货',
  advanceSale: '预销售',
  advanceReturn: '预销售退回',
  grantOdo: '发放出库',
  wardReceipt: '科室收货',
  grantReturn: '科室退库',
  departmentUse: '科室使用',
  surgeryUse: '手术使用',
  transfer: '调拨',
  transferReceipt: '调拨收货',
  transferReturn: '调拨退回',
  transferArrival: '机构调入',
  otherGrn: '其他入库',
  otherOdo: '其他出库',
  giveOdo: '赠送出库',
  overflow: '报溢',
  loss: '报损',
  scrap: '报废',
  stopSale: '停售',
  stockCorrection: '进销存变更',
} as const

const pieces = [
  'purchase_in',
  'return_in',
  'transfer_in',
  'other_in',
  'total_in',
  'issue_out',
  'purchase_back',
  'transfer_out',
  'other_out',
  'total_out',
] as const
const quantities = ['opening_quantity', ...pieces, 'closing_quantity'] as const
const worths = pieces.map(name => `${name}_value` as const)
const amounts = ['opening_value', ...worths, 'adjustment', 'closing_value'] as const
/** The columns hidden in each view; without a view it shows pieces, and their value before and after. */
const unasked: Readonly<Record<string, readonly string[]>> = {
  quantity: amounts.filter(name => name !== 'opening_value' && name !== 'closing_value'),
  value: quantities,
  both: [],
}

/**
 * 进销存明细: the stock card. Per lot the opening, receipts and issues by document kind, and the closing; by the time of
 * posting, so that it agrees with the ledger on every row: closing = opening + in - out.
 */
export const psiDetail = defineReport({
  kind: 'psiDetail',
  title: '进销存明细',
  sqlFile: 'platform/reports/psi-detail.sql',
  parameters: {
    ...period,
    ...narrowing,
    lot_no: f.lot('批号'),
    owner_org_sn: f.ref('货主', 'organisation'),
    document_kind: f.pick('单据类型', kinds),
    counterparty_sn: f.ref('供应商/客户', 'organisation'),
    department_inner_sn: f.ref('科室', 'department'),
    ...ofClass,
    measure: f.pick('统计口径', { quantity: '数量', value: '金额', both: '数量与金额' }),
  },
  validate: orderlyPeriod,
  columns: {
    // Narrow, so that the first figures are visible without scrolling.
    product_code: f.text('产品编码', { width: 90 }),
    product_name: f.text('产品名称', { width: 150 }),
    specification_name: f.text('规格型号', { width: 110 }),
    manufacturer_name: f.text('生产厂家', { width: 110 }),
    lot_no: f.lot('批号', { width: 108 }),
    expiry_date: lot.expiry_date,
    unit_name: f.text('单位', { width: 60 }),
    warehouse_name: f.text('仓库'),
    owner_name: f.text('货主'),
    month: f.text('月份'),
    opening_quantity: f.quantity('期初数量'),
    opening_value: f.cost('期初金额'),
    purchase_in: f.quantity('采购入库'),
    return_in: f.quantity('销售退货/退库'),
    transfer_in: f.quantity('调拨入'),
    other_in: f.quantity('其他入'),
    total_in: f.quantity('入库合计'),
    issue_out: f.quantity('销售/发放出库'),
    purchase_back: f.quantity('采购退货'),
    transfer_out: f.quantity('调拨出'),
    other_out: f.quantity('其他出'),
    total_out: f.quantity('出库合计'),
    purchase_in_value: f.cost('自有入库金额', { hint: '买断货物采购入库的成本；采购退货另列，不含寄售结算' }),
    return_in_value: f.cost('退货/退库金额'),
    transfer_in_value: f.cost('调拨入金额'),
    other_in_value: f.cost('其他入金额'),
    total_in_value: f.cost('入库合计金额'),
    issue_out_value: f.cost('销售/发放金额'),
    purchase_back_value: f.cost('采购退货金额'),
    transfer_out_value: f.cost('调拨出金额'),
    other_out_value: f.cost('其他出金额'),
    total_out_value: f.cost('出库合计金额'),
    adjustment: f.cost('调整金额'),
    closing_quantity: f.quantity('期末数量'),
    closing_value: f.cost('期末金额', shows(measures.stock)),
  },
  groupBy: [
    'product_name',
    'specification_name',
    'lot_no',
    'warehouse_name',
    'owner_name',
    'month',
    'manufacturer_name',
  ],
  groupOnlyColumns: ['warehouse_name', 'owner_name', 'month'],
  displayParameters: ['measure'],
  hiddenColumns: ({ measure }) => unasked[String(measure || 'quantity')] ?? [],
  totals: [
    'opening_quantity',
    'opening_value',
    'total_in',
    'total_out',
    'total_in_value',
    'total_out_value',
    'adjustment',
    'closing_quantity',
    'closing_value',
  ],
  drillDown: { total_in: behind, total_out: behind, closing_quantity: behind },
  screens: [
    {
      route: '/commonView/inventoryAndSalesDetails',
      title: '进销存明细',
      orgs: 'HDV',
      menu: '库存管理',
      tab: '进销存',
      purpose: '各批号期间内的期初、各类入库与出库、期末；仓库内全部货主的数量，金额只计自有，不含在途',
      columns: [
        'product_code',
        'product_name',
        'specification_name',
        'manufacturer_name',
        'lot_no',
        'expiry_date',
        'unit_name',
        'opening_quantity',
        'opening_value',
        ...pieces,
        ...worths,
        'adjustment',
        'closing_quantity',
        'closing_value',
      ],
      filters: [],
    },
  ],
})
