import { sourceTypes } from '#kernel/definition/source-type.ts'
import type { Measure } from '#kernel/measure/measure.ts'
import { measures } from '#modules/base/measures/measures.ts'
import type { Screen } from '#kernel/definition/screen.ts'

/** 医院首页: the first page of a hospital's people. */
export const hospitalHomeScreen: Screen = {
  route: '/hospital/hospitalHome',
  title: '医院首页',
  orgs: 'H',
  menu: '首页',
  purpose: '今天待办的单据、快要出问题的货物与证照，以及本月使用',
  columns: [],
  filters: [],
  page: 'hospitalHome',
}

/** A number of a card: the rows that a page has under these filters, or a sum that it shows under them. */
export type HomeFigure = {
  readonly label: string
  /** The documents, records or report, and the page and tab on which they are. */
  readonly kind: string
  readonly route: Screen['route']
  readonly tab?: string
  readonly where: Readonly<Record<string, string>>
  /** The sum that is shown, in place of the number of rows. */
  readonly sum?: string
  readonly urgent?: true
  /** The tooltip: a sentence that says what the figure counts. Default: the hint of the summed column. */
  readonly hint?: string
  /** The page's filters for the month, where it is about one. */
  readonly ofMonth?: true
  /** Says beside a sum of the month how it changed against the month before: 环比. */
  readonly compared?: true
  /** The day field that must be within the last seven days. */
  readonly lastWeekBy?: string
}

/** A figure as the page gets it: `text`, as `value` is money on the wire. */
export type ShownFigure = {
  readonly label: string
  readonly text: string
  readonly as: 'count' | 'amount' | 'quantity'
  readonly route: string
  /** The lines of its tooltip: what it counts, the page that it is read from, its days. */
  readonly says: readonly string[]
  readonly urgent?: true
  /** 环比 as a fraction; null where there was nothing in the month before; and with which days it compares. */
  readonly change?: string | null
  readonly compared?: string
}
export type ShownCard = { readonly key: string; readonly title: string; readonly figures: readonly ShownFigure[] }
export type ShownHome = {
  readonly cards: readonly ShownCard[]
  readonly charts: readonly ShownChart[]
  /** The figures that a user bound to a part of the hospital does not see, and the reason. */
  readonly withheld: string | null
  /** The campuses of the hospital, to choose one of. */
  readonly campuses: readonly string[]
  readonly at: string
}

/** How rows of a report are drawn: the parts of a whole, a column a month, or a bar a row. */
export type ChartForm = 'ring' | 'columns' | 'bars'
/**
 * Rows of a report, drawn. Each leads to the page with that row, narrowed by `keys`: the parameter and the column that
 * it takes its value from. Amounts are in yuan.
 */
export type HomeChart = {
  readonly key: string
  readonly title: string
  readonly form: ChartForm
  readonly kind: string
  readonly route: Screen['route']
  readonly tab?: string
  /** The report's parameters beside its days; the first columns of `group_by` give the label of a row. */
  readonly asked: Readonly<Record<string, string>> & { readonly group_by: string }
  readonly days: 'today' | 'month' | 'year'
  readonly of: Readonly<Record<string, string>>
  /** The measure that all its series together are. */
  readonly whole?: Measure
  readonly keys: Readonly<Record<string, string>>
}
export type ShownChartRow = { readonly label: string; readonly values: readonly string[]; readonly route: string }
export type ShownChart = {
  readonly key: string
  readonly title: string
  readonly form: ChartForm
  readonly series: readonly string[]
  readonly rows: readonly ShownChartRow[]
  readonly route: string
}

/** A card of the home page, for people of a store or of a ward. */
export type HomeCard = {
  readonly key: string
  readonly title: string
  readonly for: 'stores' | 'wards'
  readonly figures: readonly HomeFigure[]
}

const claims = { kind: 'requisition', route: '/hospital/SuppliesClaim' } as const
const receipts = { kind: 'wardReceipt', route: '/hospital/receiveInwarehouse' } as const
const checks = { kind: 'useCheck', route: '/hospital/useChargeableCheck', lastWeekBy: 'used_at' } as const
const grns = { kind: 'purchaseGrn', route: '/hospital/purchaseGrn' } as const
/** Created from what a supplier delivered, and not reviewed yet. */
const onTheWay = 'draft,rejected,submitted'
const orders = { kind: 'purchaseOrderWarning', route: '/hospital/purchaseOrderWarnReport' } as const
const bought = { kind: 'supplierSales', route: '/hospital/hospitalSalesDetails' } as const
const used = { kind: 'usageDetails', route: '/commonView/usageDetailsReport' } as const
const settled = { kind: 'settlementDetails', route: '/commonView/settlementDetailsReport' } as const
const stock = { kind: 'departmentInventory', route: '/hospital/hDepartmentInventory' } as const
type Level = readonly [level: string, label: string, urgent?: true]
const runningOut: readonly Level[] = [
  ['expired', '已过期', true],
  ['urgent', '即将到期', true],
  ['soon', '近期到期'],
]
const warnings = (category: string, ...levels: readonly Level[]) =>
  levels.map(
    ([level, label, urgent]): HomeFigure => ({
      label,
      kind: 'warning',
      route: '/commonView/warning',
      tab: '全部预警',
      where: { category, level, state: 'open' },
      ...(urgent ? { urgent } : {}),
    }),
  )

