/** Work in the background. Modules import the engine through files like this one and no other. */

/** Hourly cleanup of expired rows; module jobs. */
export type { HourlyJob } from '#server/jobs/hourly.ts'
