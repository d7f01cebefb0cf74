import { codedQuantity } from '#kernel/codes/pack-code.ts'
import { isPastUse } from '#kernel/rules/shelf-life.ts'
import type { CommonLine, BusinessDocument } from '#kernel/definition/document.ts'
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

/** A kind's own field, as far as a shared condition may read it. */
export const own = (row: object, name: string): unknown => (row as Readonly<Record<string, unknown>>)[name]
const figure = (row: object, name: string): Decimal => (own(row, name) as Decimal | null | undefined) ?? zero
const filled = (value: unknown): boolean => value !== null && value !== undefined && value !== ''

/** True if a file field has any files. */
export const hasFiles = (row: object, name: string): boolean =>
  ((own(row, name) as readonly string[] | null | undefined) ?? []).length > 0

export const hasLines = (doc: BusinessDocument): Answer => doc.lines.length > 0 || '请至少添加一行明细'

export const needs =
  (name: string, sentence: string) =>
  (doc: BusinessDocument): Answer =>
    filled(own(doc, name)) || sentence

/** A second field is required once the first has a value: 加急 needs its reason. */
export const needsWhen =
  (name: string, is: unknown, other: string, sentence: string) =>
  (doc: BusinessDocument): Answer =>
    own(doc, name) !== is || filled(own(doc, other)) || sentence

/**
 * Header fields that must differ: a keeper does not recheck their own work, goods are not issued to where they
 * already are.
 */
export const differ =
  (a: string, b: string, sentence: string) =>
  (doc: BusinessDocument): Answer =>
    !filled(own(doc, a)) || own(doc, a) !== own(doc, b) || sentence

export const everyLine =
  (sentence: string, holds: (line: CommonLine, doc: BusinessDocument) => boolean) =>
  (doc: BusinessDocument): Answer => {
    const bad = doc.lines.find(line => !holds(line, doc))
    return bad === undefined || `第${bad.line_no}行：${sentence}`
  }

/** As `everyLine`, with the error text made from the line. */
export const eachLine =
  (decide: (line: CommonLine, doc: BusinessDocument) => Answer) =>
  (doc: BusinessDocument): Answer => {
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
  (name: string, reason: string, sentence: string) =>
  (doc: BusinessDocument): Answer =>
    !filled(own(doc, name)) ||
    compare(figure(doc, name), doc.taxed_amount) === 0 ||
    filled(own(doc, reason)) ||
    sentence

export const everyLineHasSource = (sentence: string) => everyLine(sentence, line => filled(line.source_sn))

/** A line figure that can neither exceed another nor be negative. */
export const within = (name: string, limit: string, sentence: string) =>
  everyLine(
    sentence,
    line =>
      !isNegative(figure(line, name)) &&
      (!filled(own(line, limit)) || compare(figure(line, name), figure(line, limit)) <= 0),
  )

/** A positive line figure needs a reason. */
export const reasoned = (name: string, reason: string, sentence: string) =>
  everyLine(sentence, line => !isPositive(figure(line, name)) || filled(own(line, reason)))

/** A line reduced below its previous value needs a reason. */
export const reasonedWhenLess = (before: string, reason: string, sentence: string) =>
  everyLine(
    sentence,
    line =>
      !filled(own(line, before)) || compare(line.quantity, figure(line, before)) >= 0 || filled(own(line, reason)),
  )

/** Two figures must add up to the quantity, if both were entered. */
export const addsUp = (a: string, b: string, sentence: string) =>
  everyLine(
    sentence,
    line =>
      !filled(own(line, a)) ||
      !filled(own(line, b)) ||
      compare(add(figure(line, a), figure(line, b), 3), line.quantity) === 0,
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
export const invoiceNumber = (doc: BusinessDocument): Answer => {
  const no = own(doc, 'invoice_no')
  const code = own(doc, 'invoice_code')
  if (!filled(no)) return true
  const good = filled(code)
    ? /^(\d{10}|\d{12})$/.test(String(code)) && /^\d{8}$/.test(String(no))
    : /^\d{20}$/.test(String(no))
  return good || '发票号码格式错误：数电发票为20位数字，纸质发票为10或12位代码加8位号码'
}

export const notInFuture =
  (name: string, sentence: string) =>
  (doc: BusinessDocument): Answer =>
    !filled(own(doc, name)) || String(own(doc, name)) <= today() || sentence

export const inOrder =
  (from: string, to: string, sentence: string) =>
  (doc: BusinessDocument): Answer =>
    !filled(own(doc, from)) || !filled(own(doc, to)) || String(own(doc, from)) <= String(own(doc, to)) || sentence

/** A red invoice names the blue one it reverses. */
export const redNamesBlue = (doc: BusinessDocument): Answer =>
  own(doc, 'is_red') !== true || filled(own(doc, 'blue_invoice_no')) || '红字发票请填写对应的蓝字发票号码'

/** The invoice amount beyond its lines: the 尾差, which is booked separately. */
export const invoiceDifference = (doc: BusinessDocument): Decimal =>
  filled(own(doc, 'invoice_amount')) ? subtract(figure(doc, 'invoice_amount'), doc.taxed_amount, 2) : '0.00'

/** The line with the largest amount, which carries the 尾差. */
export const largestLine = (doc: BusinessDocument): number =>
  doc.lines.reduce(
    (best, line) => (best === null || compare(line.taxed_amount, best.taxed_amount) > 0 ? line : best),
    null as CommonLine | null,
  )?.line_no ?? 1

/** A document recorded under a voucher cannot be changed. */
export const notRecorded =
  (sentence: string) =>
  (doc: BusinessDocument): Answer =>
    own(doc, 'record_state') !== '2' || sentence
