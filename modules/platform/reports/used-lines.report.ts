import { f } from '#kernel/definition/field.ts'
import { defineReport } from '#kernel/definition/report.ts'
import { reportBases, settledStages } from '#modules/base/vocabulary/usage-report-fields.ts'
import { goods, lot, orderlyPeriod, period, unit } from '#modules/platform/reports/item-columns.ts'

const useTypes = {
  patient: '患者使用',
  surgery: '手术使用',
  consume: '科室消耗',
  cabinet: '智能柜取用',
  weighing: '称重消耗',
  pack_open: '定数包开包',
  reagent: '试剂上机',
} as const
const { mixed: _mixed, ...bases } = reportBases
const { part: _part, netted: _netted, ...stages } = settledStages

/** 使用明细: which of our goods hospitals used, line by line; a reversed use is shown on its own day with a minus. */
export const usedLines = defineReport({
  kind: 'usedLines',
  title: '使用明细',
  beside: {
    role: f.text('角色'),
  },
  sqlFile: 'platform/reports/used-lines.sql',
  wholeOnly: 'goods at a customer lie in no warehouse of ours',
  parameters: {
    ...period,
    counterparty_sn: f.ref('医院', 'organisation'),
    use_type: f.pick('使用类型', useTypes),
    specification_sn: f.ref('规格型号', 'specification'),
    product: f.text('产品名称/编码'),
    lot_no: f.lot('批号'),
    unit_code: f.piece('院内码/UDI'),
    settled_stage: f.pick('结算状态', stages),
    basis: f.pick('货主类型', bases),
  },
  validate: orderlyPeriod,
  columns: {
    document_sn: f.text('使用单号', { width: 130 }),
    hospital_name: f.text('医院', { width: 180 }),
    used_on: f.day('使用日期'),
    use_type: f.pick('使用类型', useTypes),
    ...goods,
    ...lot,
    codes: f.text('院内码/序列号', { width: 170 }),
    ...unit,
    quantity: f.quantity('使用数量'),
    price: f.price('含税单价'),
    amount: f.amount('金额'),
    basis: f.pick('货主类型', bases),
    settled_stage: f.pick('结算状态', stages),
    settlement_no: f.text('结算单号', { width: 130 }),
    replenish_state: f.pick('补货状态', { '1': '未补货', '2': '已生成补货' }),
    compare_state: f.pick('对账标记', { '1': '未对账', '2': '已对账' }),
  },
  totals: ['quantity', 'amount'],
  drillDown: { document_sn: { document: 'document_kind' } },
  screens: [
    {
      route: '/commonView/useRecord',
      tab: '使用明细',
      title: '使用记录',
      orgs: 'DV',
      menu: '使用追溯',
      purpose: '医院使用我方货物的明细：批号、院内码与结算状态；红冲的使用在红冲当日列为负数',
      columns: [
        'document_sn',
        'hospital_name',
        'used_on',
        'use_type',
        'product_code',
        'product_name',
        'specification_name',
        'manufacturer_name',
        'lot_no',
        'codes',
        'expiry_date',
        'unit_name',
        'quantity',
        'price',
        'amount',
        'basis',
        'settled_stage',
        'settlement_no',
        'replenish_state',
        'compare_state',
      ],
      // The manufacturer does not see the prices between others.
      without: { V: ['price', 'amount'] },
      filters: [],
    },
  ],
})
