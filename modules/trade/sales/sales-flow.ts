import { measures } from '#modules/base/measures/measures.ts'
import type { Flow } from '#kernel/definition/dashboard.ts'
import type { Screen } from '#kernel/definition/screen.ts'

/** 销售导航: the salesperson's first page. */
export const salesFlowScreen: Screen = {
  route: '/commonView/navigationSaleManage',
  title: '销售导航',
  orgs: 'DV',
  menu: '销售管理',
  purpose: '销售流程一览：客户订单、出库、开票与收款各环节的待处理单据数',
  columns: [],
  filters: [],
  page: 'salesFlow',
}

/** The report of what customers owe, by customer. */
const owed = { kind: 'receivablePayableSummary', where: { direction: 'receivable' } } as const

export const salesFlow: Flow = {
  name: 'sales',
  partner: { label: '客户', relation: 'customer' },
  handler: '业务员',
  steps: [
    {
      kind: 'salesOrder',
      title: '销售订单',
      at: [0, 0],
      counts: [
        { text: '待审核', where: { state: 'submitted' }, late: true },
        { text: '已审核未出库', where: { state: 'reviewed', ship_state: '1' } },
        { text: '部分执行', where: { state: 'partial' } },
        { text: '超期', where: { overdue: '1' }, late: true },
      ],
    },
    {
      kind: 'saleOdo',
      title: '销售出库',
      at: [1, 0],
      after: ['salesOrder', 'advanceSale'],
      counts: [
        { text: '草稿', where: { state: 'draft' } },
        { text: '待审核', where: { state: 'submitted' } },
      ],
    },
    {
      kind: 'logistics',
      title: '物流',
      at: [2, 1],
      after: ['saleOdo'],
      counts: [
        { text: '待发运', where: { state: 'draft' } },
        { text: '运输中', where: { state: 'reviewed' } },
        { text: '异常', where: { state: 'reviewed,partial', is_abnormal: 'true' }, late: true },
      ],
    },
    {
      kind: 'advanceSale',
      title: '预销售',
      at: [0, 1],
      counts: [
        { text: '未结清', where: { state: 'reviewed,partial' } },
        { text: '超期', where: { overdue: '1' }, late: true },
      ],
    },
    {
      kind: 'saleReturn',
      title: '销售退货',
      at: [1, 1],
      after: ['saleOdo'],
      counts: [
        { text: '草稿', where: { state: 'draft' } },
        { text: '待审核', where: { state: 'submitted' } },
      ],
    },
    {
      kind: 'odoInvoiceSearch',
      title: '销项发票',
      at: [2, 0],
      after: ['saleOdo', 'saleReturn'],
      counts: [],
      money: [
        {
          figure: 'unbilled_amount',
          text: '未开票',
          ...owed,
          measure: measures.receivableUnbilled,
        },
      ],
    },
    {
      kind: 'receipt',
      title: '收款',
      at: [3, 0],
      after: ['odoInvoiceSearch'],
      counts: [{ text: '待审核', where: { state: 'submitted' } }],
      money: [
        { figure: 'receivable_amount', text: '应收未收', ...owed, measure: measures.receivable },
        { figure: 'overdue_amount', text: '其中逾期', ...owed, late: true, measure: measures.overdueReceivable },
      ],
    },
  ],
  cards: [
    {
      figure: 'ordered_amount',
      title: '本期订单额',
      as: 'amount',
      says: '已审核的销售订单金额，含税，按订单日期；终止的订单只计已出库部分',
      kind: 'salesOrder',
      where: { state: 'reviewed,partial,completed,stopped' },
      column: 'standing_amount',
    },
    {
      figure: 'sold_amount',
      title: '本期销售额（含税）',
      as: 'amount',
      kind: 'issuedLines',
      measure: measures.sold,
    },
    {
      figure: 'fill_rate',
      title: '订单满足率',
      as: 'rate',
      says: '要求到货日期在期间内的订货中已出库的件数占比；终止的订单不计',
      kind: 'salesOrder',
      where: { overdue: '1' },
    },
    {
      figure: 'overdue_lines',
      title: '超期未发（行）',
      as: 'count',
      says: '要求到货日期早于今天、尚未发齐的销售订单行',
      kind: 'overdueOrderLines',
      where: { side: 'sell' },
    },
  ],
  bars: { title: '客户销售前十', figure: 'sold_amount' },
  trend: { title: '近30天销售趋势', figure: 'sold_amount' },
}
