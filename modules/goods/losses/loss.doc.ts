import { isPastUse } from '#kernel/rules/shelf-life.ts'
import { defineDocument, type DocOf } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { postingLifecycle } from '#kernel/definition/lifecycle.ts'
import { outside, store, transit } from '#kernel/ledger/posting.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import {
  codesMatchQuantity,
  eachLine,
  everyLine,
  hasFiles,
  hasLines,
  needs,
  notInFuture,
  positiveQuantity,
} from '#modules/base/vocabulary/validators.ts'
import { costAmount, costedGoods } from '#modules/base/vocabulary/line-fields.ts'
import { signingColumns, signingFilters, signingTabs } from '#modules/goods/losses/approval-tabs.ts'
import { bearers, ownersLearn } from '#modules/goods/losses/loss-lines.ts'
import { moved } from '#modules/base/vocabulary/stock-moves.ts'

const listed = [
  'sn',
  'loss_type',
  'warehouse_model_inner_sn',
  'line_count',
  'total_quantity',
  'taxed_amount',
  'handler_inner_sn',
  'business_date',
  'reviewed_by_name',
  'state',
] as const
const filtered = ['sn', 'loss_type', 'source_sn', 'warehouse_model_inner_sn', 'business_date', 'state'] as const

/** Kinds that leave something to photograph. */
const pictured = ['broken', 'soiled']
/** Kinds where the goods are gone, whatever their state was. */
const vanished = ['missing', 'counted', 'transport']

/** Sources whose goods are lost in transit. */
const onTheWay: readonly number[] = [sourceTypes.GRANT_LOST, sourceTypes.ALLOT_LOST, sourceTypes.LOAN_LOST]
const lostOnTheWay = {
  sameUnits: true,
  inTransitOnly: true,
  newestFirst: true,
  states: ['reviewed', 'partial'],
  headerDefaults: { loss_type: 'transport' },
  // The sender bears the loss.
  headerMap: { to_warehouse_model_inner_sn: 'warehouse_model_inner_sn' },
  overdrawnMessage: '报损数量不能大于在途数量{n}',
} as const

const header = {
  warehouse_model_inner_sn: f.ref('仓库', 'warehouse', { required: true }),
  to_warehouse_model_inner_sn: f.ref('发出仓库', 'warehouse', { readOnly: true, dialogOnly: true }),
  loss_type: f.pick(
    '报损类型',
    { counted: '盘亏', broken: '破损', soiled: '污染', missing: '丢失', transport: '运输损坏', other: '其他' },
    { default: 'broken' },
  ),
  department_inner_sn: f.ref('责任部门', 'department'),
  responsible_inner_sn: f.ref('责任人', 'employee'),
  bearer: f.pick('赔付方式', bearers, { default: 'none' }),
  claim_state: f.pick('赔付状态', { 1: '未登记', 2: '已登记' }, { readOnly: true, default: '1' }),
  claim_payer_inner_sn: f.ref('赔付人', 'employee', { dialogOnly: true }),
  claim_amount: f.amount('赔付金额', { dialogOnly: true, min: '0.01' }),
  claim_date: f.day('赔付日期', { dialogOnly: true }),
  claim_note: f.text('赔付说明', { dialogOnly: true, max: 200 }),
  handler_inner_sn: f.ref('申请人', 'employee'),
  business_date: f.day('报损日期'),
  loss_reason: f.text('报损原因', { max: 200 }),
  taxed_amount: costAmount,
  remark: f.longText('备注', { max: 500 }),
  attachments: f.files('附件'),
}
const lines = {
  ...costedGoods,
  quantity: f.quantity('报损数量', { required: true, min: '0.001' }),
  line_reason: f.text('报损原因', { max: 200 }),
  pictures: f.files('照片'),
  remark: f.text('备注', { max: 200 }),
}
type Doc = DocOf<typeof header, typeof lines>

const life = postingLifecycle<Doc>({
  submit: [
    hasLines,
    needs('warehouse_model_inner_sn', '请选择仓库'),
    positiveQuantity,
    codesMatchQuantity,
    everyLine('请填写报损原因', (line, doc) => Boolean(line.line_reason) || Boolean(doc.loss_reason)),
    everyLine('请上传破损照片', (line, doc) => !pictured.includes(String(doc.loss_type)) || hasFiles(line, 'pictures')),
    eachLine((line, doc) => {
      const unusable = line.quality_state === 'unqualified' || isPastUse(line, doc)
      return !unusable || vanished.includes(String(doc.loss_type)) || '实物存在的过期/不合格品请使用报废单'
    }),
  ],
  notByAuthor: true,
  selfReviewMessage: '不能审核本人提交的单据',
  blockedMessage: '报损已进入供应商结算，不能反审核，请红冲',
})

/**
 * Documents that wait for their approver, and those the approver decided: tabs of the one page of losses, and a page of
 * their own.
 */
const signing = {
  orgs: 'HDV',
  menu: '损溢管理',
  columns: [...listed, ...signingColumns, 'reviewed_at'],
  filters: [...filtered, ...signingFilters],
} as const
const signingPurpose = '等待本人审核的报损：核对原因与照片，最后一级审核后扣减库存'

