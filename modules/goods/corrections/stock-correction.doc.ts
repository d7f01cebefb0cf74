import { defineDocument, type DocOf } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { postingLifecycle } from '#kernel/definition/lifecycle.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import {
  answerStates,
  correctionTypes,
  correctionSays,
  filled,
  isAnswering,
  isConsigned,
  isOfSale,
  isOtherLot,
  isPending,
  lotCauses,
  postCorrection,
  titles,
  typeOf,
} from '#modules/goods/corrections/correction-posting.ts'
import {
  eachLine,
  everyLineHasSource,
  hasFiles,
  hasLines,
  needs,
  positiveQuantity,
} from '#modules/base/vocabulary/validators.ts'
import { memoFalls, memoGrows } from '#modules/base/vocabulary/stock-moves.ts'

const ofReceipt = {
  sourceType: sourceTypes.GRN,
  purpose: 'amend',
  nonConsuming: true,
  sameUnits: true,
  newestFirst: true,
  states: ['reviewed', 'partial', 'completed'],
  notReadyMessage: '原单未审核，请直接修改原单',
} as const

/** True if the correction states that another lot was sold. */
const saysLot = (doc: Doc): boolean => isOfSale(doc) && typeOf(doc) === 'lot' && doc.lines.some(isOtherLot)
const ofTheirs = (doc: Doc): true | string => !isAnswering(doc) || '对方发起的变更，请审核表示同意，或驳回并说明原因'

const header = {
  change_type: f.pick('变更类型', correctionTypes, { default: 'lot', required: true, width: 140 }),
  source_title: f.text('原单类型', { readOnly: true }),
  counterparty_sn: f.ref('往来单位', 'organisation'),
  new_counterparty_sn: f.ref('更正后供应商/货主', 'organisation', { optionsFilter: { relation: 'supplier' } }),
  warehouse_model_inner_sn: f.ref('仓库', 'warehouse', { required: true }),
  change_reason: f.text('变更原因', { max: 200, required: true }),
  old_amount: f.amount('变更前金额', { readOnly: true }),
  new_amount: f.amount('变更后金额', { readOnly: true }),
  taxed_amount: f.amount('影响金额', { readOnly: true }),
  lot_cause: f.pick('批号差错原因', lotCauses, { dialogOnly: true, hint: '更正销售出库单的批号时填写' }),
  impact_note: f.longText('影响分析', { readOnly: true, max: 2000 }),
  quality_opinion: f.text('质量意见', { max: 200, dialogOnly: true }),
  answer_state: f.pick('对方确认', answerStates, { readOnly: true, default: '0' }),
  answers_sn: f.text('对方变更单号', { readOnly: true }),
  answer_reason: f.text('对方意见', { readOnly: true }),
  handler_inner_sn: f.ref('申请人', 'employee'),
  business_date: f.day('申请日期'),
  attachments: f.files('附件'),
  remark: f.longText('备注', { max: 500 }),
}
const lines = {
  specification_sn: f.ref('规格型号', 'specification', { required: true }),
  lot_no: f.lot('批号', { readOnly: true }),
  new_lot_no: f.lot('更正后批号', { max: 40 }),
  production_date: f.day('生产日期', { readOnly: true }),
  new_production_date: f.day('更正后生产日期'),
  expiry_date: f.day('有效期至', { readOnly: true }),
  new_expiry_date: f.day('更正后有效期至'),
  unit_codes: f.codes('院内码'),
  new_codes: f.newPieces('更正后院内码'),
  unit_inner_sn: f.ref('单位', 'unitTree'),
  quantity: f.quantity('变更数量', { required: true, min: '0.001' }),
  old_price: f.price('变更前单价', { readOnly: true }),
  new_price: f.price('变更后单价', { min: '0' }),
  old_rate: f.taxRate('变更前税率', { readOnly: true }),
  new_rate: f.taxRate('变更后税率'),
  old_amount: f.amount('变更前金额', { readOnly: true }),
  new_amount: f.amount('变更后金额', { readOnly: true }),
  taxed_amount: f.amount('影响金额', { readOnly: true }),
  agreed_amount: f.amount('对方变更后金额', { readOnly: true }),
  stock_amount: f.cost('计入库存金额', { readOnly: true }),
  issued_amount: f.cost('已出库承担', { readOnly: true }),
  old_registration_no: f.text('原注册证号', { readOnly: true }),
  new_registration_no: f.text('更正后注册证号', { max: 60 }),
  remark: f.text('备注', { max: 200 }),
}
type Doc = DocOf<typeof header, typeof lines>

const life = postingLifecycle<Doc>({
  submit: [
    hasLines,
    everyLineHasSource('请选择原单'),
    positiveQuantity,
    needs('change_reason', '请填写变更原因'),
    doc => hasFiles(doc, 'attachments') || '请上传变更依据',
    eachLine((line, doc) => correctionSays[typeOf(doc)](line, doc)),
    doc => !saysLot(doc) || filled(doc.lot_cause) || '请选择批号差错原因',
    needs('impact_note', '请先做影响分析'),
  ],
  review: [
    doc => typeOf(doc) !== 'lot' || filled(doc.quality_opinion) || '批号和效期更正请填写质量意见',
    doc => !saysLot(doc) || filled(doc.lot_cause) || '请选择批号差错原因',
  ],
  notByAuthor: true,
  selfReviewMessage: '不能审核本人提交的单据',
})

/**
 * 进销存变更: corrects what a posted receipt or issue recorded wrongly, without deleting anything. The reversal of the
 * wrong entry and the right one are booked together; the original keeps its text and names the correction.
 */
