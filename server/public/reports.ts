/** Reports and process charts. Modules import the engine through files like this one and no other. */

/** Runs SQL reports: paging, grouping, totals, export. */
export { reportCarriedOut, runReport } from '#server/engine/report.ts'

/** Process chart: counts, figures, my to-dos. */
export type { FlowAsked, FlowFigures, FlowRules } from '#server/engine/flow.ts'

/** Who asked for a scheduled report. */
export { askedBy } from '#server/engine/exports/scheduled.ts'
