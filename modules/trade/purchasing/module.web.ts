import type { ModuleLook } from '#web/registry/contributions.ts'
import { enquiryLook } from '#modules/trade/purchasing/rfq/request-for-quotation.web.tsx'

export const purchasingLook: ModuleLook = {
  customisations: [enquiryLook],
  pages: {
    purchaseFlow: () => import('#modules/trade/purchasing/orders/purchase-dashboard.page.tsx'),
  },
}
