import { settlementGrnRules, settlementRules } from '#modules/settlement/settlement.server.ts'
import { departmentUseRules } from '#modules/ward/department-use.server.ts'
import type { DocumentRules } from '#server/engine/documents/acting.ts'
import type { RecordRules } from '#server/engine/records/rules.ts'

/** What the definitions cannot say without the database. One line for each `.server.ts`, beside the definition it belongs to. */
export const recordRules: readonly RecordRules[] = []

const byKind = new Map(recordRules.map(rules => [rules.kind, rules]))
const none = (kind: string): RecordRules => ({ kind })
export const rulesOf = (kind: string): RecordRules => byKind.get(kind) ?? none(kind)

/** What papers ask of the database beyond their pure guards. */
export const documentRules: readonly DocumentRules[] = [departmentUseRules, settlementRules, settlementGrnRules]