export const stockCorrection = defineDocument({
  kind: 'stockCorrection',
  title: '进销存变更单',
  numberPrefix: 'BG',
  category: 'internal',
  ownerTypes: 'HDV',
  facts: { corrected: 1 },
  header,
  lines,
  internalFields: ['former_codes', 'only_dates'],
  lineRules: {
    correctedValues: line => ({
      ...(isOtherLot(line) ? { lot_no: line.new_lot_no } : {}),
      ...(line.new_expiry_date ? { expiry_date: line.new_expiry_date } : {}),
      ...(line.new_production_date ? { production_date: line.new_production_date } : {}),
      ...((line.new_codes?.length ?? 0) > 0 ? { unit_codes: line.new_codes! } : {}),
      ...(line.new_price !== null || line.new_rate !== null
        ? {
            price: line.new_price ?? line.old_price ?? line.price,
            tax_rate: line.new_rate ?? line.old_rate ?? line.tax_rate,
            taxed_amount: line.new_amount ?? line.taxed_amount,
          }
        : {}),
    }),
  },
  actions: {
    submit: { ...life.submit, guards: [ofTheirs, ...life.submit.guards!], sets: { answer_state: '0' } },
    unsubmit: { ...life.unsubmit, guards: [ofTheirs] },
    review: {
      ...life.review,
      inputs: ['quality_opinion', 'lot_cause'],
      extraPermission: {
        flag: 'quality',
        label: '质量审核',
        when: doc => typeOf(doc) === 'lot',
        message: '批号和效期更正须由质量负责人审核：请有“质量审核”权限的人员审核，或由管理员在角色中授予',
      },
    },
    reject: life.reject,
    unreview: {
      ...life.unreview,
      from: ['reviewed', 'partial'],
      guards: [doc => !isAnswering(doc) || '已同意对方的变更，不能反审核，请再做一张变更单'],
    },
    cancel: { ...life.cancel, guards: [ofTheirs] },
    impact: { label: '影响分析', from: ['draft', 'rejected', 'submitted'], to: null },
  },
  lifecycle: {
    manualEntry: false,
  },
  sourcing: {
    sources: [
      { ...ofReceipt, from: 'purchaseGrn', for: 'grn', headerDefaults: { source_title: titles.receipt } },
      { ...ofReceipt, from: 'otherGrn', for: 'otherGrn', headerDefaults: { source_title: titles.other } },
      { ...ofReceipt, from: 'openingStock', for: 'opening', headerDefaults: { source_title: titles.opening } },
      { ...ofReceipt, from: 'overflow', for: 'overflow', headerDefaults: { source_title: titles.found } },
      { ...ofReceipt, from: 'transferArrival', for: 'arrival', headerDefaults: { source_title: titles.moved } },
      {
        ...ofReceipt,
        from: 'saleOdo',
        for: 'odo',
        sourceType: sourceTypes.ODO,
        headerDefaults: { source_title: titles.sale },
      },
    ],
  },
  posting: {
    stockDirection: 'named',
    accountMovement: 'raise',
    // Nothing is booked while the counterparty is asked, if the stock was right all the time, or if none of it is left.
    skippedWhen: { answer_state: ['1'], lot_cause: ['written'], only_dates: ['true'] },
    postings: postCorrection,
  },
  compliance: {
    takesUnfit: [{ why: 'what is known of them is corrected, and they stay where they are' }],
  },
  pricing: {
    costing: 'later',
  },
  intercompany: {
    // Consigned goods booked under the wrong owner: the wrong and the right owner are both notified.
    copies: [
      // If the counterparty booked the document too, the correction is sent to it as a task.
      {
        on: 'review',
        recipient: doc => (isPending(doc) ? doc.counterparty_sn : null),
        withoutRemarks: true,
        header: ['change_type', 'change_reason'],
        lines: [
          'new_lot_no',
          'new_production_date',
          'new_expiry_date',
          'new_price',
          'new_rate',
          'old_amount',
          'new_amount',
        ],
        message: { title: '对方发起进销存变更，请确认', uri: 'stockCorrection' },
      },
      {
        on: 'review',
        recipient: doc => (typeOf(doc) === 'owner' && isConsigned(doc) ? doc.counterparty_sn : null),
        informational: true,
        hidePrices: true,
        message: { title: '客户更正了寄售货主', uri: 'stockCorrection' },
        receiverPosts: memoFalls('correct'),
      },
      {
        on: 'review',
        recipient: doc => (typeOf(doc) === 'owner' && isConsigned(doc) ? (doc.new_counterparty_sn as string) : null),
        informational: true,
        hidePrices: true,
        message: { title: '客户登记了我方寄售货物', uri: 'stockCorrection' },
        receiverPosts: memoGrows('correct'),
      },
    ],
  },
  screens: [
    {
      route: '/commonView/psiChange',
      title: '进销存变更',
      orgs: 'HDV',
      menu: '库存管理',
      purpose: '更正已入账单据的批号、效期、价格、货主、院内码：先做影响分析，质量审核后红冲并重新入账，原单保留',
      columns: [
        'sn',
        'change_type',
        'source_title',
        'source_sn',
        'counterparty_sn',
        'warehouse_model_inner_sn',
        'line_count',
        'old_amount',
        'new_amount',
        'taxed_amount',
        'change_reason',
        'handler_inner_sn',
        'business_date',
        'reviewed_by_name',
        'reviewed_at',
        'answer_state',
        'state',
      ],
      filters: [
        'sn',
        'change_type',
        'source_sn',
        'source_title',
        'specification_sn',
        'lot_no',
        'handler_inner_sn',
        'business_date',
        'answer_state',
        'state',
      ],
    },
  ],
})
