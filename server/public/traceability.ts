/** Traces of serials and lots, and their labels. Modules import the engine through files like this one and no other. */

/** Changing labels of serials. */
export { bindRfid, replaceLabels, voidLabels } from '#server/traceability/change-labels.ts'

/** Generating labels. */
export { makeLabels } from '#server/traceability/make-labels.ts'

/** Where a serial or a lot came from and went. */
export { goodsOfScan, trace } from '#server/traceability/trace.ts'

/** A piece or a lot that a code names. */
export type { Subject } from '#server/traceability/resolve.ts'

/** What a code says, held against the lots and serials that there are. */
export { parseWithKnown } from '#server/traceability/parse-with-known.ts'

/** Who got goods of a lot from an organisation; how a station that is not named is called. */
export { deliveredTo } from '#server/traceability/delivered-to.ts'
export { provinces } from '#server/traceability/chain.ts'

/** Events of a document taken back, wholly or for some pieces. */
export { undoTrace } from '#server/ledger/undo-trace.ts'

/** What is done to a serial where it is, beside the moves of documents. */
export { recordStep, takeBackStep } from '#server/traceability/steps-in-place.ts'
