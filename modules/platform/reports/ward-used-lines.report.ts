import { regimes } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { defineReport } from '#kernel/definition/report.ts'
import { goods, lot, narrowing, orderlyPeriod, period, unit } from '#modules/platform/reports/item-columns.ts'

const useType = f.pick('使用类型', {
  patient: '患者使用',
  consume: '科室消耗',
  pack_open: '定数包开包',
  reagent: '试剂上机',
  cabinet: '智能柜取用',
  weighing: '称重消耗',
})
const stages = { none: '无需结算', waiting: '待结算', settling: '结算中', settled: '已结算' } as const

/**
 * 使用明细: the uses of wards, a row a line with its product, lot and codes; a use that was taken back counts on its own
 * day with a minus. Patients are on the document alone.
 */
export const wardUsedLines = defineReport({
  kind: 'wardUsedLines',
  title: '科室使用明细',
  beside: {
    role: f.text('角色'),
  },
  sqlFile: 'platform/reports/ward-used-lines.sql',
  parameters: {
    ...period,
    department_inner_sn: f.ref('使用科室', 'department'),
    ...narrowing,
    use_type: useType,
    lot_no: f.text('批号'),
    unit_code: f.piece('院内码'),
    settled_stage: f.pick('结算状态', stages),
  },
  validate: orderlyPeriod,
  columns: {
    document_sn: f.text('使用单号', { width: 130 }),
    use_type: useType,
    department_name: f.text('使用科室', { width: 120 }),
    warehouse_name: f.text('使用仓库', { width: 120 }),
    ...goods,
    ...lot,
    codes: f.text('院内码', { width: 170 }),
    quantity: f.quantity('数量'),
    ...unit,
    amount: f.amount('金额(含税)'),
    regime: f.pick('货权方式', regimes),
    settled_stage: f.pick('结算状态', stages),
    handler_name: f.text('使用人'),
    used_at: f.instant('使用时间'),
  },
  totals: ['quantity', 'amount'],
  drillDown: { document_sn: { document: 'document_kind' } },
  screens: [
    {
      route: '/hospital/useRecord',
      tab: '使用明细',
      title: '科室使用登记',
      orgs: 'H',
      menu: '科室管理',
      purpose: '科室使用明细：产品、批号、院内码与结算状态；退用在当日列为负数',
      columns: [
        'document_sn',
        'use_type',
        'department_name',
        'warehouse_name',
        'product_code',
        'product_name',
        'specification_name',
        'manufacturer_name',
        'lot_no',
        'codes',
        'expiry_date',
        'quantity',
        'unit_name',
        'amount',
        'regime',
        'settled_stage',
        'handler_name',
        'used_at',
      ],
      filters: [],
    },
  ],
})
