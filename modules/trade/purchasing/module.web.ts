import type { ModuleLook } from '#web/registry/contributions.ts'
import { enquiryLook } from '#modules/trade/purchasing/rfq/enquiry.web.tsx'

export const purchasingLook: ModuleLook = {
  customisations: [enquiryLook],
  pages: {
    purchaseFlow: () => import('#modules/trade/purchasing/orders/purchase-dashboard.page.tsx'),
  },
}
