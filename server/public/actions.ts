/** Running actions and what they do: posting, progress, reservations. Modules import the engine through files like this one and no other. */

/** The one path of an action inside its transaction. */
export type { ActBody } from '#server/engine/documents/act.ts'

/** System-run submit/review and other actions. */
export { carry, layAndPass, pass } from '#server/engine/documents/lay-and-pass.ts'

/** Automatic follow-up drafts; self-closed line quantities. */
export { dropMade } from '#server/engine/documents/make.ts'

/** Applies/undoes an action's progress and notifies owners. */
export { progressBack, progressNow } from '#server/engine/documents/taking.ts'

/** Counts consumption of source lines; derives source states. */
export { advance, advancesOf, reversedAdvances } from '#server/engine/documents/progress.ts'

/** Applies in-force correction documents to source lines. */
export { asAmended } from '#server/engine/documents/amended.ts'

/** Over-receipt tolerance percent per item. */
export { percentOver } from '#server/engine/documents/tolerance.ts'

/** Reserves or releases stock balances and serials. */
export { release, reserve } from '#server/engine/documents/reserve.ts'

/** Writes a posting to stock, account, consignment, trace. */
export { bookOf, post } from '#server/engine/documents/post.ts'

/** Posts exact opposite of everything standing. */
export { unpost } from '#server/engine/documents/unpost.ts'

/** Accounting-period lock; date of a reversal. */
export { lockPeriods, periodId, refuseClosedPeriod } from '#server/engine/documents/period.ts'

/** Assigns lots and serial codes before posting. */
export { registerLots } from '#server/engine/documents/units.ts'

/** Trace events of postings; serial location checks. */
export { unitSentence } from '#server/engine/documents/trace-moves.ts'

/** Prices lines at stock cost; final cost after posting. */
export { balanceKey } from '#server/engine/documents/costs.ts'

/** Maps posting places to warehouse rows (transit, consumed). */
export { placesOf } from '#server/engine/documents/places.ts'
