import { f } from '#kernel/definition/field.ts'
import { defineReport } from '#kernel/definition/report.ts'
import { orderlyPeriod, period } from '#modules/platform/reports/item-columns.ts'

const kinds = {
  purchaseGrn: '采购入库',
  grantOdo: '科室发放',
  wardReceipt: '科室收货',
  departmentUse: '科室使用',
  surgeryUse: '手术使用',
  saleOdo: '销售出库',
} as const

/**
 * 扫码录入: lines of goods that are kept by the piece, and whether each came by scans: the user who saved it had looked up
 * all of its codes with the scan service, or a device read them. Lines that were typed, copied, imported or taken over
 * from another document were not scanned.
 */
export const scannedLines = defineReport({
  kind: 'scannedLines',
  title: '扫码录入',
  sqlFile: 'platform/reports/moves/scanned-lines.sql',
  parameters: {
    ...period,
    document_kind: f.pick('单据类型', kinds),
    entry_way: f.pick('是否扫码', { scan: '扫码', other: '未扫码' }),
  },
  validate: orderlyPeriod,
  columns: {
    day: f.day('单据日期'),
    document_kind: f.pick('单据类型', kinds),
    document_sn: f.text('单据编号', { width: 150 }),
    warehouse_name: f.text('仓库'),
    product_code: f.text('产品编码'),
    product_name: f.text('产品名称'),
    specification_name: f.text('规格型号'),
    lot_no: f.lot('批号'),
    quantity: f.quantity('数量'),
    entry_way: f.pick('录入方式', { scan: '扫码', hand: '有码未扫码', none: '未按码' }),
    coded: f.count('有码行', { hint: '一物一码产品的单据明细行' }),
    scanned: f.count('扫码行', { hint: '其中扫码录入的明细行' }),
  },
  totals: ['coded', 'scanned'],
  drillDown: { document_sn: { document: 'document_kind' } },
  screens: [
    {
      route: '/commonView/grnStatReport',
      tab: '扫码录入',
      title: '入库统计报表',
      orgs: 'HDV',
      menu: '报表中心',
      purpose: '一物一码产品的每一行是否扫码录入：扫码服务答复过该行全部院内码的为扫码，导入、复制和手工录入的不是',
      columns: [
        'day',
        'document_kind',
        'document_sn',
        'warehouse_name',
        'product_code',
        'product_name',
        'specification_name',
        'lot_no',
        'quantity',
        'entry_way',
        'coded',
        'scanned',
      ],
      filters: [],
    },
  ],
})
