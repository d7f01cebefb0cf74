import { compare, type Decimal, isPositive, subtract } from '#kernel/values/decimal.ts'
import { defineDocument, type DocOf } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { postingLifecycle } from '#kernel/definition/lifecycle.ts'
import { type Move, type QualityState, qualityStates, type Step, store } from '#kernel/ledger/posting.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import {
  addsUp,
  codesMatchQuantity,
  hasLines,
  needs,
  positiveQuantity,
  filled,
} from '#modules/base/vocabulary/validators.ts'
import { stopSaleScreens } from '#modules/goods/quality/stop-sale-screens.ts'

export const stopReasons = {
  quality: '质量可疑',
  recall: '召回',
  regulator: '监管通知',
  certificate: '注册证异常',
  expiry: '效期临近',
  complaint: '投诉/不良事件',
  other: '其他',
} as const
const disposals = { hold: '继续停售', release: '解除停售', scrap: '报废', return: '退供应商' } as const
/** Reasons that come with a notice, whose number is on the document. */
const noticed = ['recall', 'regulator']

const header = {
  stop_type: f.pick('单据类型', { stop: '停售', release: '解除停售' }, { default: 'stop' }),
  stop_reason: f.pick('停售原因', stopReasons),
  notice_no: f.text('召回/通知编号', { max: 60 }),
  warehouse_model_inner_sn: f.ref('仓库', 'warehouse', { required: true }),
  to_warehouse_model_inner_sn: f.ref('停售库', 'warehouse', {
    optionsFilter: { type: '2' },
    hint: '留空为原地停售',
    named: 'goods are kept apart there by this document alone; nobody works in it',
  }),
  description: f.longText('情况说明', { max: 500 }),
  check_state: f.pick('复检状态', { '1': '待复检', '2': '已复检' }, { readOnly: true, default: '1' }),
  check_due_date: f.day('应复检日期', { readOnly: true }),
  good_total: f.quantity('复检合格数量', { readOnly: true }),
  bad_total: f.quantity('复检不合格数量', { readOnly: true }),
  checked_by: f.text('复检人', { readOnly: true }),
  check_date: f.day('复检日期'),
  conclusion: f.pick('复检结论', { good: '合格', bad: '不合格', mixed: '部分合格', open: '待定' }),
  disposal: f.pick('处理方式', disposals),
  lab_name: f.text('送检机构', { max: 60 }),
  lab_date: f.day('送检日期'),
  lab_report_no: f.text('检验报告号', { max: 60 }),
  handler_inner_sn: f.ref('申请人', 'employee'),
  business_date: f.day('申请日期'),
  remark: f.longText('备注', { max: 500 }),
  attachments: f.files('附件'),
}
const lines = {
  specification_sn: f.ref('规格型号', 'specification', { required: true }),
  lot_no: f.lot('批号', { max: 40 }),
  unit_codes: f.codes('院内码'),
  expiry_date: f.day('有效期至', { readOnly: true }),
  location: f.text('货位', { max: 40 }),
  owner_org_sn: f.ref('货主', 'organisation'),
  quality_state: f.pick('质量状态', qualityStates),
  supplier_sn: f.ref('供应商', 'organisation', { readOnly: true }),
  unit_inner_sn: f.ref('单位', 'unitTree'),
  available_quantity: f.quantity('可用数量', { readOnly: true }),
  quantity: f.quantity('停售数量', { required: true, min: '0.001' }),
  good_quantity: f.quantity('复检合格数量', { min: '0' }),
  bad_quantity: f.quantity('复检不合格数量', { min: '0' }),
  bad_codes: f.pieces('不合格院内码'),
  closed_quantity: f.quantity('已解除数量', { readOnly: true }),
  remark: f.text('备注', { max: 200 }),
}
type Doc = DocOf<typeof header, typeof lines>
type Line = Doc['lines'][number]

