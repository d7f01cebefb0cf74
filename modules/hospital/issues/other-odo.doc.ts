import { defineDocument, type DocOf } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { postingLifecycle } from '#kernel/definition/lifecycle.ts'
import { outside, store, transit } from '#kernel/ledger/posting.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import {
  codesMatchQuantity,
  everyLineHasSource,
  fitToLeave,
  hasLines,
  needs,
  positiveQuantity,
} from '#modules/base/vocabulary/validators.ts'
import { costedGoods, ownGoods } from '#modules/hospital/issues/issued-goods.ts'
import { moved } from '#modules/base/vocabulary/stock-moves.ts'

const odoTypes = {
  sample: '样品',
  inspect: '检验/送检',
  exhibition: '展会',
  own_use: '自用',
  produce: '生产领料',
  trial: '临床试验',
  loan: '借出',
  gift_back: '赠品退回',
  other: '其他',
} as const
/** A receiver takes the goods and may return them; a gift is returned to the giver named on its receipt. */
const isTaken: readonly [string, ...string[]] = [
  'odo_type',
  ...Object.keys(odoTypes).filter(type => type !== 'gift_back'),
]
/** Kinds that are returned: the due date is recorded. */
const lent = ['loan', 'exhibition']
const fit = fitToLeave((lot, why) => `批号${lot}为${why}状态，不能出库`)

const header = {
  warehouse_model_inner_sn: f.ref('仓库', 'warehouse', { required: true }),
  odo_type: f.pick('出库类型', odoTypes, { default: 'other' }),
  counterparty_sn: f.ref('领用单位', 'organisation', { when: isTaken }),
  department_inner_sn: f.ref('领用部门', 'department', { when: isTaken }),
  receiver: f.text('领用人', { max: 40, when: isTaken }),
  purpose_note: f.text('用途', { max: 200 }),
  is_returnable: f.flag('是否归还', { readOnly: true }),
  return_due: f.day('预计归还日期', { when: isTaken }),
  handler_inner_sn: f.ref('经办人', 'employee'),
  business_date: f.day('出库日期'),
  taxed_amount: f.cost('成本金额', { readOnly: true }),
  remark: f.longText('备注', { max: 500 }),
  attachments: f.files('审批附件'),
}
type Doc = DocOf<typeof header, typeof costedGoods>

const typeOf = (doc: Doc): string => String(doc.odo_type)
/** Goods we were given go back to the giver. */
const isGiftBack = (doc: Doc): boolean => typeOf(doc) === 'gift_back'
const giftHasSource = everyLineHasSource('赠品退回请引用原受赠入库单')

/**
 * 其他出库单: goods leave the warehouse for a reason other than sale, issue or loss: samples, tests, exhibitions, loans.
 * They leave at cost and nothing is owed; loaned goods are returned by a receipt of the same lots and pieces. A
 * returned gift is in transit until the giver received it.
 */
