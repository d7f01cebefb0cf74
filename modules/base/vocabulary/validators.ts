import { codedQuantity } from '#kernel/codes/pack-code.ts'
import { isPastUse } from '#kernel/rules/shelf-life.ts'
import type { BusinessDocument, CommonHeader, CommonLine } from '#kernel/definition/document.ts'
import { today } from '#kernel/values/date.ts'
import {
  add,
  compare,
  type Decimal,
  isNegative,
  isPositive,
  isZero,
  plain,
  subtract,
  zero,
} from '#kernel/values/decimal.ts'
import { qualityStates } from '#kernel/ledger/posting.ts'

/** Conditions shared by several documents. Each returns true or the error text for the user. */
type Answer = true | string

/** A document or line that has a field of this name: a condition about a field that the kind lacks does not compile. */
export type Has<N extends string, V = unknown> = { readonly [K in N]: V }
type LineOf<D extends BusinessDocument> = D['lines'][number]
type WithLines<L> = CommonHeader & { readonly lines: readonly (CommonLine & L)[] }
export type Figures<N extends string> = Has<N, Decimal | null>

/** A figure of a row; 0 where none is written. */
export const figure = <N extends string>(row: Figures<N>, name: N): Decimal => row[name] ?? zero
export const filled = (value: unknown): boolean => value !== null && value !== undefined && value !== ''

/** True if a file field has any files. */
export const hasFiles = <N extends string>(row: Has<N, readonly string[] | null>, name: N): boolean =>
  (row[name] ?? []).length > 0

export const hasLines = (doc: BusinessDocument): Answer => doc.lines.length > 0 || '请至少添加一行明细'

export const needs =
  <const N extends string>(name: N, sentence: string) =>
  (doc: Has<N>): Answer =>
    filled(doc[name]) || sentence

/** A second field is required once the first has a value: 加急 needs its reason. */
export const needsWhen =
  <const N extends string, const O extends string>(name: N, is: unknown, other: O, sentence: string) =>
  (doc: Has<N> & Has<O>): Answer =>
    doc[name] !== is || filled(doc[other]) || sentence

/**
 * Header fields that must differ: a keeper does not recheck their own work, goods are not issued to where they
 * already are.
 */
export const differ =
  <const A extends string, const B extends string>(a: A, b: B, sentence: string) =>
  (doc: Has<A> & Has<B>): Answer =>
    !filled(doc[a]) || (doc[a] as unknown) !== doc[b] || sentence

export const everyLine =
  <D extends BusinessDocument>(sentence: string, holds: (line: LineOf<D>, doc: D) => boolean) =>
  (doc: D): Answer => {
    const bad = doc.lines.find(line => !holds(line, doc))
    return bad === undefined || `第${bad.line_no}行：${sentence}`
  }

/** As `everyLine`, with the error text made from the line. */
export const eachLine =
  <D extends BusinessDocument>(decide: (line: LineOf<D>, doc: D) => Answer) =>
  (doc: D): Answer => {
    for (const line of doc.lines) {
      const answer = decide(line, doc)
      if (answer !== true) return `第${line.line_no}行：${answer}`
    }
    return true
  }

export const positiveQuantity = everyLine('数量必须大于0', line => isPositive(line.quantity))
/** Corrections are negative lines; a line of zero is an error. */
export const someQuantity = everyLine('数量不能为0', line => !isZero(line.quantity))
export const someAmount = everyLine('金额必须大于0', line => isPositive(line.taxed_amount))

/** Lines may be negative (a red invoice among blue ones), none may be zero, and their total must be positive. */
export const moreThanNothing =
  (sentence: string) =>
  (doc: BusinessDocument): Answer => {
    const empty = doc.lines.find(line => isZero(line.taxed_amount))
    if (empty) return `第${empty.line_no}行：金额不能为0`
    return isPositive(doc.taxed_amount) || sentence
  }

/** A header figure that differs from the document's total needs a reason. */
export const sumOrReason =
  <const N extends string, const R extends string>(name: N, reason: R, sentence: string) =>
  (doc: BusinessDocument & Figures<N> & Has<R>): Answer =>
    !filled(doc[name]) || compare(figure(doc, name), doc.taxed_amount) === 0 || filled(doc[reason]) || sentence

export const everyLineHasSource = (sentence: string) => everyLine(sentence, line => filled(line.source_sn))

/** A line figure that can neither exceed another nor be negative. */
export const within = <const N extends string, const L extends string>(name: N, limit: L, sentence: string) =>
  everyLine<WithLines<Figures<N> & Figures<L>>>(
    sentence,
    line =>
      !isNegative(figure(line, name)) &&
      (!filled(line[limit]) || compare(figure(line, name), figure(line, limit)) <= 0),
  )

/** A positive line figure needs a reason. */
export const reasoned = <const N extends string, const R extends string>(name: N, reason: R, sentence: string) =>
  everyLine<WithLines<Figures<N> & Has<R>>>(sentence, line => !isPositive(figure(line, name)) || filled(line[reason]))

