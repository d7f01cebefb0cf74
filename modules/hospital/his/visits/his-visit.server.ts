import type { RecordRules } from '#server/public/records.ts'

export const hisVisitRules: RecordRules = { kind: 'hisVisit', readFlag: 'page:/hospital/hisVisits' }
export const hisOperationRules: RecordRules = { kind: 'hisOperation', readFlag: 'page:/hospital/hisVisits' }
