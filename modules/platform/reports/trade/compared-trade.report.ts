import { f } from '#kernel/definition/field.ts'
import { shows } from '#kernel/measure/measure.ts'
import { measures } from '#modules/base/measures/measures.ts'
import { defineReport } from '#kernel/definition/report.ts'
import { orderlyPeriod, period } from '#modules/platform/reports/item-columns.ts'

const sides = { purchased: '采购', sold: '销售' } as const
/** The reasons why the two sides of a document differ in a period. */
const reasons = {
  on_way: '在途',
  refused: '拒收未收回',
  other_days: '对方记在期间外',
  alone: '未经对方单据',
  unknown: '原因不明',
} as const
const parts = {
  on_way_amount: f.amount('其中：在途'),
  refused_amount: f.amount('其中：拒收未收回'),
  other_days_amount: f.amount('其中：对方记在期间外'),
  alone_amount: f.amount('其中：未经对方单据'),
  unknown_amount: f.amount('其中：原因不明'),
} as const
const wholeOnly = 'the trade with a partner belongs to the organisation, not to a warehouse or department'
const parameters = { ...period, counterparty_sn: f.ref('往来单位', 'organisation') } as const
const page = { route: '/commonView/tradeComparison', title: '往来核对', menu: '财务管理' } as const

const behind = (side: keyof typeof sides, reason?: keyof typeof reasons) =>
  ({
    to: 'comparedDocuments',
    with: { counterparty_sn: 'counterparty_sn', begin_date: '=begin_date', end_date: '=end_date' },
    asking: { side, ...(reason === undefined ? {} : { reason }) },
  }) as const

/** The documents behind each part of a difference. */
const leadsOf = (side: keyof typeof sides) => ({
  difference: behind(side),
  on_way_amount: behind(side, 'on_way'),
  refused_amount: behind(side, 'refused'),
  other_days_amount: behind(side, 'other_days'),
  alone_amount: behind(side, 'alone'),
  unknown_amount: behind(side, 'unknown'),
})
const reasonParts = ['on_way_amount', 'refused_amount', 'other_days_amount', 'alone_amount', 'unknown_amount'] as const
const names = { counterparty_name: f.text('往来单位') } as const
const shared = {
  sqlFile: 'platform/reports/trade/compared-partners.sql',
  wholeOnly,
  parameters,
  validate: orderlyPeriod,
} as const

/**
 * 采购核对: our purchases from each partner beside the sales to us in the partner's books. The difference is made of goods
 * under way, returns that the partner has not taken back yet, documents that one side booked on other days, and our
 * receipts without a delivery of the partner; the remaining difference is wrong. Partners that do not use the program
 * have no figures. In yuan, tax included.
 */
export const comparedPurchases = defineReport({
  kind: 'comparedPurchases',
  title: '采购核对',
  ...shared,
  fixed: { side: 'purchased' },
  columns: {
    ...names,
    our_amount: f.amount('我方采购', shows(measures.purchased)),
    their_amount: f.amount('对方销售'),
    difference: f.amount('差异'),
    ...parts,
  },
  totals: ['our_amount', 'their_amount', 'difference', ...reasonParts],
  drillDown: leadsOf('purchased'),
  screens: [
    {
      ...page,
      tab: '采购核对',
      leads: true,
      orgs: 'HDV',
      purpose: '我方采购与供应商销售逐单位对照，差异分在途、拒收、期间外与单方登记，点击差异打开单据',
      columns: ['counterparty_name', 'our_amount', 'their_amount', 'difference', ...reasonParts],
      filters: [],
    },
  ],
})

/** 销售核对: the same seen from who sells. */
export const comparedSales = defineReport({
  kind: 'comparedSales',
  title: '销售核对',
  ...shared,
  fixed: { side: 'sold' },
  columns: {
    ...names,
    our_amount: f.amount('我方销售', shows(measures.sold)),
    their_amount: f.amount('对方采购'),
    difference: f.amount('差异'),
    ...parts,
  },
  totals: ['our_amount', 'their_amount', 'difference', ...reasonParts],
  drillDown: leadsOf('sold'),
  screens: [
    {
      ...page,
      tab: '销售核对',
      orgs: 'DV',
      purpose: '我方销售与客户采购逐单位对照，差异分在途、拒收、期间外与单方登记，点击差异打开单据',
      columns: ['counterparty_name', 'our_amount', 'their_amount', 'difference', ...reasonParts],
      filters: [],
    },
  ],
})

/**
 * 差异单据: the documents that are not the same at both sides in the period, each with why; what is on its way and what
 * was booked on other days are a row each. The rows of a partner add up to his difference.
 */
export const comparedDocuments = defineReport({
  kind: 'comparedDocuments',
  title: '往来差异单据',
  sqlFile: 'platform/reports/trade/compared-documents.sql',
  wholeOnly,
  parameters: {
    side: f.pick('方向', sides, { default: 'purchased' }),
    ...parameters,
    reason: f.pick('差异原因', reasons),
  },
  validate: orderlyPeriod,
  columns: {
    ...names,
    reason: f.pick('差异原因', reasons, { tones: { unknown: 'danger', refused: 'warning' } }),
    document_sn: f.text('我方单据', { width: 150 }),
    our_day: f.day('我方日期'),
    our_amount: f.amount('期间内我方金额'),
    their_sn: f.text('对方单据', { width: 150 }),
    their_day: f.day('对方日期'),
    their_amount: f.amount('期间内对方金额'),
    difference: f.amount('差异'),
  },
  totals: ['difference'],
  groupBy: ['counterparty_name', 'reason'],
  drillDown: { document_sn: { document: 'document_kind' } },
  screens: [
    {
      ...page,
      tab: '差异单据',
      orgs: 'HDV',
      purpose: '双方金额不同的每张单据与原因，合计等于往来核对的差异',
      columns: [
        'counterparty_name',
        'reason',
        'document_sn',
        'our_day',
        'our_amount',
        'their_sn',
        'their_day',
        'their_amount',
        'difference',
      ],
      filters: [],
    },
  ],
})
