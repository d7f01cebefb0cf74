import type { RecordRules } from '#server/public/records.ts'

export const backgroundJobRules: RecordRules = {
  kind: 'backgroundJob',
  readFlag: 'page:/ptm/backgroundJobs',
  visible: (tx, session) => (session.org.type === 'P' ? tx`true` : tx`false`),
}
