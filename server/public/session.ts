/**
 * The user of a call: identity, permissions, visible data and hidden fields. Modules import the engine only through
 * files like this one.
 */

/** Sessions: permissions and their checks, acting in the name of another organisation. */
export { inNameOf, may, requirePermission, systemSession, type Session } from '#server/access/session.ts'

/** Narrows what a session sees to one campus of its hospital. */
export { campusesOf, inCampus } from '#server/access/campus.ts'

/** Row visibility by warehouse, department, author. */
export { isRestricted, WHOLE_ONLY, documentScopeSql, scopeSql } from '#server/access/data-scope.ts'

/** Hides or refuses price/profit fields by permission. */
export { hidePrices, maySeeMoney, maySeePrices } from '#server/access/sensitive-fields.ts'

/** Rejects hostile text/keys; parses JSON lists. */
export { parseList } from '#server/access/untrusted-input.ts'

/** True if somebody may see patients. */
export { maySeePatients } from '#server/access/patient-data.ts'
