import type { Module } from '#kernel/module.ts'
import { accountStatement } from '#modules/finance/statements/account-statement.doc.ts'

export const statementsModule: Module = {
  documents: [accountStatement],
}
