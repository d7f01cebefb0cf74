/** Work in the background. Modules import the engine through files like this one and no other. */

/** A named job under a lease, hourly or every few seconds. */
export { type BackgroundJob, frequent, hourly } from '#server/jobs/job.ts'

/** Errors of work that nobody waits for: logged and counted. */
export { reportError } from '#server/audit/reported-errors.ts'
