import { defineDocument, type DocOf } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { postingLifecycle, stop } from '#kernel/definition/lifecycle.ts'
import { outside, store, transit } from '#kernel/ledger/posting.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { shippingFields, sharedShippingFields } from '#modules/trade/shipping/shipment-fields.ts'
import {
  codesMatchQuantity,
  eachLine,
  hasFiles,
  hasLines,
  needs,
  needsWhen,
  positiveQuantity,
} from '#modules/base/vocabulary/validators.ts'
import { costAmount, costedGoods } from '#modules/base/vocabulary/line-fields.ts'
import { moved } from '#modules/base/vocabulary/stock-moves.ts'
import { transferScreens } from '#modules/goods/transfers/transfer-screens.ts'

const header = {
  transfer_type: f.pick(
    '调拨类型',
    { allot: '调拨', across: '机构调拨', move: '移库', borrow: '科室借用', give_back: '借用归还' },
    { default: 'allot' },
  ),
  warehouse_model_inner_sn: f.ref('调出仓库', 'warehouse', { required: true }),
  counterparty_sn: f.ref('调入机构', 'organisation', {
    optionsFilter: { relation: 'sibling' },
    hint: '机构调拨时选择：有往来关系的医院（医院之间）或经销商（经销商之间）',
  }),
  to_warehouse_model_inner_sn: f.ref('调入仓库', 'warehouse', {
    hint: '机构调拨由对方选择，留空',
    named: 'it receives by a document of its own; where goods arrive at once the actions say so',
  }),
  transfer_reason: f.text('调拨原因', { max: 200 }),
  expected_date: f.day('期望到货日期'),
  transport: f.text('运输方式', { max: 40 }),
  ...shippingFields,
  borrow_type: f.pick('借用类型', { give_back: '借用归还', convert: '借用转调拨' }),
  due_date: f.day('预计归还日期'),
  is_converted: f.flag('已转为调拨', { readOnly: true }),
  converted_on: f.day('转为调拨日期', { readOnly: true }),
  handler_inner_sn: f.ref('经办人', 'employee'),
  business_date: f.day('调拨日期'),
  received_by: f.text('接收人', { readOnly: true }),
  received_at: f.instant('接收时间', { readOnly: true }),
  taxed_amount: costAmount,
  remark: f.longText('备注', { max: 500 }),
  attachments: f.files('附件'),
}
const lines = {
  ...costedGoods,
  location: f.text('调出货位', { max: 40 }),
  to_location: f.text('调入货位', { max: 40 }),
  quantity: f.quantity('调拨数量', { required: true, min: '0.001' }),
  remark: f.text('备注', { max: 200 }),
}
type Doc = DocOf<typeof header, typeof lines>

const typeOf = (doc: Doc): string => String(doc.transfer_type ?? 'allot')
/** Types that stay in transit until the other warehouse receives them. */
const byTwoSteps: readonly string[] = ['allot', 'borrow']
/** Goods for another organisation of the same kind are in transit as well, until it receives or refuses them. */
const isAcross = (doc: Doc): boolean => typeOf(doc) === 'across'

/** A line that the receiver names, where he takes or refuses a part. */
const namedLine = {
  line_no: f.count('行号'),
  quantity: f.quantity('数量', { min: '0' }),
  unit_codes: f.pieces('院内码'),
}

/** The people who may act: those of the store that goods leave, of the one they come to, of both, or of either. */
const bySender = [['warehouse_model_inner_sn']] as const
const byReceiver = [['to_warehouse_model_inner_sn']] as const
const bothSides = [['warehouse_model_inner_sn', 'to_warehouse_model_inner_sn']] as const
const eitherSide = [...bySender, ...byReceiver] as const

