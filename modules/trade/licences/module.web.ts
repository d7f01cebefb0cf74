import type { ModuleLook } from '#web/registry/contributions.ts'
import { licenceLook } from '#modules/trade/licences/archive/licence.web.tsx'
import { licenceValidityLook } from '#modules/trade/licences/expiry/licence-expiry.web.tsx'

export const licencesLook: ModuleLook = {
  customisations: [licenceLook, licenceValidityLook],
  pages: {
    licenceCalendar: () => import('#modules/trade/licences/expiry/licence-calendar.page.tsx'),
  },
}
