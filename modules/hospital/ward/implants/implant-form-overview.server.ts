import type { RecordRules } from '#server/public/records.ts'

/** Only the platform reads it: the view shows rows only to readers of the whole network. */
export const implantFormOverviewRules: RecordRules = {
  kind: 'implantFormOverview',
  readFlag: 'page:/ptm/patientInforForm',
  visible: (tx, session) => (session.org.type === 'P' ? tx`true` : tx`false`),
}
