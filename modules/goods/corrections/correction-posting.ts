import type { Book, CommonHeader, CommonLine } from '#kernel/definition/document.ts'
import { type Decimal, isZero, negate } from '#kernel/values/decimal.ts'
import {
  type Account,
  consignedAt,
  type Entry,
  type Move,
  outside,
  type Posting,
  type QualityState,
  store,
} from '#kernel/ledger/posting.ts'
import { wrongLotDates } from '#kernel/rules/lot-dates.ts'

/** The kinds of errors a document can have recorded. */
export const correctionTypes = {
  lot: '批号/效期更正',
  price: '价格/税率更正',
  owner: '供应商/货主更正',
  code: '院内码更正',
  certificate: '注册证更正',
} as const

/** The answer of the counterparty that booked the same goods or money. */
export const answerStates = { '0': '无需确认', '1': '待对方确认', '2': '对方已确认', '3': '对方已拒绝' } as const
/**
 * The reason why the lot of a sale differs from its document: another lot was sent, or the right one was entered
 * wrongly.
 */
export const lotCauses = { shipped: '实物发错批号', written: '批号录入错误' } as const

/** The place of a line's goods, determined when the correction takes effect. */
export type StockPart = {
  readonly warehouse: string
  readonly location: string
  readonly quality: QualityState
  readonly quantity: Decimal
  /** For a price correction: the part of the difference that these goods carry from now on. */
  readonly value?: Decimal
  readonly codes?: readonly string[]
}

export const filled = (value: unknown): boolean =>
  value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0)
type Named<N extends string> = { readonly [K in N]?: string | null }
type Changed = 'new_lot_no' | 'new_production_date' | 'new_expiry_date' | 'new_registration_no'

/** A line with what its correction says and, at the server, what the room found out for its booking. */
export type CorrectedLine = CommonLine &
  Named<Changed | 'old_registration_no' | 'new_lot_id'> & {
    readonly new_price?: Decimal | null
    readonly new_rate?: number | null
    readonly new_codes?: readonly string[] | null
    readonly old_amount?: Decimal | null
    /** Money or goods that come back to the warehouse of a sale, and their value. */
    readonly home_value?: Decimal
    readonly stored?: readonly StockPart[]
  }
type CorrectedHeader = CommonHeader &
  Named<'change_type' | 'answer_state' | 'answers_sn' | 'source_title' | 'new_counterparty_sn' | 'lot_cause'>
type CorrectedDocument = CorrectedHeader & { readonly lines: readonly CorrectedLine[] }

/** The type of a correction. */
export const typeOf = (doc: CorrectedHeader) => String(doc.change_type ?? 'lot') as keyof typeof correctionTypes
const changes = (line: CorrectedLine, was: string | null, name: Changed) =>
  filled(line[name]) && line[name] !== (was ?? '')

/** True if a line names another lot, rather than other dates of the same one. */
export const isOtherLot = (line: CorrectedLine): boolean => changes(line, line.lot_no, 'new_lot_no')
/** A correction of consigned goods changes their owner, one of bought goods the supplier to whom money is owed. */
export const isConsigned = (doc: CommonHeader): boolean => doc.regime === 'consigned'

/** Both sides book when the counterparty has agreed: until then the goods are held and nothing is written. */
export const isPending = (doc: CorrectedHeader): boolean => doc.answer_state === '1'
/** True for our half of the counterparty's request. */
export const isAnswering = (doc: CorrectedHeader): boolean => filled(doc.answers_sn)
/** True if the original is our sale. */
export const isOfSale = (doc: CorrectedHeader): boolean => doc.source_title === titles.sale

/** The fields that each type of correction requires. */
export const correctionSays: Readonly<
  Record<keyof typeof correctionTypes, (line: CorrectedLine, doc: CorrectedHeader) => true | string>
> = {
  lot: line => {
    const [made, until] = [line.new_production_date ?? line.production_date, line.new_expiry_date ?? line.expiry_date]
    const wrong = wrongLotDates({ production_date: made, expiry_date: until }, { day: null, label: '' })
    if (wrong) return wrong.msg
    return (
      isOtherLot(line) ||
      changes(line, line.expiry_date, 'new_expiry_date') ||
      changes(line, line.production_date, 'new_production_date') ||
      '请填写更正后的批号或效期'
    )
  },
  price: line => filled(line.new_price) || filled(line.new_rate) || '请填写更正后的单价或税率',
  owner: (_line, doc) =>
    (filled(doc.new_counterparty_sn) && doc.new_counterparty_sn !== doc.counterparty_sn) || '请选择更正后的供应商/货主',
  code: line => {
    const next = line.new_codes ?? []
    return (
      (line.unit_codes.length > 0 && next.length === line.unit_codes.length) ||
      '请填写更正后的院内码，与原院内码一一对应'
    )
  },
  certificate: line =>
    changes(line, line.old_registration_no ?? null, 'new_registration_no') || '请填写更正后的注册证号',
}

