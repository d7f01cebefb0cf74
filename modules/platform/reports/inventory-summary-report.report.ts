import { regimes } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { shows } from '#kernel/measure/measure.ts'
import { measures } from '#modules/base/measures/measures.ts'
import { defineReport } from '#kernel/definition/report.ts'

/** 收发存汇总: opening, receipts and issues by document kind, and closing, per size. */
export const inventorySummaryReport = defineReport({
  kind: 'inventorySummaryReport',
  title: '收发存汇总报表',
  beside: {
    specification_sn: f.text('规格', { carried: true }),
  },
  sqlFile: 'platform/reports/inventory-summary-report.sql',
  parameters: {
    begin_date: f.day('开始日期', { required: true }),
    end_date: f.day('结束日期', { required: true }),
    warehouse_model_inner_sn: f.ref('仓库', 'warehouse'),
    specification_sn: f.ref('规格型号', 'specification'),
    regime: f.pick('货权方式', regimes),
    lot_no: f.lot('批号'),
  },
  columns: {
    product_code: f.text('产品编码'),
    product_name: f.text('产品名称'),
    specification_name: f.text('规格型号'),
    unit_name: f.text('单位'),
    manufacturer_name: f.text('生产厂家'),
    opening_quantity: f.quantity('期初数量'),
    opening_value: f.cost('期初金额'),
    purchase_in: f.quantity('采购入库'),
    return_in: f.quantity('退货入库'),
    transfer_in: f.quantity('调拨入库'),
    other_in: f.quantity('其他入库'),
    total_in: f.quantity('入库合计'),
    issue_out: f.quantity('销售/发放出库'),
    use_out: f.quantity('使用出库'),
    transfer_out: f.quantity('调拨出库'),
    other_out: f.quantity('其他出库'),
    total_out: f.quantity('出库合计'),
    closing_quantity: f.quantity('期末数量'),
    closing_value: f.cost('期末金额', shows(measures.stock)),
  },
  totals: ['opening_value', 'closing_value', 'total_in', 'total_out'],
  screens: [
    {
      route: '/commonView/inventorySummaryReport',
      title: '收发存汇总报表',
      orgs: 'HDV',
      menu: '报表中心',
      purpose: '各规格期间内的期初、各类入库与出库、期末；仓库内全部货主的数量，金额只计自有，不含在途',
      columns: [
        'product_code',
        'product_name',
        'specification_name',
        'unit_name',
        'manufacturer_name',
        'opening_quantity',
        'opening_value',
        'purchase_in',
        'return_in',
        'transfer_in',
        'other_in',
        'total_in',
        'issue_out',
        'use_out',
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
