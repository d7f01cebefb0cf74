import { f } from '#kernel/definition/field.ts'
import { defineReport } from '#kernel/definition/report.ts'
import { goods, invoiceStates, lot, orderlyPeriod, period, unit } from '#modules/reports/item-columns.ts'
import { ofGoods } from '#modules/reports/trade/goods-filters.ts'

const kinds = {
  saleOdo: '销售出库',
  boneSale: '手术跟台销售',
  settlementGrn: '寄售结算',
  saleReturn: '销售退货',
} as const
const collectionStates = { none: '未回款', part: '部分回款', whole: '已回款' } as const

/**
 * 医院销售明细: each line that a hospital bought of us, on the day of its review. Consigned goods count with their
 * settlement, each piece once; what was reversed has both its rows. In base units and yuan; cost and profit without
 * tax, for who has the right to see them.
 */
export const hospitalSales = defineReport({
  kind: 'hospitalSales',
  title: '医院销售明细',
  sqlFile: 'reports/trade/hospital-sales.sql',
  parameters: {
    ...period,
    counterparty_sn: f.ref('医院', 'organisation', { optionsFilter: { relation: 'customer' } }),
    division: f.text('省市'),
    document_kind: f.pick('业务类型', kinds),
    ...ofGoods,
    lot_no: f.lot('批号'),
    unit_code: f.text('序列号/UDI'),
    handler_inner_sn: f.ref('业务员', 'employee'),
    document_sn: f.text('单据号'),
    invoice_state: f.pick('发票状态', invoiceStates),
    collection_state: f.pick('回款状态', collectionStates),
  },
  validate: orderlyPeriod,
  columns: {
    sold_on: f.day('业务日期'),
    document_kind: f.pick('业务类型', kinds),
    document_sn: f.text('单据号', { width: 130 }),
    counterparty_name: f.text('医院', { width: 200 }),
    division_name: f.text('省市', { width: 160 }),
    ...goods,
    ...unit,
    class_name: f.text('产品分类'),
    certificate_no: f.text('注册证号', { width: 170 }),
    ...lot,
    codes: f.text('序列号/UDI', { width: 170 }),
    quantity: f.quantity('数量'),
    price: f.price('单价(含税)'),
    amount: f.amount('金额(含税)'),
    untaxed_amount: f.amount('不含税金额'),
    tax_rate: f.taxRate('税率'),
    tax_amount: f.amount('税额'),
    cost_price: f.price('成本单价', { profit: true }),
    cost: f.amount('成本金额', { profit: true }),
    profit: f.amount('毛利', { profit: true }),
    handler_name: f.text('业务员'),
    invoice_no: f.text('发票号', { width: 170 }),
    invoice_state: f.pick('发票状态', invoiceStates),
    billed: f.amount('已开票金额'),
    received: f.amount('已回款金额'),
    collection_state: f.pick('回款状态', collectionStates, { tones: { whole: 'success', part: 'warning' } }),
  },
  totals: ['quantity', 'amount', 'untaxed_amount', 'tax_amount', 'cost', 'profit', 'billed', 'received'],
  groupBy: ['counterparty_name', 'document_kind', 'handler_name'],
  drillDown: { document_sn: { document: 'document_kind' } },
  screens: [
    {
      route: '/commonView/hospitalSalesDetails',
      title: '医院销售明细',
      orgs: 'DV',
      tab: '销售明细',
      leads: true,
      menu: '报表中心',
      purpose: '向医院的销售、跟台销售与寄售结算减去退货的逐行明细，与医院同名报表逐月相符',
      columns: [
        'sold_on',
        'document_kind',
        'document_sn',
        'counterparty_name',
        'product_code',
        'product_name',
        'specification_name',
        'unit_name',
        'manufacturer_name',
        'certificate_no',
        'lot_no',
        'expiry_date',
        'codes',
        'quantity',
        'price',
        'amount',
        'cost_price',
        'profit',
        'handler_name',
        'invoice_no',
        'collection_state',
      ],
      keyColumns: [
        'sold_on',
        'document_sn',
        'counterparty_name',
        'product_name',
        'specification_name',
        'quantity',
        'amount',
      ],
      filters: [],
    },
  ],
})
