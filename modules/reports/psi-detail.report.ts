import { f } from '#kernel/field.ts'
import { defineReport } from '#kernel/report.ts'
import { goods, lot, narrowing, ofClass, orderlyPeriod, period, unit } from '#modules/reports/goods.ts'

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

/**
 * 进销存明细: the stock card. Per lot what there was, what came and went by kind of paper, and what is left; by the moment of posting, so
 * that it ties to the ledger on every row: closing = opening + in - out.
 */
export const psiDetail = defineReport({
  kind: 'psiDetail',
  title: '进销存明细',
  source: 'reports/psi-detail.sql',
  params: {
    ...period,
    ...narrowing,
    lot_no: f.text('批号'),
    owner_org_sn: f.ref('货主', 'organisation'),
    document_kind: f.pick('单据类型', {
      purchaseGrn: '采购入库',
      saleOdo: '销售出库',
      grantOdo: '发放出库',
      wardReceipt: '科室收货',
      departmentUse: '科室使用',
      transfer: '调拨',
      transferArrival: '机构调入',
      otherGrn: '其他入库',
      overflow: '报溢',
      loss: '报损',
      scrap: '报废',
      openingStock: '期初',
    }),
    counterparty_sn: f.ref('供应商/客户', 'organisation'),
    department_inner_sn: f.ref('科室', 'department'),
    ...ofClass,
  },
  fills: { class: '$13' },
  refuses: orderlyPeriod,
  columns: {
    ...goods,
    ...lot,
    ...unit,
    opening_quantity: f.quantity('期初数量'),
    opening_value: f.amount('期初金额'),
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
    closing_quantity: f.quantity('期末数量'),
    closing_value: f.amount('期末金额'),
  },
  totals: ['opening_quantity', 'opening_value', 'total_in', 'total_out', 'closing_quantity', 'closing_value'],
  leads: { total_in: behind, total_out: behind, closing_quantity: behind },
  screens: [
    {
      route: '/commonView/inventoryAndSalesDetails',
      title: '进销存明细',
      orgs: 'HDV',
      menu: '库存管理',
      tab: '进销存',
      purpose: '一段时间里每个批号的期初、各类入库与出库、期末',
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
        'closing_quantity',
        'closing_value',
      ],
      filters: [],
    },
  ],
})
