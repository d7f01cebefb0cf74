import { byName, type StoredDocument, type StoredLine } from '#server/documents/repository/document.ts'
import type { SourceRule } from '#kernel/definition/document-links.ts'
import { type Decimal, isPositive, share } from '#kernel/values/decimal.ts'
import { documentOf } from '#kernel/registry.ts'
import { ownerOfLine } from '#server/documents/progress/owner-of-line.ts'

/** The money of the part closed by the document itself: no one took it, and no one will. */
export function closedAmount(
  take: SourceRule,
  doc: StoredDocument,
  line: StoredLine,
  money: 'taxed_amount' | 'untaxed_amount',
): Decimal {
  const part = documentOf(doc.kind)!.lineRules.selfClosed?.(line)
  const counts =
    part && isPositive(part.quantity) && [take.purpose, ...(take.sharesLimitWith ?? [])].includes(part.purpose)
  return counts ? share(line[money], part.quantity, line.base_quantity, 2) : '0'
}

/** The order and the delivery behind a line made from this source line. */
export function sourceLinks(doc: StoredDocument, line: StoredLine, take: SourceRule) {
  const isOrder = documentOf(doc.kind)!.sourcing.isOrder ?? false
  return {
    order_document_id: isOrder ? doc.id : line.order_document_id,
    order_line_no: isOrder ? line.line_no : line.order_line_no,
    // Returned goods already name our own delivery.
    delivery_document_id: line.delivery_document_id ?? (take.fromCounterparty && !isOrder ? doc.id : null),
    delivery_line_no: line.delivery_document_id
      ? line.delivery_line_no
      : take.fromCounterparty && !isOrder
        ? line.line_no
        : null,
  }
}

/** The fields that a take adds to a line: the owner of the exact goods, the source's total and what was left. */
export const sourceFields = (doc: StoredDocument, take: SourceRule, line: StoredLine, left: Decimal) => ({
  // The sender's own goods become ours on arrival; goods of a third party stay that party's.
  ...(take.sameUnits
    ? { owner_org_sn: ownerOfLine(documentOf(doc.kind)!, doc, line) ?? (take.fromCounterparty ? null : doc.org_sn) }
    : {}),
  ...(take.sameBalance
    ? { owner_org_sn: line.owner_org_sn, quality_state: line.quality_state, location: line.location ?? '' }
    : {}),
  ...(take.inTransitOnly || take.stockedUnderSource ? { location: doc.sn } : {}),
  ...(take.snapshot ? { [take.snapshot.whole]: line.quantity, [take.snapshot.left]: left } : {}),
})

/** The upward steps of this document line; `above` is the kind of its source's source. */
export const upwardSteps = (take: SourceRule, doc: Partial<StoredDocument>, line: StoredLine, above: string | null) =>
  (take.rollup ?? []).filter(
    ({ ifFlag: when, ifFrom: through }) =>
      (when === undefined || byName(doc)[when] === true) &&
      (through === undefined || (through === 'delivery' ? line.delivery_document_id !== null : through === above)),
  )