/** Titles of the originals. */
export const titles = {
  receipt: '采购入库单',
  other: '其他入库单',
  opening: '期初库存',
  found: '报溢单',
  moved: '机构调入单',
  sale: '销售出库单',
} as const
/** The account between us and the partner to which the original's money belongs; null if nothing is owed for it. */
export function accountOf(doc: CorrectedHeader): Account | null {
  const title = doc.source_title
  if (doc.counterparty_sn === null) return null
  return title === titles.receipt ? 'payable_estimated' : title === titles.sale ? 'receivable_unbilled' : null
}

/** Goods of a line at their locations, with their owner and state there. */
function movesOf(doc: CorrectedHeader, line: CorrectedLine, book: Book): Move[] {
  const type = typeOf(doc)
  const base = { line_no: line.line_no, step: 'correct' } as const
  return (line.stored ?? []).map((part): Move => {
    const here = store(part.warehouse, part.location)
    const owner = line.owner_org_sn ?? book.org
    const goods = { ...base, owner, quality: part.quality, ...(part.codes ? { codes: part.codes } : {}) }
    if (type === 'price')
      return { ...goods, quantity: '0.000', from: outside(), to: here, value: part.value ?? '0.00', traced: false }
    const lot = line.new_lot_id ?? null
    return {
      ...goods,
      quantity: part.quantity,
      from: here,
      to: here,
      ...(lot ? { toLot: lot } : {}),
      ...(type === 'owner' && isConsigned(doc) ? { toOwner: doc.new_counterparty_sn! } : {}),
    }
  })
}

/**
 * The moves for the lot of a sale. If the wrong lot was sent, the lot on the document is back in stock and the right
 * lot has left; if it was only entered wrongly, the stock was right all the time. The customer corrects its own stock,
 * so no trace event is booked here.
 */
function saleMoves(doc: CorrectedHeader, line: CorrectedLine, book: Book): Move[] {
  const lot = line.new_lot_id ?? null
  if (lot === null) return []
  const base = { line_no: line.line_no, step: 'correct', owner: book.org, traced: false } as const
  const quantity = line.base_quantity
  const customer = isConsigned(doc) ? consignedAt(doc.counterparty_sn) : outside(doc.counterparty_sn)
  if (doc.lot_cause === 'written')
    return isConsigned(doc) ? [{ ...base, quantity, from: customer, to: customer, toLot: lot }] : []
  const home = store(doc.warehouse_model_inner_sn, line.location)
  return [
    ...(isConsigned(doc) ? [{ ...base, quantity, from: customer, to: outside(doc.counterparty_sn) }] : []),
    { ...base, quantity, from: outside(doc.counterparty_sn), to: home, value: line.home_value ?? '0.00' },
    ...(line.stored ?? []).map(part => ({
      ...base,
      lot,
      quantity: part.quantity,
      quality: part.quality,
      from: store(part.warehouse, part.location),
      to: customer,
    })),
  ]
}

/** The entries of a line: more or less is owed by another price, or it is owed to another supplier. */
function entriesOf(doc: CorrectedHeader, line: CorrectedLine): Entry[] {
  const amount = line.taxed_amount
  const account = accountOf(doc)
  if (typeOf(doc) === 'price')
    return account === null || isZero(amount) ? [] : [{ line_no: line.line_no, account, amount }]
  if (typeOf(doc) !== 'owner' || isConsigned(doc)) return []
  const owed = line.old_amount ?? '0.00'
  return isZero(owed)
    ? []
    : [
        { line_no: line.line_no, account: 'payable_estimated', amount: negate(owed) },
        {
          line_no: line.line_no,
          account: 'payable_estimated',
          amount: owed,
          counterparty: doc.new_counterparty_sn!,
        },
      ]
}

/** Everything a correction books; nothing while the counterparty has not answered. */
export function postCorrection(doc: CorrectedDocument, book: Book): Posting {
  if (isPending(doc)) return {}
  const ofLot = isOfSale(doc) && typeOf(doc) === 'lot'
  return {
    moves: doc.lines.flatMap(line => (ofLot ? saleMoves(doc, line, book) : movesOf(doc, line, book))),
    entries: doc.lines.flatMap(line => entriesOf(doc, line)),
  }
}
