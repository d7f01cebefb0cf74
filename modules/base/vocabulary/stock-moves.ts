import type { Book, CommonLine, BusinessDocument } from '#kernel/definition/document.ts'
import type { Decimal } from '#kernel/values/decimal.ts'
import { consignedAt, type Move, outside, type Place, type Posting, type Step } from '#kernel/ledger/posting.ts'

/**
 * A line's goods move from one place to another, with the line's owner and quality state: our own, and qualified, by
 * default.
 */
export const moved = (line: CommonLine, book: Book, step: Step, from: Place, to: Place, value?: Decimal): Move => ({
  line_no: line.line_no,
  step,
  quantity: line.base_quantity,
  from,
  to,
  owner: line.owner_org_sn ?? book.org,
  quality: line.quality_state ?? 'qualified',
  ...(value === undefined ? {} : { value }),
})

/** For the owner of goods at a customer nothing moves; only the memo is updated. The trace event is the customer's. */
const memo = (line: CommonLine, step: Step, from: Place, to: Place) => ({
  line_no: line.line_no,
  step,
  quantity: line.base_quantity,
  traced: false,
  from,
  to,
})

/** Goods at the customer are gone: used, sold, lost. A line of another owner's goods was never in our memo. */
export const memoFalls =
  (step: Step) =>
  (doc: BusinessDocument, book: Book): Posting => ({
    moves: doc.lines
      .filter(line => line.owner_org_sn === null || line.owner_org_sn === book.org)
      .map(line => memo(line, step, consignedAt(doc.counterparty_sn), outside(doc.counterparty_sn))),
  })

/** The customer has goods of ours that it did not get by our delivery. */
export const memoGrows =
  (step: Step) =>
  (doc: BusinessDocument): Posting => ({
    moves: doc.lines.map(line => ({
      ...memo(line, step, outside(doc.counterparty_sn), consignedAt(doc.counterparty_sn)),
      value: line.untaxed_amount,
    })),
  })
