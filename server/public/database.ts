/**
 * Transactions of an organisation, and what is kept within one. Modules import the engine through files like this
 * one and no other.
 */

/** Organisation transactions, per-transaction cache, pipelining, retry. */
export {
  inOrganisation,
  cachedInTx,
  withRetry,
  sendUnawaited,
  pipelined,
  type Tx,
} from '#server/database/transaction.ts'
