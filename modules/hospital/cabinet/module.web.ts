import type { ModuleLook } from '#web/registry/contributions.ts'
import { cabinetLooks } from '#modules/hospital/cabinet/equipment/cabinet.web.tsx'

export const cabinetLook: ModuleLook = {
  customisations: cabinetLooks,
}