const life = postingLifecycle<Doc>({
  submit: [
    hasLines,
    needs('warehouse_model_inner_sn', '请选择调出仓库'),
    doc => isAcross(doc) || needs('to_warehouse_model_inner_sn', '请选择调入仓库')(doc),
    doc => !isAcross(doc) || needs('counterparty_sn', '请选择调入机构')(doc),
    doc => isAcross(doc) || !doc.counterparty_sn || '只有机构调拨填写调入机构，请核对调拨类型',
    doc => !isAcross(doc) || !doc.to_warehouse_model_inner_sn || '机构调拨由调入机构选择仓库，请清空调入仓库',
    needsWhen('transfer_type', 'borrow', 'due_date', '请填写预计归还日期'),
    doc =>
      typeOf(doc) === 'move' ||
      doc.warehouse_model_inner_sn !== doc.to_warehouse_model_inner_sn ||
      (typeOf(doc) === 'allot' ? '调出仓库与调入仓库不能相同' : '借出仓库与借入仓库不能相同'),
    positiveQuantity,
    codesMatchQuantity,
    eachLine(
      (line, doc) =>
        doc.warehouse_model_inner_sn !== doc.to_warehouse_model_inner_sn ||
        (line.location ?? '') !== String(line.to_location ?? '') ||
        '移出货位与移入货位不能相同',
    ),
    eachLine(
      (line, doc) =>
        !['allot', 'across'].includes(typeOf(doc)) ||
        !line.owner_org_sn ||
        line.owner_org_sn === doc.org_sn ||
        hasFiles(doc, 'attachments') ||
        '寄售产品未经货主同意，不能调拨，请上传货主的书面同意',
    ),
  ],
  blockedMessage: '对方已收货，不能反审核',
})
/** Kinds that are not loans, and those that arrive immediately or go to another organisation. */
const notLent = { transfer_type: ['allot', 'across', 'move', 'give_back'] } as const
const notReceivedHere = { transfer_type: ['across', 'move', 'give_back'] } as const
const isOf = (types: readonly string[], sentence: string) => (doc: Doc) => types.includes(typeOf(doc)) || sentence
const oneStep = (doc: Doc): true | string =>
  isAcross(doc)
    ? '机构调拨由调入机构收货或拒收；尚未收货的可以反审核，已收一部分的可以终止余下的'
    : isOf(byTwoSteps, '移库一步到位，没有收货环节')(doc)
const borrowed = isOf(['borrow'], '只有科室借用单可以这样办理')
const notConverted = (doc: Doc) => doc.is_converted !== true || '借用已转为调拨'

/**
 * 调拨单: goods move between warehouses of the organisation at cost, with lot, codes, owner and quality. 调拨 and 借用 are
 * in transit until the other warehouse receives or refuses them; 移库 and 归还 arrive immediately. 机构调拨 goes to another
 * hospital, or another dealer, with a relation: it gets a document to receive the goods by, and nothing is owed.
 */