/**
 * 报损单: missing or ruined goods leave the ledger at cost. Nothing is owed; for a supplier's goods the supplier is
 * notified, and paid in its next settlement if the hospital bears the loss.
 */
export const loss = defineDocument({
  kind: 'loss',
  title: '报损单',
  numberPrefix: 'BS',
  category: 'internal',
  ownerTypes: 'HDV',
  facts: { lost: 1, damaged: 1, issued: 1 },
  header,
  lines,
  lineRules: {
    scanning: {},
  },
  actions: {
    ...life,
    fileClaim: {
      label: '登记赔付',
      from: ['reviewed'],
      to: null,
      inputs: ['claim_payer_inner_sn', 'claim_amount', 'claim_date', 'claim_note'],
      sets: { claim_state: '2' },
      guards: [
        doc => doc.bearer === 'person' || '赔付方式为责任人赔付的报损单才能登记赔付',
        needs('claim_payer_inner_sn', '请选择赔付人'),
        needs('claim_amount', '请填写赔付金额'),
        needs('claim_date', '请填写赔付日期'),
        notInFuture('claim_date', '赔付日期不能晚于今天'),
      ],
    },
  },
  lifecycle: {
    reversibleAfter: ['settle'],
  },
  sourcing: {
    sources: [
      {
        from: 'stockTake',
        for: 'stockTake',
        sourceType: sourceTypes.STOCK_TAKE,
        purpose: 'adjust',
        eligible: { line: { direction: ['short'] }, message: '该行不是盘亏，请选择盘亏的盘点行' },
        sameBalance: true,
        headerDefaults: { loss_type: 'counted' },
        overdrawnMessage: '报损数量不能大于盘亏数量{n}',
      },
      // 在途报损: goods that were issued or sent to another warehouse and never arrived are lost from where they are, in
      // transit.
      {
        ...lostOnTheWay,
        from: 'grantOdo',
        for: 'grantLost',
        label: '发放出库单（在途报损）',
        sourceType: sourceTypes.GRANT_LOST,
        purpose: 'refuse',
        sharesLimitWith: ['ward_receive'],
      },
      {
        ...lostOnTheWay,
        from: 'transfer',
        for: 'transferLost',
        label: '调拨单（在途报损）',
        sourceType: sourceTypes.ALLOT_LOST,
        purpose: 'return',
        sharesLimitWith: ['receive'],
        eligible: { header: { transfer_type: ['allot', 'borrow', 'across'] }, message: '移库一步到位，没有在途货物' },
      },
      // Loaned goods that an operation never gave back.
      {
        ...lostOnTheWay,
        from: 'boneBack',
        for: 'loanLost',
        label: '骨科退回单（丢失损坏）',
        sourceType: sourceTypes.LOAN_LOST,
        purpose: 'scrap',
        headerDefaults: { loss_type: 'missing' },
        states: ['reviewed', 'partial', 'completed'],
        eligible: { line: { return_kind: ['lost', 'damaged'] }, message: '该行已退回，没有丢失或损坏' },
      },
    ],
  },
  posting: {
    stockDirection: 'out',
    reservesStock: true,
    postings: (doc, book) => ({
      moves: doc.lines.map(line =>
        moved(
          line,
          book,
          'loss',
          onTheWay.includes(doc.source_type)
            ? transit(line.location ?? '')
            : store(doc.warehouse_model_inner_sn, line.location),
          outside(),
        ),
      ),
    }),
  },
  compliance: {
    takesUnfit: [{ why: 'they are gone' }],
  },
  pricing: {
    costing: 'leaving',
  },
  intercompany: {
    copies: [ownersLearn('loss', '寄售货物已报损', ['loss_type', 'bearer'])],
  },
  screens: [
    {
      route: '/commonView/frmLoss',
      tab: '报损单',
      leads: true,
      title: '报损单',
      orgs: 'HDV',
      menu: '损溢管理',
      purpose: '登记缺失、破损、污染的货物，审核后出账；已审核的在这里红冲、登记赔付',
      columns: [
        ...listed,
        'source_sn',
        'loss_reason',
        'responsible_inner_sn',
        'owner_names',
        'department_inner_sn',
        'bearer',
        'claim_state',
        'claim_amount',
        'rejected_for',
      ],
      filters: [...filtered, 'specification_sn', 'lot_no', 'unit_code', 'department_inner_sn'],
    },
    ...signingTabs({ ...signing, route: '/commonView/frmLoss', title: '报损单' }, signingPurpose),
    ...signingTabs({ ...signing, route: '/commonView/frmLossCheck', title: '报损审核', hidden: true }, signingPurpose),
    {
      route: '/commonView/reportingLoss',
      hidden: true,
      tab: '全部报损',
      title: '报损管理',
      orgs: 'HDV',
      menu: '损溢管理',
      purpose: '全部报损：金额、原因、责任人；已审核的在这里红冲',
      columns: [
        ...listed,
        'source_sn',
        'owner_names',
        'department_inner_sn',
        'responsible_inner_sn',
        'bearer',
        'claim_state',
        'claim_amount',
        'reviewed_at',
      ],
      filters: [...filtered, 'specification_sn', 'lot_no', 'department_inner_sn'],
      where: { mine: 'drafts' },
      actions: ['unreview', 'redReverse', 'fileClaim'],
    },
  ],
})
