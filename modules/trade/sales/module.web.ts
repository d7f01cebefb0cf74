import type { ModuleLook } from '#web/registry/contributions.ts'

export const salesLook: ModuleLook = {
  pages: {
    salesFlow: () => import('#modules/trade/sales/sales-flow.page.tsx'),
  },
}
