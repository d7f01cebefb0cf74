import type { SourceRule } from '#kernel/definition/document-links.ts'
import { type Decimal, isPositive, share } from '#kernel/values/decimal.ts'
import { documentOf } from '#kernel/registry.ts'
import { ownerOfLine } from '#server/documents/progress/owner-of-line.ts'
import type { StoredDocument, StoredLine } from '#server/documents/repository/document.ts'

/** The money of the part that the paper closed by itself: nobody took it, and nobody will. */
export function closedAmount(take: SourceRule, doc: StoredDocument, line: StoredLine): Decimal {
  const part = documentOf(doc.kind)!.lineRules.selfClosed?.(line as never)
  const counts =
    part && isPositive(part.quantity) && [take.purpose, ...(take.sharesLimitWith ?? [])].includes(part.purpose)
  return counts ? share(line.taxed_amount, part.quantity, line.base_quantity, 2) : '0'
}

/** The order and the delivery behind a line made from this source line. */
export function sourceLinks(doc: StoredDocument, line: StoredLine, take: SourceRule) {
  const isOrder = documentOf(doc.kind)!.sourcing.isOrder ?? false
  return {
    order_document_id: isOrder ? doc.id : line.order_document_id,
    order_line_no: isOrder ? line.line_no : line.order_line_no,
    // What came back names our own delivery already.
    delivery_document_id: line.delivery_document_id ?? (take.fromCounterparty && !isOrder ? doc.id : null),
    delivery_line_no: line.delivery_document_id
      ? line.delivery_line_no
      : take.fromCounterparty && !isOrder
        ? line.line_no
        : null,
  }
}

/** What this way of taking adds to a line: whose the very goods are, and how much the source has and had left. */
export const sourceFields = (doc: StoredDocument, take: SourceRule, line: StoredLine, left: Decimal) => ({
  // What was another's own is ours where it arrives; what belongs to a third stays that one's.
  ...(take.sameUnits
    ? { owner_org_sn: ownerOfLine(documentOf(doc.kind)!, doc, line) ?? (take.fromCounterparty ? null : doc.org_sn) }
    : {}),
  ...(take.sameBalance
    ? { owner_org_sn: line.owner_org_sn, quality_state: line.quality_state, location: line.location ?? '' }
    : {}),
  ...(take.inTransitOnly || take.stockedUnderSource ? { location: doc.sn } : {}),
  ...(take.snapshot ? { [take.snapshot.whole]: line.quantity, [take.snapshot.left]: left } : {}),
})

/** The steps upward that this line of a paper makes; `above` is the kind of what its source was made from. */
export const upwardSteps = (take: SourceRule, doc: Partial<StoredDocument>, line: StoredLine, above: string | null) =>
  (take.rollup ?? []).filter(
    ({ ifFlag: when, ifFrom: through }) =>
      (when === undefined || doc[when] === true) &&
      (through === undefined || (through === 'delivery' ? line.delivery_document_id !== null : through === above)),
  )
