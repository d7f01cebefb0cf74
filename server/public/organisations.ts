/**
 * Organisations, their people and where they are. Modules import the engine through files like this one and no
 * other.
 */

/** System session of an organisation; name on date. */
export { systemSessionOf } from '#server/organisations/organisations.ts'

/** Administrative divisions of China: tree, paths, names. */
export { divisionPath, parseDivisions, isWithin } from '#server/reference/divisions.ts'

/** The platform’s own organisation. */
export { platformId } from '#server/identity/registrant.ts'

/** Invitations to register. */
export { releaseInvitation } from '#server/identity/invitation.ts'

/** The employee behind a user. */
export { employeeOf } from '#server/identity/employee.ts'

/** Pinyin initials for search. */
export { pinyinInitials } from '#server/reference/pinyin.ts'
