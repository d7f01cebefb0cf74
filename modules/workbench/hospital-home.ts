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

/** A number of a card: the rows that a list has under these filters, or a sum that it shows under them. */
export type HomeFigure = {
  readonly label: string
  /** What is listed, and the page and tab on which it is. */
  readonly kind: string
  readonly route: Screen['route']
  readonly tab?: string
  readonly where: Readonly<Record<string, string>>
  /** The sum that is shown, in place of the number of rows. */
  readonly sum?: string
  readonly urgent?: true
  /** The list's filters for the month, where it is about one. */
  readonly ofMonth?: true
  /** The field that lies within the last seven days. */
  readonly lastWeekBy?: string
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
const stock = { kind: 'departmentInventory', route: '/hospital/hDepartmentInventory' } as const
const warnings = (category: string, ...levels: readonly (readonly [level: string, label: string, urgent?: true])[]) =>
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
 * The cards in their order. What a card says is what the page that it opens says under the same filters; a card whose
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
        sum: 'taxed_amount',
      },
      {
        kind: 'paymentApplication',
        route: '/hospital/paymentApplicationH',
        tab: '已申请待付款',
        label: '已申请待付款',
        where: {},
        sum: 'taxed_amount',
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
    figures: warnings(
      'CERTIFICATIONEARLY',
      ['expired', '已过期', true],
      ['urgent', '即将到期', true],
      ['soon', '近期到期'],
    ),
  },
  {
    key: 'registrations',
    title: '注册证预警',
    for: 'stores',
    figures: warnings(
      'PRODUCTREGISTRATION',
      ['expired', '已过期', true],
      ['urgent', '即将到期', true],
      ['soon', '近期到期'],
    ),
  },
  {
    key: 'expiry',
    title: '近效期预警',
    for: 'stores',
    figures: warnings('PRODUCTEXPIRY', ['expired', '已过期', true], ['urgent', '30天内', true], ['soon', '90天内']),
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
        ofMonth: true,
      },
    ],
  },
]
