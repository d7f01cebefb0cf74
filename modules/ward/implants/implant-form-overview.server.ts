import type { RecordRules } from '#server/public/records.ts'

/** Read by the platform alone: the view shows rows to whoever reaches the whole network. */
export const implantFormOverviewRules: RecordRules = {
  kind: 'implantFormOverview',
  readFlag: 'page:/ptm/patientInforForm',
  visible: (tx, session) => (session.org.type === 'P' ? tx`true` : tx`false`),
}
