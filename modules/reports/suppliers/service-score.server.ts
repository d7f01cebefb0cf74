import type { RecordRules } from '#server/public/records.ts'

/** Whoever wrote a score stands beside it. */
export const supplierServiceScoreRules: RecordRules = {
  kind: 'supplierServiceScore',
  alsoWrites: async (_tx, session) => ({ scored_by: session.userName }),
}
