/** The operation log and incidents. Modules import the engine through files like this one and no other. */

/** Operation log with masking; logged exports. */
export { writeLog } from '#server/engine/log.ts'

/** Operational error records for staff to handle. */
export { endTrouble, noteTrouble } from '#server/engine/errors.ts'
