import { isPastUse } from '#kernel/rules/shelf-life.ts'
import { type Book, defineDocument, type BusinessDocument, type DocOf } from '#kernel/definition/document.ts'
import { isPositive } from '#kernel/values/decimal.ts'
import { f } from '#kernel/definition/field.ts'
import { postingLifecycle } from '#kernel/definition/lifecycle.ts'
import { type Move, outside, type Step, store } from '#kernel/ledger/posting.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import {
  codesMatchQuantity,
  everyLine,
  hasLines,
  needs,
  needsWhen,
  notExpired,
  positiveQuantity,
} from '#modules/base/vocabulary/validators.ts'
import { counted, offeredGoods, pieces, remarked, sterilised, costed } from '#modules/base/vocabulary/line-fields.ts'

/** Kinds that may come in without a cost. */
const free = ['gift', 'donation', 'trial']
/** Kinds of goods that were here before, and the sources they come back from. */
const home = ['sample_back', 'loan_back']
const isGiftBack = (doc: BusinessDocument): boolean => doc.source_type === sourceTypes.GIFT_BACK
const isHomecoming = (doc: BusinessDocument): boolean => doc.source_type === sourceTypes.OTHER_ODO || isGiftBack(doc)

const header = {
  warehouse_model_inner_sn: f.ref('入库仓库', 'warehouse', { required: true }),
  grn_type: f.pick(
    '入库类型',
    {
      produce: '生产入库',
      gift: '赠品入库',
      sample_back: '样品归还',
      loan_back: '借出归还',
      gift_back: '赠品退回',
      donation: '捐赠入库',
      trial: '试用品',
      other: '其他',
    },
    { hint: '留空时厂商为生产入库，其他机构为其他；盘盈请使用报溢单' },
  ),
  counterparty_sn: f.ref('来源单位', 'organisation'),
  batch_no: f.text('生产批次/来源单号', { max: 40 }),
  release_no: f.text('检验放行单号', { max: 40 }),
  handler_inner_sn: f.ref('经办人', 'employee'),
  business_date: f.day('入库日期'),
  remark: f.longText('备注', { max: 500 }),
  attachments: f.files('附件'),
}
const lines = {
  ...offeredGoods,
  ...sterilised,
  sterilisation_date: f.day('灭菌日期'),
  ...pieces('序列号/院内码'),
  ...counted(),
  ...costed,
  location: f.text('货位', { max: 40 }),
  ...remarked,
}
type Doc = DocOf<typeof header, typeof lines>

/**
 * The trace step of a piece: created at its manufacturer, returned by the organisation it was given to, or received.
 */
const stepOf = (doc: Doc, book: Book): Step =>
  isGiftBack(doc)
    ? 'return'
    : (doc.grn_type ?? (book.type === 'V' ? 'produce' : 'other')) === 'produce'
      ? 'produce'
      : 'receive'

/**
 * 其他入库单: goods come in without a purchase. At a manufacturer it is 生产入库, the creation of lots and pieces; elsewhere
 * gifts, donations, returned samples and loans, and gifts their receiver did not keep. Nothing is owed.
 */
