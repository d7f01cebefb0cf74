import type { ModuleLook } from '#web/registry/contributions.ts'
import { bedsideLooks } from '#modules/hospital/his/bedside/bedside.web.tsx'

export const hisLook: ModuleLook = {
  customisations: bedsideLooks,
}
