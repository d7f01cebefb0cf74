import type { AnyDocument } from '#kernel/definition/document.ts'
import type { LineInput } from '#server/documents/lines/complete.ts'
import { noRest } from '#server/documents/lines/rest-amounts.ts'
import type { StoredLine } from '#server/documents/repository/document.ts'
import type { Session } from '#server/access/session.ts'

/** True if users of this organisation enter no prices on documents of this kind. */
export const usesAgreedPrice = (definition: AnyDocument, session: Session): boolean =>
  definition.pricing.agreedPriceFor?.includes(session.org.type) === true

/** Made from another organisation's document: its supplier's offer. */
export const isFromQuotation = (line: LineInput | StoredLine, session: Session): boolean =>
  Boolean(line.source_document_id) && Boolean(line.source_org_sn) && line.source_org_sn !== session.org.id

/** An entered price is dropped where the agreed one applies; an offer's line keeps the offered price. */
export const clearTypedPrice =
  (definition: AnyDocument, session: Session) =>
  (line: LineInput): LineInput => {
    if (!usesAgreedPrice(definition, session)) return line
    return isFromQuotation(line, session)
      ? line
      : { ...line, price: null, taxed_amount: null, tax_amount: null, ...noRest }
  }
