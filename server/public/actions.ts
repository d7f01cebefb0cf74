/**
 * Running actions and what they do: posting, progress, reservations. Modules import the engine through files like
 * this one and no other.
 */

/** The one path of an action inside its transaction. */
export type { ActionInput } from '#server/documents/action/apply.ts'

/** The rows that a call names beside its inputs. */
export { namedRows } from '#server/documents/action/action-fields.ts'

/** System-run submit/review and other actions. */
export {
  runAction,
  runOnEach,
  notDoneTo,
  createAndReview,
  submitAndReview,
} from '#server/documents/action/automatic.ts'

/** All codes of a document were read by a device: its lines came by scans. */
export { readByDevice } from '#server/documents/lines/code-scans.ts'

/** Automatic follow-up drafts; self-closed line quantities. */
export { cancelUntouchedFollowUps } from '#server/documents/action/create-follow-ups.ts'

/** Applies/undoes an action's progress and notifies owners. */
export { releaseSources, consumeSources } from '#server/documents/action/consume-sources.ts'

/** Counts consumption of source lines; derives source states. */
export { recordProgress, progressEntries, negated } from '#server/documents/progress/progress.ts'

/** Applies in-force correction documents to source lines. */
export { withCorrections } from '#server/documents/progress/corrections.ts'

/** Over-receipt tolerance percent per item. */
export { overReceiptPercent } from '#server/documents/progress/tolerance.ts'

/** Reserves or releases stock balances and serials. */
export { release, reserve } from '#server/documents/allocation/reserve.ts'

/** Writes a posting to stock, account, consignment, trace. */
export { postingContext, postDocument } from '#server/documents/posting/post.ts'

/** Judges goods that leave a store: recalled, stopped, frozen, expired. */
export { holdPostings, leavingLines, refuseUnfit } from '#server/documents/posting/unfit-goods.ts'

/** Posts exact opposite of everything standing. */
export { unpostDocument } from '#server/documents/posting/unpost.ts'

/** Accounting-period lock; date of a reversal. */
export { lockPeriods, periodId, checkPeriodOpen } from '#server/documents/posting/period.ts'

/** Assigns lots and serial codes before posting. */
export { createLots, lotsOfLines } from '#server/documents/posting/lots-and-serials.ts'

/** Trace events of postings; serial location checks. */
export { serialError } from '#server/documents/posting/trace.ts'

/** Prices lines at stock cost; final cost after posting. */
export { balanceKey } from '#server/documents/lines/cost-price.ts'

/** Maps posting places to warehouse rows (transit, consumed). */
export { virtualLocations } from '#server/documents/posting/locations.ts'