const isRelease = (doc: Doc): boolean => doc.stop_type === 'release'
const isChecked = (doc: Doc) => doc.check_state === '2' || '请先完成复检'
const labDone = (doc: Doc) => !filled(doc.lab_name) || filled(doc.lab_report_no) || '送检结果未登记'
/** Goods found good must go back to use; only the others may be destroyed or returned. */
const goodReturnsToUse = (doc: Doc) =>
  doc.conclusion !== 'good' ||
  !['scrap', 'return'].includes(String(doc.disposal)) ||
  '复检合格的货物不能报废或退供应商，请选择解除停售'
const notHeld = (doc: Doc) => !isRelease(doc) || doc.disposal !== 'hold' || '解除停售须复检，处理方式不能为继续停售'

/** Bad pieces of a line, from the check; none while the goods stay held. */
export const badOf = (line: Pick<Line, 'bad_quantity'>): Decimal => line.bad_quantity ?? '0.000'

/**
 * The moves after the check: held goods stay blocked; otherwise the good ones may be used again, the bad ones may not.
 */
function movesOf(doc: Doc, line: Line, org: string): Move[] {
  const from: QualityState = isRelease(doc) ? 'stopped' : 'qualified'
  const here = store(doc.warehouse_model_inner_sn, line.location)
  const there = doc.to_warehouse_model_inner_sn ? store(doc.to_warehouse_model_inner_sn) : here
  const move = (quantity: Decimal, toQuality: QualityState, step: Step, codes?: readonly string[]): Move[] =>
    isPositive(quantity)
      ? [
          {
            line_no: line.line_no,
            step,
            quantity,
            from: here,
            to: there,
            owner: line.owner_org_sn ?? org,
            quality: from,
            toQuality,
            ...(codes ? { codes } : {}),
          },
        ]
      : []
  if ((doc.disposal ?? 'hold') === 'hold') return move(line.base_quantity, 'stopped', 'hold')
  const bad = badOf(line)
  const badCodes = line.bad_codes ?? []
  const allBad = compare(bad, line.base_quantity) >= 0
  const good = line.unit_codes.filter(code => !allBad && !badCodes.includes(code))
  const named = line.unit_codes.length > 0
  return [
    ...move(subtract(line.base_quantity, bad, 3), 'qualified', 'release', named ? good : undefined),
    ...move(bad, 'unqualified', 'hold', named ? line.unit_codes.filter(code => !good.includes(code)) : undefined),
  ]
}

const life = postingLifecycle<Doc>({
  submit: [
    hasLines,
    needs('warehouse_model_inner_sn', '请选择仓库'),
    needs('stop_reason', '请选择停售原因'),
    doc => !noticed.includes(String(doc.stop_reason)) || filled(doc.notice_no) || '请填写召回/通知编号',
    positiveQuantity,
    codesMatchQuantity,
  ],
  review: [isChecked, notHeld],
  notByAuthor: true,
  selfReviewMessage: '不能审核本人提交的单据',
  rejectReason: '请填写驳回原因',
  blockedMessage: '单据已发生后续业务，不能反审核',
})

/**
 * 停售单: doubtful goods are blocked at once, checked by an inspector and decided by the quality head; released by a
 * document of the same kind. It changes the quality state of goods, never the quantity.
 */