export const otherGrn = defineDocument({
  kind: 'otherGrn',
  title: '其他入库单',
  numberPrefix: 'QTRK',
  category: 'stockIn',
  ownerTypes: 'HDV',
  facts: { otherwise_received: 1, unowed: 1, received: 1 },
  header,
  lines,
  lineRules: {
    import: true,
    scanning: {},
  },
  actions: postingLifecycle<Doc>({
    submit: [
      hasLines,
      needs('warehouse_model_inner_sn', '请选择入库仓库'),
      positiveQuantity,
      doc => isGiftBack(doc) || notExpired(doc),
      codesMatchQuantity,
      needsWhen('grn_type', 'produce', 'release_no', '生产入库请填写检验放行单号'),
      everyLine(
        '生产入库请填写批号和生产日期',
        (line, doc) => doc.grn_type !== 'produce' || (line.lot_no !== null && line.production_date !== null),
      ),
      everyLine(
        '单价为0仅限赠品入库、捐赠入库和试用品',
        (line, doc) => isPositive(line.price) || free.includes(String(doc.grn_type)) || isHomecoming(doc),
      ),
      everyLine(
        '样品归还、借出归还请引用原其他出库单',
        (line, doc) => !home.includes(String(doc.grn_type)) || doc.source_type === sourceTypes.OTHER_ODO,
      ),
      doc =>
        doc.source_type !== sourceTypes.OTHER_ODO ||
        home.includes(String(doc.grn_type)) ||
        '归还入库的入库类型应为样品归还或借出归还',
      doc =>
        (doc.grn_type === 'gift_back') === isGiftBack(doc) ||
        (isGiftBack(doc) ? '退回的赠品入库类型应为赠品退回' : '赠品退回请引用受赠单位的退回单'),
    ],
  }),
  sourcing: {
    sources: [
      {
        from: 'giveOdo',
        for: 'give',
        sourceType: sourceTypes.GIVE,
        purpose: 'receive',
        fromCounterparty: true,
        states: ['reviewed', 'partial'],
        overdrawnMessage: '入库数量不能大于赠送剩余数量{n}',
      },
      {
        from: 'otherOdo',
        for: 'giftBack',
        label: '赠品退回',
        sourceType: sourceTypes.GIFT_BACK,
        purpose: 'give_back',
        fromCounterparty: true,
        sameUnits: true,
        states: ['reviewed', 'partial'],
        rollup: [{ via: 'delivery', purpose: 'return' }],
        headerDefaults: { grn_type: 'gift_back' },
        headerMap: { batch_no: 'sn', remark: 'purpose_note' },
        overdrawnMessage: '入库数量不能大于退回数量{n}',
      },
      {
        from: 'otherOdo',
        for: 'otherOdo',
        sourceType: sourceTypes.OTHER_ODO,
        purpose: 'give_back',
        newestFirst: true,
        eligible: {
          header: { odo_type: ['sample', 'inspect', 'exhibition', 'own_use', 'produce', 'trial', 'loan', 'other'] },
          message: '退回的赠品由赠送单位收货',
        },
        overdrawnMessage: '归还数量不能大于未归还数量{n}',
      },
    ],
  },
  posting: {
    stockDirection: 'in',
    postings: (doc, book) => ({
      moves: doc.lines.map(
        (line): Move => ({
          line_no: line.line_no,
          step: stepOf(doc, book),
          quantity: line.base_quantity,
          from: outside(
            [sourceTypes.GIVE, sourceTypes.GIFT_BACK].includes(doc.source_type as never) ? doc.counterparty_sn : null,
          ),
          to: store(doc.warehouse_model_inner_sn, line.location),
          owner: book.org,
          quality: isPastUse(line, doc) ? 'unqualified' : (line.quality_state ?? 'qualified'),
          value: book.type === 'H' ? line.taxed_amount : line.untaxed_amount,
        }),
      ),
    }),
  },
  compliance: {
    // A gift is returned even if expired, and is then not for issue.
    allowsExpired: isGiftBack,
  },
  screens: [
    {
      route: '/commonView/saleGrnOthers',
      title: '其他入库',
      orgs: 'HDV',
      menu: '入库管理',
      purpose: '无采购的入库：厂商生产入库，以及赠品、捐赠、样品和借出归还',
      columns: [
        'sn',
        'grn_type',
        'warehouse_model_inner_sn',
        'counterparty_sn',
        'batch_no',
        'line_count',
        'total_quantity',
        'taxed_amount',
        'release_no',
        'handler_inner_sn',
        'business_date',
        'reviewed_by_name',
        'reviewed_at',
        'state',
      ],
      filters: [
        'sn',
        'grn_type',
        'warehouse_model_inner_sn',
        'counterparty_sn',
        'specification_sn',
        'lot_no',
        'unit_code',
        'business_date',
        'handler_inner_sn',
        'state',
      ],
    },
  ],
})
