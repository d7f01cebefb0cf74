import type { ModuleLook } from '#web/registry/contributions.ts'
import { productBarcodeLook } from '#modules/trade/catalogue/barcodes/product-barcode.web.tsx'
import { unitTreeLook } from '#modules/trade/catalogue/products/unit-tree.web.tsx'
import { specificationLook } from '#modules/trade/catalogue/products/specification.web.tsx'

export const catalogueLook: ModuleLook = {
  customisations: [specificationLook, unitTreeLook, productBarcodeLook],
  searchTargets: [
    {
      route: '/hospital/hProductDetails',
      parameter: 'q',
      title: typed => `在产品目录查“${typed}”`,
      hint: '按名称、编码或拼音',
    },
    {
      route: '/ptm/businessProduct',
      parameter: 'q',
      title: typed => `在经营产品查“${typed}”`,
      hint: '按名称、编码或拼音',
    },
  ],
}
