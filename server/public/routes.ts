/**
 * Calls that follow from no definition: reading a request, writing a reply. Modules import the engine through files
 * like this one and no other.
 */

/** Runs GET/POST in caller's transaction, idempotent: changing→writing. */
export { bodyOf, changing, reading } from '#server/api/request/transaction.ts'

/** The query parameters of a route: `asks` where users are signed in, `openFor` where anybody may call. */
export { asks, openFor } from '#server/api/request/query-names.ts'

/** The signed-in user. */
export { sessionOf } from '#server/plugins/session.ts'

/** Reply envelope; error-to-reply mapping: done→ok, answerTo→errorReply. */
export { done } from '#server/http/envelope.ts'

/** The allowance of calls for unknown callers. */
export { giveBackAllowance, useAllowance } from '#server/identity/allowance.ts'
export { RateLimited } from '#server/access/overload.ts'
