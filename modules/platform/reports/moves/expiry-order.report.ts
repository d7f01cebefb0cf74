import { f } from '#kernel/definition/field.ts'
import { defineReport } from '#kernel/definition/report.ts'
import { orderlyPeriod, period } from '#modules/platform/reports/item-columns.ts'

const kinds = {
  grantOdo: '科室发放',
  saleOdo: '销售出库',
  transfer: '调拨出库',
  giveOdo: '赠品出库',
  otherOdo: '其他出库',
} as const

/**
 * 先进先出: what left a store by choice of its lot, and whether the lot that expires first was taken. A lot that had
 * expired, that was held for quality or that left with the same document is no earlier one. Source of the rule: goods
 * near their expiry are issued first (近效期先出, 医疗器械经营质量管理规范).
 */
export const expiryOrder = defineReport({
  kind: 'expiryOrder',
  title: '先进先出',
  sqlFile: 'platform/reports/moves/expiry-order.sql',
  parameters: {
    ...period,
    document_kind: f.pick('单据类型', kinds),
    warehouse_model_inner_sn: f.ref('仓库', 'warehouse'),
    specification_sn: f.ref('规格型号', 'specification'),
    lot_order: f.pick('批次先后', { first: '近效期先出', later: '存在更近效期' }),
  },
  validate: orderlyPeriod,
  columns: {
    day: f.day('出库日期'),
    document_kind: f.pick('单据类型', kinds),
    document_sn: f.text('单据编号', { width: 150 }),
    warehouse_name: f.text('仓库'),
    product_code: f.text('产品编码'),
    product_name: f.text('产品名称'),
    specification_name: f.text('规格型号'),
    lot_no: f.lot('批号'),
    expiry_date: f.day('有效期至'),
    quantity: f.quantity('数量'),
    lot_order: f.pick('批次先后', { first: '近效期先出', later: '存在更近效期' }),
    earlier_lot: f.lot('更近效期批号'),
    earlier_expiry: f.day('其有效期至'),
    out_lines: f.count('出库行', { hint: '期间内发放、销售、调拨、赠送与其他出库的明细行，已撤回的不计' }),
    in_order: f.count('近效期先出行', { hint: '出库时没有效期更早的合格批次留在仓库里的明细行' }),
  },
  totals: ['out_lines', 'in_order'],
  drillDown: { document_sn: { document: 'document_kind' } },
  screens: [
    {
      route: '/commonView/odoStatReport',
      tab: '先进先出',
      title: '出库统计报表',
      orgs: 'HDV',
      menu: '报表中心',
      purpose: '每一行出库是否取用了当时该仓库有效期最近的批次；同一单据取完的、已过期的和非合格状态的批次不算更近效期',
      columns: [
        'day',
        'document_kind',
        'document_sn',
        'warehouse_name',
        'product_code',
        'product_name',
        'specification_name',
        'lot_no',
        'expiry_date',
        'quantity',
        'lot_order',
        'earlier_lot',
        'earlier_expiry',
        'out_lines',
        'in_order',
      ],
      filters: [],
    },
  ],
})
