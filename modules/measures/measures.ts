import { defineMeasures } from '#kernel/measure/measure.ts'

/**
 * The figures of the supply chain, in yuan. Days are those of the review unless a sentence says otherwise; what undoes
 * a document counts on its own day with a minus.
 */
export const measures = defineMeasures({
  purchased: {
    label: '采购入库净额（含税）',
    says: '采购入库与结算入库减采购退货与红冲，含税，按审核日期；寄售货物在结算时计入，不含期初、调拨与其他入库',
    of: 'receivedLines',
    column: 'amount',
    orgs: 'HDV',
  },
  purchasedUntaxed: {
    label: '采购入库净额（不含税）',
    says: '采购入库与结算入库减采购退货与红冲，不含税，按审核日期',
    of: 'receivedLines',
    column: 'untaxed_amount',
    orgs: 'HDV',
  },
  purchaseTax: {
    label: '采购入库净税额',
    says: '采购入库与结算入库减采购退货与红冲的税额，按审核日期',
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
  },
  stock: {
    label: '库存金额',
    says: '期末日在各仓库的自有货物，按成本；不含在途，不含他人寄售的货物',
    of: 'inventorySummaryReport',
    column: 'closing_value',
    orgs: 'HDV',
  },
})
