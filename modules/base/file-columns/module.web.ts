import type { ModuleLook } from '#web/registry/contributions.ts'
import { columnMappingLook } from '#modules/base/file-columns/column-mapping.web.tsx'

export const fileColumnsLook: ModuleLook = {
  customisations: [columnMappingLook],
}