export const stopSale = defineDocument({
  kind: 'stopSale',
  title: '停售单',
  numberPrefix: 'TS',
  category: 'internal',
  ownerTypes: 'HDV',
  facts: {},
  header,
  lines,
  lineRules: {
    scanning: {},
    selfClosed: line => ({ purpose: 'release', quantity: line.closed_quantity ?? '0.000' }),
  },
  actions: {
    ...life,
    submit: { ...life.submit, sets: { check_state: '1', good_total: null, bad_total: null } },
    unreview: { ...life.unreview, from: ['reviewed', 'partial', 'completed'] },
    check: {
      label: '录入复检结论',
      from: ['submitted'],
      to: null,
      tone: 'primary',
      inputs: ['check_date', 'conclusion', 'disposal'],
      sets: { check_state: '2' },
      guards: [
        needs('conclusion', '请选择复检结论'),
        needs('disposal', '请选择处理方式'),
        labDone,
        notHeld,
        goodReturnsToUse,
        doc =>
          doc.conclusion !== 'mixed' ||
          doc.lines.every(line => filled(line.good_quantity) && filled(line.bad_quantity)) ||
          '复检数量合计必须等于停售数量',
        addsUp('good_quantity', 'bad_quantity', '复检数量合计必须等于停售数量'),
      ],
    },
    uncheck: {
      label: '撤回复检',
      from: ['submitted'],
      to: null,
      sets: { check_state: '1', good_total: null, bad_total: null },
      guards: [isChecked],
    },
    sendLab: {
      label: '送检登记',
      from: ['submitted'],
      to: null,
      inputs: ['lab_name', 'lab_date', 'lab_report_no'],
      guards: [needs('lab_name', '请填写送检机构')],
    },
    release: { label: '申请解除停售', from: ['reviewed', 'partial'], to: null },
    toScrap: { label: '转报废', from: ['reviewed', 'partial'], to: null },
    toReturn: { label: '转采购退货', from: ['reviewed', 'partial'], to: null },
  },
  lifecycle: {
    columnLabels: { total_quantity: '停售数量' },
    dueDate: { field: 'check_due_date', while: { check_state: ['1'] } },
    editableWhenSubmitted: ['good_quantity', 'bad_quantity', 'bad_codes', 'remark'],
    listActions: {
      byLot: {
        label: '按批次全部停售',
        inputs: {
          specification_sn: f.ref('规格型号', 'specification', { required: true }),
          lot_no: f.lot('批号', { required: true, max: 40 }),
          stop_reason: f.pick('停售原因', stopReasons, { required: true }),
          notice_no: f.text('召回/通知编号', { max: 60 }),
        },
      },
    },
  },
  sourcing: {
    sources: [
      {
        from: 'storageCheck',
        for: 'storageCheck',
        sourceType: sourceTypes.STORAGE_CHECK,
        purpose: 'block',
        sameBalance: true,
        eligible: { line: { condition: ['abnormal'] }, message: '该批次养护检查合格，不需要停售' },
        overdrawnMessage: '停售数量不能大于检查数量{n}',
      },
      {
        from: 'stopSale',
        for: 'release',
        sourceType: sourceTypes.STOP_SALE,
        purpose: 'release',
        sharesLimitWith: ['scrap'],
        eligible: { header: { stop_type: ['stop'], disposal: ['hold'] }, message: '该停售单没有停售中的货物' },
        overdrawnMessage: '解除数量不能大于停售数量{n}',
        headerDefaults: { stop_type: 'release' },
        dropsFields: ['good_quantity', 'bad_quantity', 'bad_codes', 'available_quantity'],
        headerMap: {
          check_state: '',
          checked_by: '',
          check_date: '',
          check_due_date: '',
          good_total: '',
          bad_total: '',
          conclusion: '',
          disposal: '',
          lab_name: '',
          lab_date: '',
          lab_report_no: '',
          to_warehouse_model_inner_sn: '',
        },
      },
    ],
  },
  progress: {
    main: 'release',
    mainAlso: ['scrap', 'return'],
  },
  posting: {
    stockDirection: 'out',
    stockCard: 'none',
    reservesStock: true,
    // Goods found good at once keep their state.
    skippedWhen: { conclusion: ['good'] },
    postings: (doc, book) => ({ moves: doc.lines.flatMap(line => movesOf(doc, line, book.org)) }),
  },
  compliance: {
    takesUnfit: [{ why: 'they are put into quarantine, or leave it by a judgement' }],
  },
  pricing: {
    keepsPrices: true,
  },
  screens: stopSaleScreens,
})
