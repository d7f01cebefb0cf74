import type { ModuleLook } from '#web/registry/contributions.ts'
import { organisationLook } from '#modules/trade/partners/organisations/organisation.web.tsx'
import { invitationLook } from '#modules/trade/partners/registration/dealer-invitation.web.tsx'
import { registrationLook } from '#modules/trade/partners/registration/registration-audit.web.tsx'

export const partnersLook: ModuleLook = {
  customisations: [organisationLook, registrationLook, invitationLook],
}