/**
 * The cards in their order. A card shows the figure of the page that it opens, under the same filters; a card whose
 * page the reader does not have is not computed. A new page's card is one more entry.
 */
export const homeCards: readonly HomeCard[] = [
  {
    key: 'claims',
    title: '待审核申领',
    for: 'stores',
    figures: [{ ...claims, label: '张', where: { state: 'submitted' } }],
  },
  {
    key: 'toIssue',
    title: '待配送/待发放',
    for: 'stores',
    figures: [
      { ...claims, label: '张', where: { state: 'reviewed,partial' } },
      { ...claims, label: '加急', where: { state: 'reviewed,partial', is_urgent: 'true' }, urgent: true },
    ],
  },
  {
    key: 'toReceive',
    title: '待科室收货',
    for: 'stores',
    figures: [{ ...receipts, label: '张', where: { state: 'submitted' } }],
  },
  {
    key: 'toTakeIn',
    title: '待入库',
    for: 'stores',
    figures: [
      { ...grns, label: '供应商已发货', where: { state: onTheWay, source_type: `${sourceTypes.ODO}` } },
      { ...grns, label: '已验收', where: { state: onTheWay, source_type: `${sourceTypes.ARRIVAL_RECORD}` } },
      { kind: 'arrivalOrder', route: '/commonView/arrivalOrder', label: '待到货登记', where: { state: onTheWay } },
    ],
  },
  {
    key: 'late',
    title: '逾期未到货',
    for: 'stores',
    figures: [
      { ...orders, label: '行', where: { is_late: 'true' }, urgent: true },
      {
        ...orders,
        label: '未到金额',
        where: { is_late: 'true' },
        sum: 'open_amount',
        hint: '已过要求到货日期的采购订单行中没有到货的金额，含税',
      },
    ],
  },
  {
    key: 'month',
    title: '本月金额',
    for: 'stores',
    figures: [
      { ...bought, label: '采购', where: {}, sum: 'amount', ofMonth: true, compared: true },
      { ...used, label: '使用', where: {}, sum: 'amount', ofMonth: true, compared: true },
      { ...settled, label: '结算', where: {}, sum: 'amount', ofMonth: true, compared: true },
    ],
  },
  {
    key: 'toSettle',
    title: '待结算金额',
    for: 'stores',
    figures: [
      {
        kind: 'settlementLine',
        route: '/hospital/settlementRecord',
        label: '含税',
        where: { state: 'waiting' },
        sum: 'amount',
        hint: '已使用、可以结算而没有结算的他人货物，按结算价，含税',
      },
      { kind: 'settlementLine', route: '/hospital/settlementRecord', label: '笔', where: { state: 'waiting' } },
    ],
  },
  {
    key: 'toCheck',
    title: '待校验发票',
    for: 'stores',
    figures: [
      { kind: 'inboundInvoice', route: '/hospital/settlementInvoiceCheck', label: '张', where: { state: 'submitted' } },
      {
        kind: 'inboundInvoice',
        route: '/hospital/settlementInvoiceCheck',
        label: '含税',
        where: { state: 'submitted' },
        sum: 'taxed_amount',
        hint: '已提交、等待校验的进项发票金额，含税',
      },
    ],
  },
  {
    key: 'toPay',
    title: '待付款',
    for: 'stores',
    figures: [
      {
        kind: 'inboundInvoice',
        route: '/hospital/paymentApplicationH',
        tab: '待申请',
        label: '待申请',
        where: {},
        sum: 'unapplied_amount',
        hint: '已审核的进项发票中没有申请付款、也没有付款的金额',
      },
      {
        kind: 'openItem',
        route: '/commonView/openingPayable',
        tab: '明细',
        label: '期初待申请',
        where: {},
        sum: 'unapplied_amount',
      },
      {
        kind: 'paymentApplication',
        route: '/hospital/paymentApplicationH',
        tab: '已申请待付款',
        label: '已申请待付款',
        // A draft holds no invoice yet, and what was sent back holds none any more.
        where: { state: 'submitted,reviewed,partial' },
        sum: 'unpaid_amount',
        hint: '已提交或审核的付款申请中没有付款的金额',
      },
    ],
  },
  {
    key: 'charges',
    title: 'HIS计费差异',
    for: 'stores',
    figures: [
      { ...checks, label: '漏计费', where: { state: 'missed' }, urgent: true },
      { ...checks, label: '多计费', where: { state: 'over' }, urgent: true },
    ],
  },
  {
    key: 'licences',
    title: '资质预警',
    for: 'stores',
    figures: warnings('CERTIFICATIONEARLY', ...runningOut),
  },
  {
    key: 'registrations',
    title: '注册证预警',
    for: 'stores',
    figures: warnings('PRODUCTREGISTRATION', ...runningOut),
  },
  {
    key: 'expiry',
    title: '近效期预警',
    for: 'stores',
    figures: warnings('PRODUCTEXPIRY', ...runningOut),
  },
  {
    key: 'levels',
    title: '库存上下限预警',
    for: 'stores',
    figures: warnings('PRODUCTINVENTORY', ['none', '无库存', true], ['low', '低于下限', true], ['high', '高于上限']),
  },
  {
    key: 'myClaims',
    title: '我的申领',
    for: 'wards',
    figures: [
      { ...claims, label: '待审核', where: { state: 'submitted' } },
      { ...claims, label: '待发放', where: { state: 'reviewed,partial' } },
      { ...claims, label: '已驳回', where: { state: 'rejected' }, urgent: true },
    ],
  },
  {
    key: 'myReceipts',
    title: '待收货',
    for: 'wards',
    figures: [{ ...receipts, label: '张', where: { state: 'submitted' } }],
  },
  {
    key: 'myStock',
    title: '科室库存预警',
    for: 'wards',
    figures: [
      { ...stock, tab: '按产品', label: '低于下限', where: { stock_state: 'low' } },
      { ...stock, tab: '按批次', label: '已过期', where: { expiry_state: 'expired' }, urgent: true },
      { ...stock, tab: '按批次', label: '近效期', where: { expiry_state: 'near' } },
    ],
  },
  {
    key: 'myUses',
    title: '本月使用',
    for: 'wards',
    figures: [
      {
        kind: 'departmentUse',
        route: '/hospital/useRecord',
        tab: '按单据',
        label: '单',
        where: { state: 'reviewed,partial,completed' },
        ofMonth: true,
      },
      {
        kind: 'departmentUse',
        route: '/hospital/useRecord',
        tab: '按单据',
        label: '件',
        where: { state: 'reviewed,partial,completed' },
        sum: 'total_quantity',
        hint: '本月已审核的科室使用单的件数，按基本单位',
        ofMonth: true,
      },
    ],
  },
]

