import type { ModuleLook } from '#web/registry/contributions.ts'
import { logisticsLook } from '#modules/trade/transport/logistics/logistics.web.tsx'

export const transportLook: ModuleLook = {
  customisations: [logisticsLook],
}
