import type { RecordRules } from '#server/public/records.ts'

/** Saves the name of the user who wrote a score with it. */
export const supplierServiceScoreRules: RecordRules = {
  kind: 'supplierServiceScore',
  alsoWrites: async (_tx, session) => ({ scored_by: session.userName }),
}
