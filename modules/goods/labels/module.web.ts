import type { ModuleLook } from '#web/registry/contributions.ts'
import { unitLabelLook } from '#modules/goods/labels/unit-label.web.tsx'

export const labelsLook: ModuleLook = {
  customisations: [unitLabelLook],
}
