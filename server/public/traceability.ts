/** Traces of serials and lots, and their labels. Modules import the engine through files like this one and no other. */

/** Changing labels of serials. */
export { bindRfid, replaceLabels, voidLabels } from '#server/traceability/change-labels.ts'

/** Generating labels. */
export { makeLabels } from '#server/traceability/make-labels.ts'

/** The way of a serial or a lot: its origin and its later places. */
export { goodsOfScan, trace } from '#server/traceability/trace.ts'

/** A piece or a lot that a code names. */
export type { Subject } from '#server/traceability/resolve.ts'

/** The reading of a code, compared with the lots and serials that exist. */
export { parseWithKnown } from '#server/traceability/parse-with-known.ts'

/**
 * The receivers of a lot's goods from an organisation, and the names of provinces by the first digits of a division.
 */
export { deliveredTo } from '#server/traceability/delivered-to.ts'
export { provinces } from '#server/traceability/chain.ts'

/** Events of a document taken back, wholly or for some pieces. */
export { undoTrace } from '#server/ledger/undo-trace.ts'

/** Steps of a serial that does not move, beside the moves of documents. */
export { recordStep, takeBackStep } from '#server/traceability/steps-in-place.ts'
