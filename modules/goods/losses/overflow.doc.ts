import { defineDocument, type DocOf } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { isPositive } from '#kernel/values/decimal.ts'
import { postingLifecycle } from '#kernel/definition/lifecycle.ts'
import { outside, store } from '#kernel/ledger/posting.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import {
  codesMatchQuantity,
  everyLine,
  expiredIsUnqualified,
  hasLines,
  needs,
  positiveQuantity,
} from '#modules/base/vocabulary/validators.ts'
import { moved } from '#modules/base/vocabulary/stock-moves.ts'
import { costAmount, costedGoods } from '#modules/base/vocabulary/line-fields.ts'
import { ownersLearn } from '#modules/goods/losses/loss-lines.ts'
import { signingColumns, signingFilters, signingTabs } from '#modules/goods/losses/approval-tabs.ts'

const listed = [
  'sn',
  'overflow_type',
  'warehouse_model_inner_sn',
  'line_count',
  'total_quantity',
  'taxed_amount',
  'overflow_reason',
  'handler_inner_sn',
  'business_date',
  'reviewed_by_name',
  'state',
] as const

const header = {
  warehouse_model_inner_sn: f.ref('仓库', 'warehouse', { required: true }),
  overflow_type: f.pick(
    '报溢类型',
    { counted: '盘盈', ungranted: '多发未退', rest: '拆零余量', other: '其他' },
    { default: 'counted' },
  ),
  overflow_reason: f.text('报溢原因', { max: 200 }),
  origin: f.text('来源说明', { max: 200 }),
  handler_inner_sn: f.ref('申请人', 'employee'),
  business_date: f.day('报溢日期'),
  taxed_amount: costAmount,
  remark: f.longText('备注', { max: 500 }),
  attachments: f.files('附件'),
}
const lines = {
  ...costedGoods,
  production_date: f.day('生产日期'),
  expiry_date: f.day('有效期至'),
  price: f.unitCost('成本单价', { min: '0', hint: '留空时取该批次的平均成本' }),
  quantity: f.quantity('报溢数量', { required: true, min: '0.001' }),
  line_reason: f.text('报溢原因', { max: 200 }),
  remark: f.text('备注', { max: 200 }),
}
type Doc = DocOf<typeof header, typeof lines>

const filtered = [
  'sn',
  'overflow_type',
  'source_sn',
  'warehouse_model_inner_sn',
  'specification_sn',
  'lot_no',
  'unit_code',
  'business_date',
  'state',
] as const

/**
 * 报溢单: goods that are in the store but not in the ledger are booked in at the cost of their lot. Nothing is owed for
 * them.
 */
export const overflow = defineDocument({
  kind: 'overflow',
  title: '报溢单',
  numberPrefix: 'BY',
  category: 'internal',
  ownerTypes: 'HDV',
  facts: { unowed: 1, received: 1, found: 1 },
  header,
  lines,
  lineRules: {
    scanning: {},
  },
  actions: postingLifecycle<Doc>({
    submit: [
      hasLines,
      needs('warehouse_model_inner_sn', '请选择仓库'),
      positiveQuantity,
      expiredIsUnqualified,
      codesMatchQuantity,
      everyLine('请填写报溢原因', (line, doc) => Boolean(line.line_reason) || Boolean(doc.overflow_reason)),
      everyLine('成本单价为0，请在备注中说明原因', line => isPositive(line.price) || Boolean(line.remark)),
    ],
    notByAuthor: true,
    selfReviewMessage: '不能审核本人提交的单据',
    blockedMessage: '单据已发生后续业务，不能反审核',
  }),
  sourcing: {
    sources: [
      {
        from: 'stockTake',
        for: 'stockTake',
        sourceType: sourceTypes.STOCK_TAKE,
        purpose: 'adjust',
        eligible: { line: { direction: ['surplus'] }, message: '该行不是盘盈，请选择盘盈的盘点行' },
        sameBalance: true,
        headerDefaults: { overflow_type: 'counted' },
        overdrawnMessage: '报溢数量不能大于盘点差异数量{n}',
      },
    ],
  },
  lifecycle: { columnLabels: { total_quantity: '报溢数量' } },
  posting: {
    stockDirection: 'in',
    postings: (doc, book) => ({
      moves: doc.lines.map(line => {
        // A supplier's goods have no cost for the organisation that stores them.
        const value = line.owner_org_sn && line.owner_org_sn !== book.org ? '0.00' : line.taxed_amount
        return moved(line, book, 'overflow', outside(), store(doc.warehouse_model_inner_sn, line.location), value)
      }),
    }),
  },
  compliance: {
    allowsExpired: true,
  },
  pricing: {
    costing: 'known',
  },
  intercompany: {
    copies: [ownersLearn('overflow', '寄售货物报溢', ['overflow_type'])],
  },
  screens: [
    {
      route: '/commonView/reportOverflow',
      title: '报溢单',
      orgs: 'DV',
      menu: '损溢管理',
      purpose: '登记账外实物，提交审核后入账',
      columns: [...listed, 'source_sn', 'rejected_for'],
      filters: filtered,
      actions: ['add', 'edit', 'del', 'submit', 'unsubmit', 'cancel'],
    },
    {
      route: '/hospital/reportOverflow',
      title: '报溢单',
      orgs: 'H',
      menu: '损溢管理',
      purpose: '登记中心库与科室的账外实物，提交审核后入账',
      columns: [...listed, 'source_sn', 'rejected_for'],
      filters: filtered,
      actions: ['add', 'edit', 'del', 'submit', 'unsubmit', 'cancel'],
    },
    ...signingTabs(
      {
        route: '/commonView/reportOverflowCheck',
        title: '报溢审核',
        orgs: 'HDV',
        menu: '损溢管理',
        columns: [...listed, ...signingColumns, 'reviewed_at'],
        filters: ['sn', 'overflow_type', 'warehouse_model_inner_sn', ...signingFilters, 'business_date', 'state'],
      },
      '等待本人审核的报溢：核对来源与依据，最后一级审核后货物入账',
    ),
    {
      route: '/commonView/reportingOverflow',
      tab: '全部报溢',
      title: '报溢管理',
      orgs: 'HDV',
      menu: '损溢管理',
      purpose: '全部报溢：金额与原因；已审核的在这里红冲',
      columns: [...listed, 'source_sn', 'owner_names', 'reviewed_at'],
      filters: filtered,
      where: { mine: 'drafts' },
      actions: ['unreview', 'redReverse'],
    },
  ],
})
