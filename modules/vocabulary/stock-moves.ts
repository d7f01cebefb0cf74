import type { Book, CommonLine, BusinessDocument } from '#kernel/definition/document.ts'
import type { Decimal } from '#kernel/values/decimal.ts'
import { consignedAt, type Move, outside, type Place, type Posting, type Step } from '#kernel/ledger/posting.ts'

/** A line's goods go from one place to another as whose and as what the line says they are: our own, and qualified, where it is silent. */
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

/** At the owner of goods that lie with a customer nothing moves; the memo of what is there follows. The event is the customer's. */
const memo = (line: CommonLine, step: Step, from: Place, to: Place) => ({
  line_no: line.line_no,
  step,
  quantity: line.base_quantity,
  traced: false,
  from,
  to,
})

/** What lay with the customer is there no more: used, sold, lost. A line that says it was another's never lay there as ours. */
export const memoFalls =
  (step: Step) =>
  (doc: BusinessDocument, book: Book): Posting => ({
    moves: doc.lines
      .filter(line => line.owner_org_sn === null || line.owner_org_sn === book.org)
      .map(line => memo(line, step, consignedAt(doc.counterparty_sn), outside(doc.counterparty_sn))),
  })

/** The customer has goods of ours that he did not get by a delivery of ours. */
export const memoGrows =
  (step: Step) =>
  (doc: BusinessDocument): Posting => ({
    moves: doc.lines.map(line => ({
      ...memo(line, step, outside(doc.counterparty_sn), consignedAt(doc.counterparty_sn)),
      value: line.untaxed_amount,
    })),
  })
