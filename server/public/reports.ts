/** Reports and process charts. Modules import the engine through files like this one and no other. */

/** Runs SQL reports: paging, grouping, totals, export. */
export { exportReport, runReport } from '#server/reports/report.ts'

/** The SQL of a file that is written as those of reports. */
export { writtenSql } from '#server/reports/report-sql.ts'

/** The values of measures over days, and one of them by columns of its rows. */
export { measured, measuredBy, type MeasuredDays } from '#server/reports/measures.ts'

/** The figures that a room shows of measures on its own pages. */
export type { FigurePlaces } from '#server/figures/compare-figures.ts'

/** Process chart: counts, figures, my to-dos. */
export type { FlowAsked, FlowFigures, ProcessChartHooks } from '#server/reports/process-chart.ts'

/** The user who asked for a scheduled report. */
export { askedBy } from '#server/exports/scheduled.ts'

/** Actions of a room on ticked rows of its report. */
export type { ReportCall, ReportRules } from '#server/reports/report-rules.ts'
