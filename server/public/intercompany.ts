/**
 * Exchange with other organisations: messages, copies, responses, updates. Modules import the engine through files
 * like this one and no other.
 */

/** Queues messages to other organisations; builds document copies. */
export {
  enqueueMessage,
  hasAccount,
  isSentTo,
  sendCopies,
  type DocumentMessage,
} from '#server/documents/intercompany/outbox.ts'

/** A receiver of a copy, with the lines of the copy. */
export type { Receiver } from '#server/documents/intercompany/recipients.ts'

/** Counterparty's action on its copy: write, send back. */
export { applyResponse } from '#server/documents/intercompany/respond.ts'

/** Owner's later updates applied to copies, drafts, prices. */
export { sendUpdate } from '#server/documents/intercompany/updates.ts'

/** Exactly-once delivery of queued intercompany messages, retries. */
export { deliverDocument } from '#server/documents/intercompany/deliver.ts'

/** The returns that take back a refused part of a delivery, so that one refusal is one return. */
export { beyondReturns, standingReturns } from '#server/documents/intercompany/standing-returns.ts'
