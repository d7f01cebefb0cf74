import type { ModuleHooks } from '#server/public/hooks.ts'
import { accountStatementRules } from '#modules/finance/statements/account-statement.server.ts'

export const statementsHooks: ModuleHooks = {
  documents: [accountStatementRules],
}
