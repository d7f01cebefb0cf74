/** The operation log and incidents. Modules import the engine through files like this one and no other. */

/** Operation log with masking; logged exports. */
export { logOperation } from '#server/audit/operation-log.ts'

/** Operational error records for staff to handle. */
export { resolveIncident, recordIncident } from '#server/audit/incidents.ts'
