import { defineMeasures } from '#kernel/measure/measure.ts'

/** Money between organisations is what their accounts say, by the day of posting. */
const ofPayables = { of: 'receivablePayableSummary', where: { direction: 'payable' } } as const
/** The column names of the reports that set two sides beside each other. */
const besides = { theirs: 'their_amount', unexplained: 'unknown_amount' } as const
const ofReceivables = { of: 'receivablePayableSummary', where: { direction: 'receivable' } } as const

/**
 * The figures of the supply chain, in yuan. Days are those of the review unless a sentence says otherwise; what undoes
 * a document counts on its own day with a minus.
 */
export const measures = defineMeasures({
  purchased: {
    label: '采购入库净额（含税）',
    says: '采购入库与结算入库减采购退货与红冲，含税，按审核日期；寄售货物在结算时计入，不含期初、调拨与其他入库；对方拒收的退货按拒收日期加回',
    of: 'receivedLines',
    column: 'amount',
    orgs: 'HDV',
    ledger: { direction: 'payable', fact: 'purchased' },
    counterpart: { measure: 'sold', of: 'comparedPurchases', ...besides },
  },
  purchasedUntaxed: {
    label: '采购入库净额（不含税）',
    says: '采购入库与结算入库减采购退货与红冲，不含税，按审核日期；对方拒收的退货按拒收日期加回',
    of: 'receivedLines',
    column: 'untaxed_amount',
    orgs: 'HDV',
  },
  purchaseTax: {
    label: '采购入库净税额',
    says: '采购入库与结算入库减采购退货与红冲的税额，按审核日期；对方拒收的退货按拒收日期加回',
    of: 'receivedLines',
    column: 'tax_amount',
    orgs: 'HDV',
  },
  madeOrOther: {
    label: '生产与其他入库（含税）',
    says: '其他入库单减红冲，含税，按审核日期；生产厂家的生产入库在此',
    of: 'receivedLines',
    column: 'amount',
    where: { grn_type: 'otherGrn' },
    orgs: 'V',
  },
  granted: {
    label: '净发放金额（含税）',
    says: '科室发放减科室退库，含税，按审核日期',
    of: 'issuedLines',
    column: 'amount',
    orgs: 'H',
  },
  used: {
    label: '使用金额（含税）',
    says: '科室使用与手术使用减撤回与红冲，含税，按使用日期；寄售货物按结算价，自有货物按进价',
    of: 'usageDetails',
    column: 'amount',
    orgs: 'HDV',
  },
  settled: {
    label: '结算金额（含税）',
    says: '已审核的结算单金额减红冲，含税，按结算日期',
    of: 'settlementDetails',
    column: 'amount',
    orgs: 'HDV',
  },
  sold: {
    label: '销售额（含税）',
    says: '买断货物出库、跟台销售与寄售结算减销售退货与红冲，含税，按审核日期；寄售货物发出时不计，结算时计入',
    of: 'issuedLines',
    column: 'amount',
    orgs: 'DV',
    ledger: { direction: 'receivable', fact: 'sold' },
    counterpart: { measure: 'purchased', of: 'comparedSales', ...besides },
  },
  stock: {
    label: '库存金额',
    says: '期末日在各仓库的自有货物，按成本；不含在途，不含他人寄售的货物',
    of: 'inventorySummaryReport',
    column: 'closing_value',
    orgs: 'HDV',
    ledger: 'stock',
  },
  ordered: {
    label: '采购订单额（含税）',
    says: '已审核的采购订单金额，含税，按业务日期；终止的订单只计已到货部分',
    of: 'supplierFigures',
    column: 'order_amount',
    orgs: 'H',
  },
  billed: {
    label: '收票金额（含税）',
    says: '已审核的进项发票减红冲与反审核，含税含尾差，按记账日期，不含期初',
    ...ofPayables,
    column: 'invoiced_amount',
    orgs: 'HDV',
  },
  invoiced: {
    label: '开票金额（含税）',
    says: '已审核的销项发票减红冲与反审核，含税含尾差，按记账日期，不含期初',
    ...ofReceivables,
    column: 'invoiced_amount',
    orgs: 'DV',
  },
  paid: {
    label: '付款金额',
    says: '付款单、预付款付款与服务费付款减退款、红冲与反审核，按记账日期；不含折让、核销与抵扣',
    ...ofPayables,
    column: 'money_amount',
    orgs: 'HDV',
  },
  collected: {
    label: '收款金额',
    says: '收款单、预收款与服务费收款减退款、红冲与反审核，按记账日期；不含折让、核销与抵扣',
    ...ofReceivables,
    column: 'money_amount',
    orgs: 'HDV',
  },
  payable: {
    label: '应付余额',
    says: '截止日欠往来单位的货款与服务费，含税：暂估加已开票未付，含期初，不减预付',
    ...ofPayables,
    column: 'closing_amount',
    orgs: 'HDV',
  },
  payableEstimated: {
    label: '暂估应付',
    says: '截止日已入库未收票的应付，含税',
    ...ofPayables,
    column: 'unbilled_amount',
    orgs: 'HDV',
  },
  payableBilled: {
    label: '已收票应付',
    says: '截止日已收票、服务费与期初未付的部分，含税',
    ...ofPayables,
    column: 'billed_amount',
    orgs: 'HDV',
  },
  overduePayable: {
    label: '逾期应付',
    says: '到期日早于截止日的未付发票、服务费与期初，含税；未收票的不算逾期',
    ...ofPayables,
    column: 'overdue_amount',
    orgs: 'HDV',
  },
  prepaid: {
    label: '预付余额',
    says: '截止日已付、尚未核销或退回的预付款',
    ...ofPayables,
    column: 'advance_amount',
    orgs: 'HDV',
  },
  receivable: {
    label: '应收余额',
    says: '截止日往来单位欠的货款与服务费，含税：未开票加已开票未收，含期初，不减预收',
    ...ofReceivables,
    column: 'closing_amount',
    orgs: 'HDV',
  },
  receivableUnbilled: {
    label: '未开票应收',
    says: '截止日已出库或已结算、未开票的应收，含税',
    ...ofReceivables,
    column: 'unbilled_amount',
    orgs: 'DV',
  },
  overdueReceivable: {
    label: '逾期应收',
    says: '到期日早于截止日的未收发票、服务费与期初，含税；未开票的不算逾期，销项发票的到期日为审核日期加账期',
    ...ofReceivables,
    column: 'overdue_amount',
    orgs: 'DV',
  },
  prereceived: {
    label: '预收余额',
    says: '截止日已收、尚未核销或退回的预收款',
    ...ofReceivables,
    column: 'advance_amount',
    orgs: 'DV',
  },
})