export const otherOdo = defineDocument({
  kind: 'otherOdo',
  title: '其他出库单',
  numberPrefix: 'QTCK',
  category: 'stockOut',
  ownerTypes: 'HDV',
  facts: { otherwise_issued: 1, issued: 1 },
  externalType: 'OTHERSALEODO',
  header,
  lines: costedGoods,
  lineRules: {
    scanning: {},
  },
  actions: {
    ...postingLifecycle<Doc>({
      submit: [
        hasLines,
        needs('warehouse_model_inner_sn', '请选择仓库'),
        doc => Boolean(doc.purpose_note) || (isGiftBack(doc) ? '请在用途中填写退回原因' : '请填写用途'),
        doc => !isGiftBack(doc) || Boolean(doc.counterparty_sn) || '受赠入库单没有来源单位，不能退回',
        doc => !isGiftBack(doc) || giftHasSource(doc),
        doc => isGiftBack(doc) || doc.source_type !== sourceTypes.GIFT || '引用受赠入库单的出库类型应为赠品退回',
        doc => !lent.includes(typeOf(doc)) || Boolean(doc.return_due) || '请填写预计归还日期',
        positiveQuantity,
        // Only goods to be examined, or to be returned to the giver, may be unfit.
        doc => typeOf(doc) === 'inspect' || isGiftBack(doc) || fit(doc),
        codesMatchQuantity,
        ownGoods('寄售货物不能办理其他出库，请退回货主'),
      ],
      blockedMessage: '货物已归还，不能反审核',
    }),
    giveBack: {
      label: '登记归还',
      from: ['reviewed', 'partial'],
      to: null,
      tone: 'primary',
      guards: [doc => !isGiftBack(doc) || '退回的赠品由赠送单位收货，不用登记归还'],
      unavailableWhen: { odo_type: ['gift_back'] },
    },
  },
  lifecycle: {
    stateLabels: { partial: '部分归还', completed: '已归还' },
  },
  sourcing: {
    sources: [
      {
        from: 'otherGrn',
        for: 'gift',
        sourceType: sourceTypes.GIFT,
        purpose: 'return',
        sameUnits: true,
        newestFirst: true,
        eligible: { header: { grn_type: ['gift', 'donation', 'trial'] }, message: '只有受赠的货物可以退回赠送单位' },
        headerDefaults: { odo_type: 'gift_back' },
        overdrawnMessage: '退回数量不能大于可退数量{n}',
      },
    ],
  },
  progress: {
    main: 'give_back',
    statuses: { give_back_state: 'give_back' },
    columns: { given_back_quantity: { label: '已归还数量', purpose: 'give_back', of: 'quantity' } },
    statusLabels: {
      give_back_state: { label: '归还状态', choices: { 1: '未归还', 2: '部分归还', 3: '已归还' } },
    },
  },
  posting: {
    stockDirection: 'out',
    reservesStock: true,
    postings: (doc, book) => ({
      moves: doc.lines.map(line => {
        const from = store(doc.warehouse_model_inner_sn, line.location)
        return isGiftBack(doc)
          ? moved(line, book, 'return', from, transit(doc.sn))
          : moved(line, book, 'issue', from, outside())
      }),
    }),
  },
  pricing: {
    costing: 'leaving',
  },
  intercompany: {
    onProgress: {
      // The giver wrote the trace event; only our side of the transit is closed here.
      give_back: (doc, book) => ({
        moves: doc.lines.map(line => ({
          ...moved(line, book, 'receive', transit(doc.sn), outside(doc.counterparty_sn)),
          traced: false,
        })),
      }),
    },
    copies: [
      {
        on: 'review',
        recipient: doc => (isGiftBack(doc) ? doc.counterparty_sn : null),
        creates: { kind: 'otherGrn', state: 'draft' },
        hidePrices: true,
        header: ['purpose_note'],
        message: { title: '赠送的货物退回，请收货', uri: 'otherGrn' },
      },
    ],
  },
  compliance: {
    // A gift goes back even if expired.
    takesUnfit: [
      { why: 'a gift goes back to its giver', when: isGiftBack },
      {
        why: 'they are examined',
        when: doc => typeOf(doc) === 'inspect',
        what: ['stopped', 'frozen'],
      },
    ],
  },
  screens: [
    {
      route: '/commonView/saleOdoOthers',
      title: '其他出库',
      orgs: 'HDV',
      menu: '出库管理',
      purpose: '样品、送检、展会、借出等非销售出库，借出的按批号与院内码归还',
      columns: [
        'sn',
        'odo_type',
        'warehouse_model_inner_sn',
        'counterparty_sn',
        'department_inner_sn',
        'line_count',
        'total_quantity',
        'taxed_amount',
        'purpose_note',
        'is_returnable',
        'return_due',
        'given_back_quantity',
        'give_back_state',
        'handler_inner_sn',
        'business_date',
        'reviewed_by_name',
        'reviewed_at',
        'state',
      ],
      filters: [
        'sn',
        'odo_type',
        'warehouse_model_inner_sn',
        'counterparty_sn',
        'department_inner_sn',
        'specification_sn',
        'lot_no',
        'unit_code',
        'business_date',
        'handler_inner_sn',
        'give_back_state',
        'state',
      ],
    },
  ],
})
