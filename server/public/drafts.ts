/** Drafts: building them, completing their lines, creating and editing them. Modules import the engine through files like this one and no other. */

/** What the engine needs to know of items. */
export type { ItemData, Trade } from '#server/documents/lines/item-data.ts'

/** Pack units and how many base units each holds. */
export { packUnits } from '#server/documents/lines/units-of-measure.ts'

/** Build, create, edit, delete drafts. */
export { addDocument, composeDraft, storeDraft } from '#server/engine/documents/draft.ts'

/** Completes input lines: units, price, tax, amounts, lots. */
export { completeLines, tradeOf, type LineInput } from '#server/engine/documents/complete.ts'

/** Creates a draft as the system user. */
export { lay } from '#server/engine/documents/lay.ts'

/** Strips typed prices where the agreed price applies. */
export { isOffered, takesAgreedPrice } from '#server/engine/documents/agreed-lines.ts'

/** Opens source documents; builds lines from their remainder. */
export { definitionOf, isOpen, openSources } from '#server/engine/documents/source-lines.ts'

/** Default warehouse from order, item, central store. */
export { storeOf } from '#server/engine/documents/store-for.ts'
