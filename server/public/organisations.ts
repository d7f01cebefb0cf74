/** Organisations, their people and where they are. Modules import the engine through files like this one and no other. */

/** System session of an organisation; name on date. */
export { sessionOf } from '#server/engine/organisations.ts'

/** Administrative divisions of China: tree, paths, names. */
export { divisionPath, divisionsNamed, isWithin } from '#server/engine/divisions.ts'

/** The platform’s own organisation. */
export { platformId } from '#server/engine/identity/registrant.ts'

/** Invitations to register. */
export { releaseInvitation } from '#server/engine/identity/invitation.ts'

/** The employee behind a user. */
export { employeeOf } from '#server/engine/identity/employee.ts'

/** Pinyin initials for search. */
export { initialsOf } from '#server/engine/pinyin.ts'
