/** Who acts, what he may do and see, and what is hidden from him. Modules import the engine through files like this one and no other. */

/** Who acts: permissions, scope; permission checks. */
export { may, mustBeAllowed, systemSession, type Session } from '#server/engine/session.ts'

/** Row visibility by warehouse, department, author. */
export { isBound, paperScope, refuseOutside, scopeSql } from '#server/engine/scope.ts'

/** Hides or refuses price/profit fields by permission. */
export { pricedNames, seesPrices, withoutPrices } from '#server/engine/prices.ts'

/** Rejects hostile text/keys; parses JSON lists. */
export { listOf } from '#server/engine/sent.ts'

/** Segregation of duties: create vs review roles. */
export { joinedPeople, refuseJoined, refuseJoinedByRole } from '#server/engine/separation.ts'
