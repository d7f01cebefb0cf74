/** Exchange with other organisations: messages, copies, responses, updates. Modules import the engine through files like this one and no other. */

/** Queues messages to other organisations; builds document copies. */
export { handOver, hasAccount, type PaperMessage } from '#server/engine/documents/hand-over.ts'

/** Who receives a copy, with which lines. */
export type { Receiver } from '#server/engine/documents/concerned.ts'

/** Counterparty's action on its copy: write, send back. */
export { applyAnswer } from '#server/engine/documents/answer.ts'

/** Owner's later updates applied to copies, drafts, prices. */
export { tellHolders } from '#server/engine/documents/told.ts'

/** Exactly-once delivery of queued intercompany messages, retries. */
export { deliverOf } from '#server/engine/deliver.ts'
