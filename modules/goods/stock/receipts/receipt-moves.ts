import { isPositive, isZero, share, subtract } from '#kernel/values/decimal.ts'
import type { Book, CommonHeader, CommonLine } from '#kernel/definition/document.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { consumed, type Move, outside, store } from '#kernel/ledger/posting.ts'
import { figure, type Figures, type Has } from '#modules/base/vocabulary/validators.ts'

/**
 * Unqualified goods to be destroyed or awaiting a decision come into stock as unqualified; those that go back never
 * do.
 */
export const staysUnqualified = (line: Arriving): boolean =>
  isPositive(figure(line, 'unqualified_quantity')) && ['destroy', 'hold'].includes(String(line.disposition))

type Arriving = CommonLine & Figures<'unqualified_quantity'> & Has<'disposition'>

/** One line's moves into the warehouse: the good part, and beside it the part that stays unqualified. */
export function arrivals(doc: CommonHeader, line: Arriving, book: Book): Move[] {
  // Hospitals cannot deduct input tax: their cost is the taxed amount.
  const value = doc.regime === 'consigned' ? '0.00' : book.type === 'H' ? line.taxed_amount : line.untaxed_amount
  const whole = {
    line_no: line.line_no,
    step: 'receive',
    quantity: line.base_quantity,
    value,
    from: outside(doc.counterparty_sn),
    to: store(doc.warehouse_model_inner_sn, line.location),
    owner: doc.regime === 'consigned' ? doc.counterparty_sn : book.org,
    quality: line.quality_state ?? 'qualified',
  } as const
  if (isZero(line.base_quantity)) return []
  if (!staysUnqualified(line)) return [whole]
  const bad = share(line.base_quantity, figure(line, 'unqualified_quantity'), line.quantity, 3)
  const badValue = share(value, bad, line.base_quantity, 2)
  const parts: Move[] = [
    { ...whole, quantity: subtract(line.base_quantity, bad, 3), value: subtract(value, badValue, 2) },
    { ...whole, quantity: bad, value: badValue, quality: 'unqualified' },
  ]
  return parts.filter(move => isPositive(move.quantity))
}

/** 骨科采购入库: implants that an operation used before they were bought. */
export const isOfOperation = (doc: Pick<CommonHeader, 'source_type'>): boolean =>
  doc.source_type === sourceTypes.ORTHOPAEDIC

/** They left at their use: received and used up in one posting, so that stock stays as it is and ownership changes. */
export function usedAlready(doc: CommonHeader, line: CommonLine, book: Book): Move[] {
  const half = {
    line_no: line.line_no,
    step: 'title',
    quantity: line.base_quantity,
    owner: book.org,
    value: book.type === 'H' ? line.taxed_amount : line.untaxed_amount,
    traced: false,
  } as const
  return [
    { ...half, from: outside(doc.counterparty_sn), to: consumed },
    { ...half, from: consumed, to: outside() },
  ]
}