/** A line reduced below its previous value needs a reason. */
export const reasonedWhenLess = <const B extends string, const R extends string>(
  before: B,
  reason: R,
  sentence: string,
) =>
  everyLine<WithLines<Figures<B> & Has<R>>>(
    sentence,
    line => !filled(line[before]) || compare(line.quantity, figure(line, before)) >= 0 || filled(line[reason]),
  )

/** Two figures must add up to the quantity, if both were entered. */
export const addsUp = <const A extends string, const B extends string>(a: A, b: B, sentence: string) =>
  everyLine<WithLines<Figures<A> & Figures<B>>>(
    sentence,
    line =>
      !filled(line[a]) || !filled(line[b]) || compare(add(figure(line, a), figure(line, b), 3), line.quantity) === 0,
  )

/** Expired goods cannot be received anywhere. */
export const notExpired = eachLine(
  (line, doc) =>
    !isPastUse(line, doc) || `产品已过有效期，不能入库：【${line.product_name ?? ''}】批号${line.lot_no ?? ''}`,
)
/** Only opening stock may be expired, and then it is not for issue. */
export const expiredIsUnqualified = eachLine(
  (line, doc) =>
    !isPastUse(line, doc) ||
    line.quality_state === 'unqualified' ||
    `批号${line.lot_no ?? ''}已过有效期，质量状态只能为不合格`,
)
/** Expired goods may not be used on anyone. */
export const notExpiredToUse = (sentence: (product: string) => string) =>
  eachLine((line, doc) => !isPastUse(line, doc) || sentence(line.product_name ?? ''))

/** Goods that leave the warehouse for use or sale must be qualified and not expired. */
export const fitToLeave = (sentence: (lot: string, why: string) => string) =>
  eachLine((line, doc) => {
    const why = isPastUse(line, doc)
      ? '已过期'
      : line.quality_state !== null && line.quality_state !== 'qualified'
        ? qualityStates[line.quality_state]
        : null
    return why === null || sentence(line.lot_no ?? '', why)
  })

/**
 * The lot is that of the source. Of goods that leave a store the engine says why none could be chosen for a line.
 */
export const everyLineHasLot = (doc: BusinessDocument): Answer => {
  const bad = doc.lines.find(line => line.lot_no === null)
  return bad === undefined || `第${bad.line_no}行【${bad.product_name ?? ''}】请选择批号`
}

/** One code per piece: a line with codes has exactly as many as pieces, without duplicates. */
export const codesMatchQuantity = (doc: BusinessDocument): Answer => {
  const seen = new Set<string>()
  for (const line of doc.lines) {
    if (line.unit_codes.length > 0 && compare(line.base_quantity, codedQuantity(line)) !== 0)
      return (
        `第${line.line_no}行【${line.product_name ?? ''}】数量${plain(line.base_quantity)}与院内码数量` +
        `${plain(codedQuantity(line))}不一致`
      )
    for (const code of line.unit_codes) {
      if (seen.has(code)) return `院内码${code}在本单中重复`
      seen.add(code)
    }
  }
  return true
}

/** 数电发票 has 20 digits and no code; a printed invoice has a code of 10 or 12 and a number of 8. */
export const invoiceNumber = ({ invoice_no: no, invoice_code: code }: Has<'invoice_no' | 'invoice_code'>): Answer => {
  if (!filled(no)) return true
  const good = filled(code)
    ? /^(\d{10}|\d{12})$/.test(String(code)) && /^\d{8}$/.test(String(no))
    : /^\d{20}$/.test(String(no))
  return good || '发票号码格式错误：数电发票为20位数字，纸质发票为10或12位代码加8位号码'
}

export const notInFuture =
  <const N extends string>(name: N, sentence: string) =>
  (doc: Has<N>): Answer =>
    !filled(doc[name]) || String(doc[name]) <= today() || sentence

export const inOrder =
  <const F extends string, const T extends string>(from: F, to: T, sentence: string) =>
  (doc: Has<F> & Has<T>): Answer =>
    !filled(doc[from]) || !filled(doc[to]) || String(doc[from]) <= String(doc[to]) || sentence

/** A red invoice names the blue one it reverses. */
export const redNamesBlue = (doc: Has<'is_red' | 'blue_invoice_no'>): Answer =>
  doc.is_red !== true || filled(doc.blue_invoice_no) || '红字发票请填写对应的蓝字发票号码'

/** The invoice amount beyond its lines: the 尾差, which is booked separately. */
export const invoiceDifference = (doc: Pick<CommonHeader, 'taxed_amount'> & Figures<'invoice_amount'>): Decimal =>
  filled(doc.invoice_amount) ? subtract(figure(doc, 'invoice_amount'), doc.taxed_amount, 2) : '0.00'

/** The line with the largest amount, which carries the 尾差. */
export const largestLine = (doc: Pick<BusinessDocument, 'lines'>): number =>
  doc.lines.reduce(
    (best, line) => (best === null || compare(line.taxed_amount, best.taxed_amount) > 0 ? line : best),
    null as CommonLine | null,
  )?.line_no ?? 1

/** A document recorded under a voucher cannot be changed. */
export const notRecorded =
  (sentence: string) =>
  (doc: Has<'record_state'>): Answer =>
    doc.record_state !== '2' || sentence
