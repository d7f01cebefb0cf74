import { f } from '#kernel/definition/field.ts'
import { regimes } from '#kernel/definition/document.ts'
import { shows } from '#kernel/measure/measure.ts'
import { measures } from '#modules/base/measures/measures.ts'
import { defineReport } from '#kernel/definition/report.ts'
import {
  goods,
  invoiceStates,
  lot,
  narrowing,
  orderlyPeriod,
  period,
  unit,
} from '#modules/platform/reports/item-columns.ts'
import { ofGoods } from '#modules/platform/reports/trade/goods-filters.ts'
import { valueClasses } from '#modules/platform/reports/use/use-filters.ts'

const kinds = { purchaseGrn: '采购入库', settlementGrn: '结算入库', purchaseReturn: '采购退货' } as const

/**
 * 医院销售明细 of a hospital: each line by which suppliers sold it goods, on the day of its review; returns negative, what
 * was reversed with both its rows. By supplier and month it equals what they read, and what is owed them. In base units
 * and yuan.
 */
export const supplierSales = defineReport({
  kind: 'supplierSales',
  title: '医院销售明细',
  beside: {
    document_id: f.text('单据'),
    counterparty_sn: f.text('往来单位'),
    warehouse_sn: f.text('仓库'),
    specification_sn: f.text('规格'),
    class_sn: f.text('产品分类'),
    is_high_value: f.flag('是否高值'),
    purchased_quantity: f.quantity('采购数量'),
    purchased_amount: f.amount('采购金额'),
    settled_quantity: f.quantity('结算数量'),
    settled_amount: f.amount('结算金额'),
    returned_quantity: f.quantity('退回数量'),
    returned_amount: f.amount('退回金额'),
  },
  sqlFile: 'platform/reports/trade/supplier-sales.sql',
  parameters: {
    ...period,
    counterparty_sn: f.ref('供应商', 'organisation', { optionsFilter: { relation: 'supplier' } }),
    warehouse_model_inner_sn: narrowing.warehouse_model_inner_sn,
    document_kind: f.pick('业务类型', kinds),
    regime: f.pick('货权方式', regimes),
    ...ofGoods,
    is_high_value: f.flag('高值标识'),
    value_class: f.pick('高值/低值/试剂', valueClasses),
    is_collective: f.flag('集采标识'),
    lot_no: f.lot('批号'),
    document_sn: f.text('单据号'),
    invoice_no: f.text('发票号'),
    invoice_state: f.pick('发票状态', invoiceStates),
  },
  validate: orderlyPeriod,
  columns: {
    bought_on: f.day('业务日期'),
    document_kind: f.pick('业务类型', kinds),
    document_sn: f.text('单据号', { width: 130 }),
    counterparty_name: f.text('供应商', { width: 200 }),
    warehouse_name: f.text('仓库'),
    department_name: f.text('使用科室'),
    regime: f.pick('货权方式', regimes),
    ...goods,
    ...unit,
    class_name: f.text('产品分类'),
    certificate_no: f.text('注册证号', { width: 170 }),
    ...lot,
    quantity: f.quantity('数量'),
    price: f.price('单价(含税)'),
    amount: f.amount('金额(含税)', shows(measures.purchased)),
    untaxed_amount: f.amount('不含税金额', shows(measures.purchasedUntaxed)),
    tax_rate: f.taxRate('税率'),
    tax_amount: f.amount('税额', shows(measures.purchaseTax)),
    invoice_no: f.text('发票号', { width: 170 }),
    invoice_state: f.pick('发票状态', invoiceStates),
  },
  totals: ['quantity', 'amount', 'untaxed_amount', 'tax_amount'],
  drillDown: { document_sn: { document: 'document_kind' } },
  screens: [
    {
      route: '/hospital/hospitalSalesDetails',
      title: '医院销售明细',
      orgs: 'H',
      menu: '报表中心',
      purpose: '各供应商向本院销售的采购入库与结算入库减去退货的逐行明细，用于与供应商对账',
      columns: [
        'bought_on',
        'document_kind',
        'document_sn',
        'counterparty_name',
        'warehouse_name',
        'department_name',
        'product_code',
        'product_name',
        'specification_name',
        'unit_name',
        'manufacturer_name',
        'certificate_no',
        'lot_no',
        'expiry_date',
        'quantity',
        'price',
        'amount',
        'tax_rate',
        'tax_amount',
        'invoice_no',
      ],
      filters: [],
    },
  ],
})
