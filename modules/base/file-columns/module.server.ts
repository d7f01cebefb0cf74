import type { ModuleHooks } from '#server/public/hooks.ts'
import { columnMappingRules } from '#modules/base/file-columns/column-mapping.server.ts'

export const fileColumnsHooks: ModuleHooks = {
  records: [columnMappingRules],
}