/** The charts below the cards, for people of stores, in their order. */
export const homeCharts: readonly HomeChart[] = [
  {
    key: 'stock',
    title: '库存金额构成',
    form: 'ring',
    kind: 'stockAsOf',
    route: '/commonView/historicalInventory',
    asked: { group_by: 'ownership,store_class' },
    days: 'today',
    of: { goods_value: '货值' },
    keys: { ownership: 'ownership', store_class: 'store_class' },
  },
  {
    key: 'trend',
    title: '近12个月使用趋势',
    form: 'columns',
    kind: 'useStat',
    route: '/commonView/useStatReport',
    asked: { group_by: 'period', grain: 'month' },
    days: 'year',
    of: { high_amount: '高值', low_amount: '低值', reagent_amount: '试剂' },
    whole: measures.used,
    keys: { begin_date: 'period_begin', end_date: 'period_end' },
  },
  {
    key: 'departments',
    title: '科室使用金额TOP10',
    form: 'bars',
    kind: 'departStatistical',
    route: '/hospital/departStatisticalReport',
    tab: '科室统计',
    asked: { group_by: 'department_name', side: 'use', sort: '-used_amount' },
    days: 'month',
    of: { used_amount: '使用金额' },
    keys: { department_inner_sn: 'department_sn' },
  },
  {
    key: 'suppliers',
    title: '供应商供货金额TOP10',
    form: 'bars',
    kind: 'supplierSalesSummary',
    route: '/hospital/hospitalSalesDetailsSummary',
    asked: { group_by: 'counterparty_name', sort: '-amount' },
    days: 'month',
    of: { amount: '供货金额' },
    keys: { counterparty_sn: 'counterparty_sn' },
  },
]
