import type { ModuleLook } from '#web/registry/contributions.ts'
import { warningLook } from '#modules/goods/warnings/warning.web.tsx'

export const warningsLook: ModuleLook = {
  customisations: [warningLook],
}
