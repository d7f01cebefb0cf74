import type { ModuleLook } from '#web/registry/contributions.ts'
import { printTemplateLook } from '#modules/platform/prints/print-template.web.tsx'

export const printsLook: ModuleLook = {
  customisations: [printTemplateLook],
}
