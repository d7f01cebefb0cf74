import { type Book, type CommonLine, defineDocument, type Paper } from '#kernel/document.ts'
import { type Decimal, isZero, negate } from '#kernel/decimal.ts'
import { f } from '#kernel/field.ts'
import { postingLifecycle } from '#kernel/lifecycle.ts'
import { type Account, type Entry, type Move, outside, type QualityState, store } from '#kernel/posting.ts'
import { sourceTypes } from '#kernel/source-type.ts'
import { eachLine, everyLineHasSource, hasFiles, hasLines, needs, own, positiveQuantity } from '#modules/guards.ts'
import { memoFalls, memoGrows } from '#modules/moves.ts'

export const correctionTypes = {
  lot: '批号/效期更正',
  price: '价格/税率更正',
  owner: '供应商/货主更正',
  code: '院内码更正',
  certificate: '注册证更正',
} as const

/** Where a line's goods lie, found when the correction is put in force. */
export type Lying = {
  readonly warehouse: string
  readonly location: string
  readonly quality: QualityState
  readonly quantity: Decimal
  /** Of a price: what of the difference these goods carry from now on. */
  readonly value?: Decimal
  readonly codes?: readonly string[]
}

const filled = (value: unknown): boolean =>
  value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0)
const typeOf = (doc: object) => String(own(doc, 'change_type') ?? 'lot') as keyof typeof correctionTypes
const text = (line: object, name: string) => (own(line, name) as string | null | undefined) ?? null
const changes = (line: CommonLine, was: string | null, name: string) =>
  filled(own(line, name)) && String(own(line, name)) !== String(was ?? '')

/** Whether a line asks for another lot, rather than for other dates of the same. */
export const isOtherLot = (line: CommonLine): boolean => changes(line, line.lot_no, 'new_lot_no')
/** Consigned goods change their owner, bought ones the supplier that is owed. */
export const isConsigned = (doc: Paper): boolean => doc.regime === 'consigned'

/** What each sort of correction must say. */
const says: Readonly<Record<keyof typeof correctionTypes, (line: CommonLine, doc: Paper) => true | string>> = {
  lot: line => {
    const [made, until] = [
      text(line, 'new_production_date') ?? line.production_date,
      text(line, 'new_expiry_date') ?? line.expiry_date,
    ]
    if (made !== null && until !== null && made >= until) return '有效期至必须晚于生产日期'
    return (
      isOtherLot(line) ||
      changes(line, line.expiry_date, 'new_expiry_date') ||
      changes(line, line.production_date, 'new_production_date') ||
      '请填写更正后的批号或效期'
    )
  },
  price: line => filled(own(line, 'new_price')) || filled(own(line, 'new_rate')) || '请填写更正后的单价或税率',
  owner: (_line, doc) =>
    (filled(own(doc, 'new_counterparty_sn')) && own(doc, 'new_counterparty_sn') !== doc.counterparty_sn) ||
    '请选择更正后的供应商/货主',
  code: line => {
    const next = (own(line, 'new_codes') as readonly string[] | null) ?? []
    return (
      (line.unit_codes.length > 0 && next.length === line.unit_codes.length) ||
      '请填写更正后的院内码，与原院内码一一对应'
    )
  },
  certificate: line =>
    changes(line, text(line, 'old_registration_no'), 'new_registration_no') || '请填写更正后的注册证号',
}

const titles = { receipt: '采购入库单', other: '其他入库单', opening: '期初库存', sale: '销售出库单' } as const
/** Where the money of the original stands between us and its partner; null where nobody owes for it. */
export function accountOf(doc: Paper): Account | null {
  const title = own(doc, 'source_title')
  if (doc.counterparty_sn === null) return null
  return title === titles.receipt ? 'payable_estimated' : title === titles.sale ? 'receivable_unbilled' : null
}

const lyingOf = (line: object): readonly Lying[] => (own(line, 'lying') as readonly Lying[] | undefined) ?? []

