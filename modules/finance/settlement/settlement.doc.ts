import { defineDocument, type DocOf } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { lifecycle, stop } from '#kernel/definition/lifecycle.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { hasLines, inOrder, needs, someQuantity } from '#modules/base/vocabulary/validators.ts'
import { pieces, priced, remarked, usedGoods } from '#modules/base/vocabulary/line-fields.ts'

/** The supplier's answer; 4 is set automatically if the supplier does not answer in time. */
const confirmStates = { '1': '待确认', '2': '已确认', '3': '有异议', '4': '自动确认' } as const

const header = {
  counterparty_sn: f.ref('供应商', 'organisation', { required: true, optionsFilter: { relation: 'supplier' } }),
  settlement_type: f.pick('结算类型', {
    high_value: '高值',
    low_value: '低值寄售',
    reagent: '试剂',
    surgery: '跟台',
  }),
  begin_date: f.day('结算期间起'),
  end_date: f.day('结算期间止'),
  warehouse_model_inner_sn: f.ref('结算仓库', 'warehouse'),
  confirm_state: f.pick('供应商确认状态', confirmStates, { readOnly: true, default: '1' }),
  answer_reason: f.text('异议原因', { readOnly: true }),
  settled_on: f.day('医院审核日', { readOnly: true, dialogOnly: true }),
  handler_inner_sn: f.ref('经办人', 'employee'),
  business_date: f.day('结算日'),
  remark: f.longText('备注', { max: 500 }),
  attachments: f.files('附件'),
}
const lines = {
  ...usedGoods,
  ...pieces(),
  // Uses reversed after their settlement are negative lines.
  quantity: f.quantity('结算数量', { required: true }),
  ...priced('结算单价'),
  ...remarked,
}
type Doc = DocOf<typeof header, typeof lines>

const agreed = (doc: Doc): boolean => ['2', '4'].includes(String(doc.confirm_state))

const life = lifecycle<Doc>({
  submit: [
    hasLines,
    needs('counterparty_sn', '请选择供应商'),
    someQuantity,
    inOrder('begin_date', 'end_date', '结算期间止不能早于期间起'),
  ],
  review: [
    doc => doc.confirm_state !== '3' || '供应商有异议，请先处理',
    doc => agreed(doc) || '结算单尚未经供应商确认',
  ],
})

/**
 * 结算单: the consigned goods of one supplier that were used in a period, summed up for the supplier to confirm. It
 * books nothing; the 结算入库单 made from it does. It is 部分执行 from its first receipt on and 已完成 once all of it is paid,
 * on both sides.
 */
export const settlement = defineDocument({
  kind: 'settlement',
  title: '结算单',
  numberPrefix: 'JS',
  category: 'finance',
  ownerTypes: 'H',
  facts: { settled: 1 },
  copyFacts: { settled: 1 },
  header,
  lines,
  actions: {
    submit: { ...life.submit, sets: { confirm_state: '1' } },
    unsubmit: {
      ...life.unsubmit,
      sets: { confirm_state: '1' },
      guards: [doc => !agreed(doc) || '供应商已确认，不能撤回'],
    },
    confirm: {
      label: '供应商确认',
      from: ['submitted'],
      to: null,
      by: 'counterparty',
      tone: 'primary',
      sets: { confirm_state: '2' },
      guards: [doc => !agreed(doc) || '结算单已确认，无需重复确认'],
    },
    dispute: {
      label: '提出异议',
      from: ['submitted'],
      to: null,
      by: 'counterparty',
      tone: 'danger',
      requiresReason: true,
      sets: { confirm_state: '3' },
      guards: [doc => !agreed(doc) || '结算单已确认，不能提出异议'],
    },
    review: life.review,
    reject: life.reject,
    unreview: { ...life.unreview, guards: [doc => doc.confirm_state !== '2' || '供应商已确认，不能反审核'] },
    stop,
    cancel: {
      ...life.cancel,
      from: ['draft', 'rejected', 'submitted'],
      guards: [doc => !agreed(doc) || '供应商已确认，不能作废'],
    },
  },
  lifecycle: {
    columnLabels: { total_quantity: '结算数量' },
    stateLabels: { submitted: '待确认' },
    listActions: {
      generate: {
        label: '按期间生成',
        inputs: {
          counterparty_sn: f.ref('供应商', 'organisation', {
            optionsFilter: { relation: 'supplier' },
            hint: '留空为每个供应商各生成一张',
          }),
          begin_date: f.day('结算期间起', { hint: '起止都留空为最近一个结算期间，止于规则配置的月结算日' }),
          end_date: f.day('结算期间止'),
        },
      },
    },
  },
  sourcing: {
    sources: [
      {
        from: 'departmentUse',
        for: 'use',
        sourceType: sourceTypes.USE,
        purpose: 'settle',
        multipleSources: true,
      },
      {
        from: 'surgeryUse',
        for: 'surgeryUse',
        sourceType: sourceTypes.SURGERY_USE,
        purpose: 'settle',
        multipleSources: true,
      },
      { from: 'grantOdo', for: 'grant', sourceType: sourceTypes.GRANT, purpose: 'settle', multipleSources: true },
      { from: 'loss', for: 'loss', sourceType: sourceTypes.LOSS, purpose: 'settle', multipleSources: true },
      { from: 'scrap', for: 'scrap', sourceType: sourceTypes.SCRAP, purpose: 'settle', multipleSources: true },
    ],
  },
  progress: {
    main: 'settle',
    // Received is not the end of it: see `settledInFull`.
    completesLater: true,
    sharesState: true,
    statuses: { settle_state: 'settle', invoice_state: 'invoice' },
    statusLabels: { settle_state: { label: '结算入库状态', choices: { 1: '未入库', 2: '部分入库', 3: '已入库' } } },
  },
  posting: {
    stockDirection: 'named',
  },
  intercompany: {
    copies: [
      {
        on: 'submit',
        header: ['settlement_type', 'begin_date', 'end_date', 'confirm_state'],
        lines: ['used_on'],
        message: { title: '收到新的结算单，请确认', uri: 'settlementManage' },
      },
    ],
  },
  screens: [
    {
      route: '/commonView/settlementManage',
      title: '结算管理',
      orgs: 'HDV',
      menu: '结算管理',
      purpose: '按期间汇总已使用的寄售货物，供应商确认后结算入库、开票、付款',
      columns: [
        'sn',
        'settlement_type',
        'counterparty_sn',
        'begin_date',
        'end_date',
        'use_count',
        'line_count',
        'total_quantity',
        'untaxed_amount',
        'tax_amount',
        'taxed_amount',
        'service_fee',
        'confirm_state',
        'answer_reason',
        'settle_state',
        'invoice_state',
        'payment_state',
        'created_by_name',
        'reviewed_at',
        'state',
      ],
      filters: [
        'sn',
        'counterparty_sn',
        'begin_date',
        'end_date',
        'settlement_type',
        'specification_sn',
        'lot_no',
        'unit_code',
        'confirm_state',
        'settle_state',
        'invoice_state',
        'payment_state',
        'state',
      ],
    },
  ],
})