export const transfer = defineDocument({
  kind: 'transfer',
  title: '调拨单',
  numberPrefix: 'DB',
  category: 'internal',
  ownerTypes: 'HDV',
  facts: { moved: 1, issued: 1 },
  externalType: 'ALLOTODO',
  header,
  lines,
  lineRules: {
    scanning: {},
  },
  actions: {
    ...life,
    receive: {
      label: '调入收货',
      from: ['reviewed', 'partial'],
      to: null,
      tone: 'primary',
      guards: [oneStep],
      parts: { lines: namedLine },
      unavailableWhen: notReceivedHere,
    },
    refuse: {
      label: '拒收',
      from: ['reviewed', 'partial'],
      to: null,
      tone: 'danger',
      requiresReason: '请填写拒收原因',
      guards: [oneStep],
      parts: { lines: namedLine },
      unavailableWhen: notReceivedHere,
    },
    stop: {
      ...stop,
      guards: [doc => isAcross(doc) || oneStep(doc)],
      unavailableWhen: { transfer_type: ['move', 'give_back'] },
    },
    giveBack: {
      label: '归还',
      from: ['partial', 'completed', 'stopped'],
      to: null,
      guards: [borrowed, notConverted],
      unavailableWhen: notLent,
    },
    toTransfer: {
      label: '转为调拨',
      from: ['partial', 'completed', 'stopped'],
      to: null,
      requiresReason: true,
      sets: { is_converted: true, borrow_type: 'convert' },
      guards: [borrowed, notConverted],
      unavailableWhen: notLent,
    },
    remind: {
      label: '催还',
      from: ['partial', 'completed', 'stopped'],
      to: null,
      guards: [borrowed, notConverted],
      unavailableWhen: notLent,
    },
  },
  actsIn: {
    draft: doc => (typeOf(doc) === 'borrow' ? eitherSide : typeOf(doc) === 'move' ? bothSides : bySender),
    review: doc => (typeOf(doc) === 'give_back' ? byReceiver : typeOf(doc) === 'move' ? bothSides : bySender),
    receive: byReceiver,
    refuse: byReceiver,
    stop: bySender,
    giveBack: byReceiver,
    toTransfer: eitherSide,
    remind: eitherSide,
  },
  lifecycle: {
    reversibleAfter: ['give_back'],
    dueDate: { field: 'due_date', owed: ['receive', 'give_back'], unless: 'is_converted' },
  },
  sourcing: {
    sources: [
      {
        from: 'transfer',
        for: 'giveBack',
        sourceType: sourceTypes.ALLOT,
        purpose: 'give_back',
        states: ['partial', 'completed', 'stopped'],
        eligible: { header: { transfer_type: ['borrow'] }, message: '只有科室借用单可以归还' },
        overdrawnMessage: '归还数量不能大于未归还数量{n}',
        headerMap: {
          warehouse_model_inner_sn: 'to_warehouse_model_inner_sn',
          to_warehouse_model_inner_sn: 'warehouse_model_inner_sn',
          due_date: '',
          is_converted: '',
          converted_on: '',
          received_by: '',
          received_at: '',
          ...Object.fromEntries(sharedShippingFields.map(name => [name, ''])),
        },
      },
    ],
    followUps: [{ on: 'review', kind: 'transferReceipt', state: 'submitted' }],
  },
  progress: {
    main: 'receive',
    mainAlso: ['return'],
    statuses: { receive_state: 'receive', give_back_state: 'give_back' },
    columns: { given_back_quantity: { label: '已归还数量', purpose: 'give_back', of: 'quantity' } },
    statusLabels: {
      receive_state: { label: '收货状态', choices: { '1': '未收货', '2': '部分收货', '3': '已收货' } },
      give_back_state: { label: '归还状态', choices: { '1': '未归还', '2': '部分归还', '3': '已归还' } },
    },
  },
  posting: {
    stockDirection: 'out',
    stockCard: { in: 'transfer_in', out: 'transfer_out' },
    reservesStock: true,
    postings: (doc, book) => ({
      moves: doc.lines.map(line => {
        const from = store(doc.warehouse_model_inner_sn, line.location)
        return byTwoSteps.includes(typeOf(doc)) || isAcross(doc)
          ? moved(line, book, 'transfer_out', from, transit(doc.sn))
          : moved(line, book, 'transfer', from, store(doc.to_warehouse_model_inner_sn, line.to_location))
      }),
    }),
  },
  compliance: {
    takesUnfit: [
      {
        why: 'they are put to another place of their store',
        when: doc => doc.warehouse_model_inner_sn === doc.to_warehouse_model_inner_sn,
        what: ['recalled', 'expired'],
      },
      {
        why: 'they are gathered where they are sent back or destroyed',
        into: ['central'],
        what: ['recalled', 'expired'],
      },
    ],
  },
  pricing: {
    costing: 'leaving',
  },
  intercompany: {
    onProgress: {
      // The receiver wrote the trace event; here only our side of the transit is closed.
      receive: (doc, book) => ({
        moves: doc.lines.map(line => ({
          ...moved(line, book, 'transfer_in', transit(doc.sn), outside(doc.counterparty_sn)),
          traced: false,
        })),
      }),
    },
    onProgressCreates: {
      refuse: {
        kind: 'transferReturn',
        header: { return_reason: '调入机构拒收' },
        stopped: { return_reason: '终止调拨，调入机构未收' },
      },
    },
    copies: [
      {
        on: 'review',
        recipient: doc => (isAcross(doc) ? doc.counterparty_sn : null),
        creates: { kind: 'transferArrival', state: 'draft' },
        keepsOwnership: true,
        onStopCountsAs: 'refuse',
        header: ['transfer_reason', 'expected_date', 'transport', ...sharedShippingFields],
        message: { title: '收到机构调拨的货物，请收货', uri: 'transferArrival' },
      },
    ],
  },
  screens: transferScreens,
})
