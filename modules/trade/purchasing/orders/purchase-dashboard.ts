import { measures } from '#modules/base/measures/measures.ts'
import type { Flow } from '#kernel/definition/dashboard.ts'
import type { Screen } from '#kernel/definition/screen.ts'

/** 采购导航: the buyer's first page. */
export const purchaseFlowScreen: Screen = {
  route: '/commonView/navigationPurchaseManage',
  title: '采购导航',
  orgs: 'HDV',
  menu: '采购管理',
  purpose: '采购流程一览：各环节待处理单据数，点击数字打开列表',
  columns: [],
  filters: [],
  page: 'purchaseFlow',
}

export const purchaseFlow: Flow = {
  name: 'purchase',
  partner: { label: '供应商', relation: 'supplier' },
  handler: '经办人',
  steps: [
    {
      kind: 'purchasePlan',
      title: '采购计划',
      at: [0, 0],
      counts: [
        { text: '待审核', where: { state: 'submitted' } },
        { text: '已审核未下单', where: { state: 'reviewed', order_state: '1' } },
      ],
    },
    {
      kind: 'enquiry',
      title: '询价单',
      at: [0, 1],
      after: ['purchasePlan'],
      counts: [
        { text: '待审核', where: { state: 'submitted' } },
        { text: '报价中', where: { state: 'reviewed' } },
        { text: '待定标', where: { state: 'partial' }, late: true },
      ],
    },
    {
      kind: 'priceRegistration',
      title: '询价登记',
      at: [1, 1],
      after: ['enquiry'],
      counts: [
        { text: '待审核', where: { state: 'submitted', price_side: 'buy' } },
        {
          text: '30天内到期',
          where: { state: 'reviewed', price_side: 'buy' },
          within: { field: 'valid_to', span: 30 },
          late: true,
        },
      ],
    },
    {
      kind: 'purchaseOrder',
      title: '采购订单',
      at: [1, 0],
      after: ['purchasePlan', 'priceRegistration'],
      counts: [
        { text: '草稿', where: { state: 'draft' } },
        { text: '待审核', where: { state: 'submitted' } },
        { text: '供应商未确认', where: { state: 'reviewed', confirm_state: '1' } },
        { text: '部分到货', where: { state: 'partial' } },
        { text: '超期', where: { overdue: '1' }, late: true },
      ],
    },
    {
      kind: 'purchaseRecord',
      title: '采购记录',
      at: [2, 1],
      after: ['purchaseOrder'],
      partner: 'partner_sn',
      counts: [
        { text: '本期', where: {}, within: { field: 'business_date', span: 'period' } },
        { text: '未到货', where: { state: 'open' } },
      ],
    },
    {
      kind: 'logistics',
      title: '物流',
      at: [2, 2],
      after: ['purchaseOrder'],
      counts: [
        { text: '运输中', where: { role: 'counterparty', transport_state: 'in_transit' } },
        { text: '已送达', where: { role: 'counterparty', transport_state: 'delivered' } },
        { text: '异常', where: { role: 'counterparty', transport_state: 'abnormal' }, late: true },
      ],
    },
    {
      kind: 'arrivalOrder',
      title: '到货单',
      at: [2, 0],
      after: ['purchaseOrder'],
      counts: [
        { text: '草稿', where: { state: 'draft' } },
        { text: '待审核', where: { state: 'submitted' } },
        { text: '异常待处理', where: { state: 'draft,submitted', is_abnormal: 'true' }, late: true },
      ],
    },
    {
      kind: 'inspectionOrder',
      title: '验收单',
      at: [3, 0],
      after: ['arrivalOrder'],
      counts: [
        { text: '草稿', where: { state: 'draft' } },
        { text: '待审核', where: { state: 'submitted' } },
        { text: '有不合格', where: { state: 'submitted', conclusion: 'partly,unqualified' }, late: true },
      ],
    },
    {
      kind: 'inspectionQualityLine',
      title: '不合格处置',
      at: [3, 1],
      after: ['inspectionOrder'],
      partner: 'counterparty_sn',
      counts: [{ text: '待处置', where: { line_disposal_state: '1' }, late: true }],
    },
    {
      kind: 'purchaseGrn',
      title: '采购入库',
      at: [4, 0],
      after: ['purchaseOrder', 'inspectionOrder'],
      counts: [
        { text: '草稿', where: { state: 'draft' } },
        { text: '待审核', where: { state: 'submitted' } },
      ],
    },
    {
      kind: 'purchaseReturn',
      title: '采购退货',
      at: [4, 1],
      after: ['purchaseGrn', 'inspectionQualityLine'],
      counts: [
        { text: '草稿', where: { state: 'draft' } },
        { text: '待审核', where: { state: 'submitted' } },
      ],
    },
  ],
  cards: [
    {
      figure: 'ordered_amount',
      title: '本期订单额（含税）',
      as: 'amount',
      measure: measures.ordered,
      kind: 'purchaseOrder',
      where: { state: 'reviewed,partial,completed,stopped' },
      column: 'standing_amount',
    },
    {
      figure: 'arrival_rate',
      title: '本期到货率',
      as: 'rate',
      says: '要求到货日期在期间内的订货中已到货的件数占比；终止的订单不计',
      kind: 'purchaseOrder',
      where: { overdue: '1' },
    },
    {
      figure: 'overdue_lines',
      title: '超期未到（行）',
      as: 'count',
      says: '要求到货日期早于今天、尚未到齐的采购订单行',
      kind: 'overdueOrderLines',
      where: { side: 'buy' },
    },
  ],
  bars: { title: '供应商订单额前十', figure: 'ordered_amount' },
}
