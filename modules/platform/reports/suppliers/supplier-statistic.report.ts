import { defineAnalysis } from '#kernel/definition/analysis.ts'
import { regimes } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { shows } from '#kernel/measure/measure.ts'
import { measures } from '#modules/base/measures/measures.ts'
import { defineReport } from '#kernel/definition/report.ts'
import { isPositive } from '#kernel/values/decimal.ts'
import { goods, ofFinanceClass, orderlyPeriod, period, unit } from '#modules/platform/reports/item-columns.ts'
import { weightsOf } from '#modules/base/settings/score-weights.ts'

const sides = {
  order: '下单',
  due: '到期订单行',
  inspection: '验收',
  receipt: '入库',
  title: '结算入库',
  return: '退货',
  use: '使用',
  settlement: '结算',
  invoice: '开票',
  fee: '服务费',
  standing: '期末余额',
  lodged: '寄售库存',
} as const
const licenceStates = { valid: '有效', expiring: '即将到期', expired: '已过期', missing: '未登记' } as const
const licenceTones = { expired: 'danger', missing: 'warning', expiring: 'warning', valid: 'success' } as const

const page = {
  route: '/hospital/supplierReport',
  title: '供应商统计报表',
  orgs: 'H',
  menu: '报表中心',
} as const
const amounts = {
  order_amount: f.amount('订单金额', shows(measures.ordered)),
  returned_amount: f.amount('退货金额'),
  received_amount: f.amount('到货入库金额', { hint: '采购入库单金额减红冲，含税，按审核日期；含寄售，不减退货' }),
  purchased_amount: f.amount('采购入库净额', shows(measures.purchased)),
  used_amount: f.amount('使用金额', { hint: '按供应商的使用金额，含税，按使用日期；查不到供应商的货物不计' }),
  settled_amount: f.amount('结算金额', shows(measures.settled)),
  invoiced_amount: f.amount('收票金额', shows(measures.billed)),
  payable_amount: f.amount('应付余额', shows(measures.payable)),
  overdue_amount: f.amount('其中逾期', shows(measures.overduePayable)),
  fee_amount: f.amount('服务费'),
  lodged_amount: f.amount('寄售库存金额'),
} as const

/**
 * The events by which suppliers are judged, a row an event. A line of an order is due on the day it was asked for; it
 * came in time when all of it had arrived by then. The amount owed, licences and goods on consignment are those of the
 * last day. In base units and yuan, tax included.
 */
export const supplierFigures = defineReport({
  kind: 'supplierFigures',
  wholeOnly: 'what is settled with a supplier and owed to him is over all stores',
  title: '供应商统计明细',
  beside: {
    supplier_sn: f.text('供应商'),
    specification_sn: f.text('规格'),
    amount: f.amount('金额'),
    supplied_id: f.text('供货单'),
    order_id: f.text('订单'),
    due: f.count('应完成'),
    ordered_quantity: f.quantity('订购数量'),
    filled_quantity: f.quantity('满足数量'),
    inspected_quantity: f.quantity('验收数量'),
    licence_points: f.quantity('证照得分'),
    licence_known: f.count('证照有数据'),
    service_points: f.quantity('服务得分'),
    service_known: f.count('服务有数据'),
    time_weight: f.quantity('及时权重'),
    fill_weight: f.quantity('满足权重'),
    quality_weight: f.quantity('质量权重'),
    licence_weight: f.quantity('证照权重'),
    service_weight: f.quantity('服务权重'),
  },
  sqlFile: 'platform/reports/suppliers/supplier-figures.sql',
  parameters: {
    ...period,
    supplier_sn: f.ref('供应商', 'organisation', { optionsFilter: { relation: 'supplier' } }),
    custom_type_sn: f.ref('产品分类', 'customType', ofFinanceClass.finance_class_sn),
    regime: f.pick('货权方式', regimes),
    cooperation: f.pick(
      '合作状态',
      { active: '合作中', stopped: '已终止', all: '全部' },
      { hint: '期间内没有业务、也没有应付余额的供应商，选“全部”才列出' },
    ),
    side: f.pick('口径', sides),
  },
  fixed: { standard_weights: weightsOf('supplierScore').preset },
  validate: orderlyPeriod,
  columns: {
    day: f.day('日期'),
    side: f.pick('口径', sides),
    document_sn: f.text('单据号', { width: 140 }),
    supplier_name: f.text('供应商', { width: 180 }),
    licence_state: f.pick('资质状态', licenceStates, { tones: licenceTones }),
    product_code: goods.product_code,
    product_name: goods.product_name,
    specification_name: goods.specification_name,
    ...unit,
    class_name: f.text('产品分类'),
    regime: f.pick('货权方式', regimes),
    expected_on: f.day('要求到货日期'),
    quantity: f.quantity('数量'),
    received_quantity: f.quantity('已入库数量'),
    accepted_quantity: f.quantity('合格数量'),
    in_time: f.pick('及时到货', { 0: '否', 1: '是' }, { tones: { 0: 'danger', 1: 'success' } }),
    ...amounts,
  },
  totals: Object.keys(amounts) as (keyof typeof amounts)[],
  drillDown: { document_sn: { document: 'document_kind' } },
  screens: [
    {
      ...page,
      tab: '明细',
      purpose: '供应商订单、到货、验收、入库、退货、使用、结算、开票与服务费的逐行明细，各项比率由此计算',
      columns: [
        'day',
        'side',
        'document_sn',
        'supplier_name',
        'product_code',
        'product_name',
        'specification_name',
        'unit_name',
        'regime',
        'expected_on',
        'quantity',
        'received_quantity',
        'accepted_quantity',
        'in_time',
        'order_amount',
        'received_amount',
        'purchased_amount',
        'returned_amount',
        'used_amount',
        'settled_amount',
        'invoiced_amount',
        'fee_amount',
      ],
      filters: [],
    },
  ],
})

