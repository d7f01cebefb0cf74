import type { ModuleLook } from '#web/registry/contributions.ts'
import { recallLook } from '#modules/goods/quality/recall.web.tsx'

export const qualityLook: ModuleLook = {
  customisations: [recallLook],
}
