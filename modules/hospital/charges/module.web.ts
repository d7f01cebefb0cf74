import type { ModuleLook } from '#web/registry/contributions.ts'
import { feeLooks } from '#modules/hospital/charges/fees/fetch-notice.web.tsx'

export const chargesLook: ModuleLook = {
  customisations: feeLooks,
  pages: {
    productMatching: () => import('#modules/hospital/charges/matching/product-matching.page.tsx'),
  },
}
