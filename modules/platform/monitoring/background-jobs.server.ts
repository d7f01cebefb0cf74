import type { RecordRules } from '#server/public/records.ts'

export const backgroundJobRules: RecordRules = {
  kind: 'backgroundJob',
  readFlag: 'page:/ptm/backgroundJobs',
}