/** Goods of a line at their places, as whose and as what they lie there. */
function movesOf(doc: Paper, line: CommonLine, book: Book): Move[] {
  const type = typeOf(doc)
  const base = { line_no: line.line_no, step: 'correct' } as const
  return lyingOf(line).map((part): Move => {
    const here = store(part.warehouse, part.location)
    const owner = line.owner_org_sn ?? book.org
    const goods = { ...base, owner, quality: part.quality, ...(part.codes ? { codes: part.codes } : {}) }
    if (type === 'price')
      return { ...goods, quantity: '0.000', from: outside(), to: here, value: part.value ?? '0.00', traced: false }
    const lot = text(line, 'new_lot_id')
    return {
      ...goods,
      quantity: part.quantity,
      from: here,
      to: here,
      ...(lot ? { toLot: lot } : {}),
      ...(type === 'owner' && isConsigned(doc) ? { toOwner: own(doc, 'new_counterparty_sn') as string } : {}),
    }
  })
}

/** What is owed of a line: more or less by another price, or to another supplier. */
function entriesOf(doc: Paper, line: CommonLine): Entry[] {
  const amount = line.taxed_amount
  const account = accountOf(doc)
  if (typeOf(doc) === 'price')
    return account === null || isZero(amount) ? [] : [{ line_no: line.line_no, account, amount }]
  if (typeOf(doc) !== 'owner' || isConsigned(doc)) return []
  const owed = (own(line, 'old_amount') as Decimal | null) ?? '0.00'
  return isZero(owed)
    ? []
    : [
        { line_no: line.line_no, account: 'payable_estimated', amount: negate(owed) },
        {
          line_no: line.line_no,
          account: 'payable_estimated',
          amount: owed,
          counterparty: own(doc, 'new_counterparty_sn') as string,
        },
      ]
}

const ofReceipt = {
  sourceType: sourceTypes.GRN,
  purpose: 'amend',
  uncounted: true,
  exact: true,
  newestFirst: true,
  states: ['reviewed', 'partial', 'completed'],
  unready: '原单未审核，请直接修改原单',
} as const

const life = postingLifecycle<Paper>({
  submit: [
    hasLines,
    everyLineHasSource('请选择原单'),
    positiveQuantity,
    needs('change_reason', '请填写变更原因'),
    doc => hasFiles(doc, 'attachments') || '请上传变更依据',
    eachLine((line, doc) => says[typeOf(doc)](line, doc)),
    needs('impact_note', '请先做影响分析'),
  ],
  review: [doc => typeOf(doc) !== 'lot' || filled(own(doc, 'quality_opinion')) || '批号和效期更正请填写质量意见'],
  neverAuthor: true,
  ownPaper: '不能审核本人提交的单据',
})

/**
 * 进销存变更: what a posted receipt or issue recorded wrongly is set right without deleting anything. The opposite of what was wrong
 * and what is right are booked together; the original keeps its text and names the correction.
 */
