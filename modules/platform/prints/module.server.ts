import type { ModuleHooks } from '#server/public/hooks.ts'
import { contractOf } from '#modules/platform/prints/contract-data.server.ts'
import { printFields } from '#modules/platform/prints/print-fields.server.ts'
import { printTemplateRules } from '#modules/platform/prints/print-template.server.ts'

export const printsHooks: ModuleHooks = {
  records: [printTemplateRules],
  printFields: printFields,
  contractLayout: contractOf,
}
