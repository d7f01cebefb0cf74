import { customTypeRules, typedProductRules } from '#modules/catalogue/custom-type.server.ts'
import { barcodeRuleRules } from '#modules/catalogue/barcode-rule.server.ts'
import { dealerProductCheckRules } from '#modules/catalogue/dealer-check.server.ts'
import { dealerProductRules } from '#modules/catalogue/dealer-product.server.ts'
import { deviceClassRules } from '#modules/catalogue/device-class.server.ts'
import { hospitalProductRules } from '#modules/catalogue/hospital-product.server.ts'
import { productBarcodeRules } from '#modules/catalogue/product-barcode.server.ts'
import { productReleaseLineRules, productReleaseRules } from '#modules/catalogue/product-release.server.ts'
import { productRevisionRules } from '#modules/catalogue/product-revision.server.ts'
import { productRules } from '#modules/catalogue/product.server.ts'
import { qualityCertificateRules } from '#modules/catalogue/quality-certificate.server.ts'
import { registrationCertificateRules } from '#modules/catalogue/registration-certificate.server.ts'
import { specificationRules } from '#modules/catalogue/specification.server.ts'
import { udiDeviceRules, udiDifferenceRules, udiFileRules } from '#modules/catalogue/udi.server.ts'
import { unitTreeRules } from '#modules/catalogue/unit-tree.server.ts'
import type { RecordRules } from '#server/engine/records/rules.ts'

/** What the records of the catalogue ask of the database. */
export const catalogueRules: readonly RecordRules[] = [
  productRules,
  specificationRules,
  unitTreeRules,
  productReleaseRules,
  productReleaseLineRules,
  productRevisionRules,
  dealerProductCheckRules,
  qualityCertificateRules,
  deviceClassRules,
  customTypeRules,
  typedProductRules,
  registrationCertificateRules,
  hospitalProductRules,
  dealerProductRules,
  productBarcodeRules,
  barcodeRuleRules,
  udiFileRules,
  udiDeviceRules,
  udiDifferenceRules,
]
