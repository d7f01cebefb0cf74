/**
 * Drafts: building them, completing their lines, creating and editing them. Modules import the engine through files
 * like this one and no other.
 */

/** The data of items that the engine needs. */
export type { ItemData, Trade } from '#server/documents/lines/item-data.ts'

/** Pack units and how many base units each holds. */
export { packUnits } from '#server/documents/lines/units-of-measure.ts'

/** Build, create, edit, delete drafts. */
export { createDraft, buildDraft, editDraft, saveDraft } from '#server/documents/draft/draft.ts'

/** Completes input lines: units, price, tax, amounts, lots. */
export { completeLines, tradeContext, type LineInput } from '#server/documents/lines/complete.ts'

/** Creates a draft as the system user. */
export { createSystemDraft } from '#server/documents/draft/system-draft.ts'

/** Strips typed prices where the agreed price applies. */
export { isFromQuotation, usesAgreedPrice } from '#server/documents/lines/agreed-price.ts'

/** Opens source documents; builds lines from their remainder. */
export { definitionOf, hasRemainder, openSources } from '#server/documents/sources/open-source.ts'

/** Default warehouse from order, item, central store. */
export { defaultWarehouseSql } from '#server/documents/draft/default-warehouse.ts'