/**
 * 供应商统计报表: a supplier a row, with a score of 0 to 100 by weights that the hospital sets; a rate without data passes its
 * weight to the others, and an expired licence counts as missing. 应付余额 is that of the account ledger on the last day.
 */
export const supplierStatistic = defineAnalysis({
  kind: 'supplierStatistic',
  title: '供应商统计报表',
  of: supplierFigures,
  day: 'day',
  periodLabel: '月份',
  grains: ['month', 'quarter', 'year'],
  dimensions: {
    supplier_name: { beside: ['licence_state'], key: ['supplier_sn', 'supplier_sn'] },
    class_name: {},
  },
  standard: ['supplier_name'],
  columns: {
    goods_count: f.count('供货品种数'),
    order_count: f.count('订单数'),
    order_amount: amounts.order_amount,
    due_count: f.count('到期行数'),
    on_time_rate: f.rate('到货及时率'),
    fill_rate: f.rate('订单满足率'),
    acceptance_rate: f.rate('验收合格率'),
    returned_amount: amounts.returned_amount,
    return_rate: f.rate('退货率'),
    received_amount: amounts.received_amount,
    purchased_amount: amounts.purchased_amount,
    used_amount: amounts.used_amount,
    settled_amount: amounts.settled_amount,
    invoiced_amount: amounts.invoiced_amount,
    payable_amount: amounts.payable_amount,
    overdue_amount: amounts.overdue_amount,
    fee_amount: amounts.fee_amount,
    lodged_amount: amounts.lodged_amount,
    licence_rate: f.rate('资质'),
    service_rate: f.rate('服务评分'),
    score: f.quantity('综合得分', { hint: '到货及时率、订单满足率、验收合格率、资质、服务按权重合计' }),
  },
  measures: {
    goods_count: { count: 'supplied_id' },
    order_count: { count: 'order_id' },
    order_amount: { sum: 'order_amount' },
    due_count: { sum: 'due' },
    on_time_rate: { mean: ['in_time', 'due'] },
    fill_rate: { mean: ['filled_quantity', 'ordered_quantity'] },
    acceptance_rate: { mean: ['accepted_quantity', 'inspected_quantity'] },
    returned_amount: { sum: 'returned_amount' },
    return_rate: { ratio: ['returned_amount', 'received_amount'] },
    received_amount: { sum: 'received_amount' },
    purchased_amount: { sum: 'purchased_amount' },
    used_amount: { sum: 'used_amount' },
    settled_amount: { sum: 'settled_amount' },
    invoiced_amount: { sum: 'invoiced_amount' },
    payable_amount: { sum: 'payable_amount' },
    overdue_amount: { sum: 'overdue_amount' },
    fee_amount: { sum: 'fee_amount' },
    lodged_amount: { sum: 'lodged_amount' },
    licence_rate: { mean: ['licence_points', 'licence_known'] },
    service_rate: { mean: ['service_points', 'service_known'] },
    score: {
      score: {
        on_time_rate: 'time_weight',
        fill_rate: 'fill_weight',
        acceptance_rate: 'quality_weight',
        licence_rate: 'licence_weight',
        service_rate: 'service_weight',
      },
    },
  },
  main: 'purchased_amount',
  alerts: {
    payable_amount: row => (isPositive(String(row.overdue_amount ?? '0')) ? 'danger' : null),
    overdue_amount: row => (isPositive(String(row.overdue_amount ?? '0')) ? 'danger' : null),
  },
  links: [{ label: '设置权重', to: '/hospital/ruleConfiguration', tab: '规则', with: { title: '供应商评分权重' } }],
  screens: [
    {
      ...page,
      tab: '供应商统计',
      leads: true,
      keyColumns: [
        'licence_state',
        'score',
        'order_count',
        'on_time_rate',
        'fill_rate',
        'acceptance_rate',
        'return_rate',
        'purchased_amount',
        'payable_amount',
      ],
      purpose: '每个供应商的订单、到货、验收、退货、结算、开票、应付与服务费及综合得分，用于年度供应商评价',
    },
  ],
})
