import { seedFinanceCategories } from '#modules/catalogue/classification/finance-category-seed.server.ts'
import { customTypeRules, typedProductRules } from '#modules/catalogue/classification/product-category.server.ts'
import { barcodeRuleRules } from '#modules/catalogue/barcodes/barcode-rule.server.ts'
import { admissionRules, endAdmissions } from '#modules/catalogue/admission/admission.server.ts'
import { catalogueProposalRules } from '#modules/catalogue/assortment/catalogue-proposal.server.ts'
import { dealerProductCheckRules, recheckDealers } from '#modules/catalogue/assortment/dealer-check.server.ts'
import { dealerProductRules } from '#modules/catalogue/assortment/dealer-product.server.ts'
import { deviceClassRules, seedDeviceClasses } from '#modules/catalogue/classification/device-class.server.ts'
import { hospitalProductRules, productSupplierRules } from '#modules/catalogue/assortment/hospital-product.server.ts'
import { propagateMappedSpecifications } from '#modules/catalogue/products/mapped-specifications.server.ts'
import { productBarcodeRules } from '#modules/catalogue/barcodes/product-barcode.server.ts'
import {
  productReleaseLineRules,
  productReleaseRules,
  publishDue,
  withdrawDue,
} from '#modules/catalogue/release/product-release.server.ts'
import { productRevisionRules } from '#modules/catalogue/release/product-revision.server.ts'
import { productRules } from '#modules/catalogue/products/product.server.ts'
import { qualityCertificateRules } from '#modules/catalogue/certificates/quality-certificate.server.ts'
import {
  followRenewals,
  registrationCertificateRules,
} from '#modules/catalogue/certificates/registration-certificate.server.ts'
import { specificationRules } from '#modules/catalogue/products/specification.server.ts'
import { udiAdoptionRules } from '#modules/catalogue/udi/udi-adoption.server.ts'
import { askForPackages } from '#modules/catalogue/udi/udi-feed.server.ts'
import {
  importWaiting,
  udiDeviceRules,
  udiDifferenceRules,
  udiFileRules,
} from '#modules/catalogue/udi/udi-import.server.ts'
import { udiLevelRules } from '#modules/catalogue/udi/udi-packaging.server.ts'
import { unitTreeRules } from '#modules/catalogue/products/packaging-unit.server.ts'
import type { HourlyJob } from '#server/public/jobs.ts'
import type { RecordRules } from '#server/public/records.ts'

/** The database rules of the catalogue's records. */
const rules: readonly RecordRules[] = [
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
  productSupplierRules,
  catalogueProposalRules,
  udiAdoptionRules,
  dealerProductRules,
  productBarcodeRules,
  barcodeRuleRules,
  udiFileRules,
  udiDeviceRules,
  udiLevelRules,
  udiDifferenceRules,
]

/** What the catalogue registers: its rules, its hourly and frequent jobs, and what must exist at start-up. */
export const catalogue = {
  rules,
  admissionRules,
  jobs: [
    withdrawDue,
    recheckDealers,
    followRenewals,
    endAdmissions,
    seedFinanceCategories,
    askForPackages,
    propagateMappedSpecifications,
  ] as readonly HourlyJob[],
  publishDue,
  importWaiting,
  seedDeviceClasses: seedDeviceClasses,
}
