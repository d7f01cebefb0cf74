import type { ModuleLook } from '#web/registry/contributions.ts'
import { userLook } from '#modules/base/identity/cabinet-doors.web.tsx'
import { roleLooks } from '#modules/base/identity/role.web.tsx'

export const identityLook: ModuleLook = {
  customisations: [...roleLooks, userLook],
}