export const stockCorrection = defineDocument({
  kind: 'stockCorrection',
  title: '进销存变更单',
  prefix: 'BG',
  family: 'internal',
  keptBy: 'HDV',
  goods: 'named',
  takesExpired: true,
  byHand: false,
  costed: 'later',
  header: {
    change_type: f.pick('变更类型', correctionTypes, { default: 'lot', required: true, width: 140 }),
    source_title: f.text('原单类型', { readOnly: true }),
    counterparty_sn: f.ref('往来单位', 'organisation'),
    new_counterparty_sn: f.ref('更正后供应商/货主', 'organisation', { narrow: { relation: 'supplier' } }),
    warehouse_model_inner_sn: f.ref('仓库', 'warehouse', { required: true }),
    change_reason: f.text('变更原因', { max: 200, required: true }),
    old_amount: f.amount('变更前金额', { readOnly: true }),
    new_amount: f.amount('变更后金额', { readOnly: true }),
    taxed_amount: f.amount('影响金额', { readOnly: true }),
    impact_note: f.longText('影响分析', { readOnly: true, max: 2000 }),
    quality_opinion: f.text('质量意见', { max: 200, asked: true }),
    handler_inner_sn: f.ref('申请人', 'employee'),
    business_date: f.day('申请日期'),
    attachments: f.files('附件'),
    remark: f.longText('备注', { max: 500 }),
  },
  lines: {
    specification_sn: f.ref('规格型号', 'specification', { required: true }),
    lot_no: f.text('批号', { readOnly: true }),
    new_lot_no: f.text('更正后批号', { max: 40 }),
    production_date: f.day('生产日期', { readOnly: true }),
    new_production_date: f.day('更正后生产日期'),
    expiry_date: f.day('有效期至', { readOnly: true }),
    new_expiry_date: f.day('更正后有效期至'),
    unit_codes: f.codes('院内码'),
    new_codes: f.codes('更正后院内码'),
    unit_inner_sn: f.ref('单位', 'unitTree'),
    quantity: f.quantity('变更数量', { required: true, min: '0.001' }),
    old_price: f.price('变更前单价', { readOnly: true }),
    new_price: f.price('变更后单价', { min: '0' }),
    old_rate: f.taxRate('变更前税率', { readOnly: true }),
    new_rate: f.taxRate('变更后税率'),
    old_amount: f.amount('变更前金额', { readOnly: true }),
    new_amount: f.amount('变更后金额', { readOnly: true }),
    taxed_amount: f.amount('影响金额', { readOnly: true }),
    stock_amount: f.amount('计入库存金额', { readOnly: true }),
    issued_amount: f.amount('已出库承担', { readOnly: true }),
    old_registration_no: f.text('原注册证号', { readOnly: true }),
    new_registration_no: f.text('更正后注册证号', { max: 60 }),
    remark: f.text('备注', { max: 200 }),
  },
  takes: [
    { ...ofReceipt, from: 'purchaseGrn', for: 'grn', sets: { source_title: titles.receipt } },
    { ...ofReceipt, from: 'otherGrn', for: 'otherGrn', sets: { source_title: titles.other } },
    { ...ofReceipt, from: 'openingStock', for: 'opening', sets: { source_title: titles.opening } },
    {
      ...ofReceipt,
      from: 'saleOdo',
      for: 'odo',
      sourceType: sourceTypes.ODO,
      sets: { source_title: titles.sale },
    },
  ],
  amends: line => ({
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
  actions: {
    submit: life.submit,
    unsubmit: life.unsubmit,
    review: { ...life.review, asks: ['quality_opinion'] },
    reject: life.reject,
    unreview: life.unreview,
    cancel: life.cancel,
    impact: { label: '影响分析', from: ['draft', 'rejected'], to: null },
  },
  posts: (doc, book) => ({
    moves: doc.lines.flatMap(line => movesOf(doc, line, book)),
    entries: doc.lines.flatMap(line => entriesOf(doc, line)),
  }),
  // Consigned goods that were booked as another's: whom they do not belong to, and whose they are, both learn it.
  sends: [
    {
      on: 'review',
      to: doc => (typeOf(doc) === 'owner' && isConsigned(doc) ? doc.counterparty_sn : null),
      notice: true,
      withoutPrices: true,
      message: { title: '客户更正了寄售货主', uri: 'stockCorrection' },
      arrives: memoFalls('correct'),
    },
    {
      on: 'review',
      to: doc => (typeOf(doc) === 'owner' && isConsigned(doc) ? (own(doc, 'new_counterparty_sn') as string) : null),
      notice: true,
      withoutPrices: true,
      message: { title: '客户登记了我方寄售货物', uri: 'stockCorrection' },
      arrives: memoGrows('correct'),
    },
  ],
  screens: [
    {
      route: '/commonView/psiChange',
      title: '进销存变更',
      orgs: 'HDV',
      menu: '库存管理',
      purpose: '更正已入账单据记错的批号、效期、价格、货主、院内码：先做影响分析，经质量审核后冲旧记新，原单保留',
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
        'state',
      ],
    },
  ],
})
