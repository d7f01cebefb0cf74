import type { ModuleLook } from '#web/registry/contributions.ts'
import { stockBalanceLook } from '#modules/goods/stock/balances/stock-balance.web.tsx'

export const stockLook: ModuleLook = {
  customisations: [stockBalanceLook],
  searchTargets: [
    {
      route: '/commonView/inventory',
      parameter: 'q',
      title: typed => `查“${typed}”的库存`,
      hint: '按产品、规格或批号',
    },
  ],
}
