import { layAccounts } from '#modules/catalogue/account-tree.server.ts'
import { customTypeRules, typedProductRules } from '#modules/catalogue/custom-type.server.ts'
import { barcodeRuleRules } from '#modules/catalogue/barcode-rule.server.ts'
import { admissionRules, endAdmissions } from '#modules/catalogue/admission.server.ts'
import { catalogueProposalRules } from '#modules/catalogue/catalogue-proposal.server.ts'
import { dealerProductCheckRules, recheckDealers } from '#modules/catalogue/dealer-check.server.ts'
import { dealerProductRules } from '#modules/catalogue/dealer-product.server.ts'
import { deviceClassRules, layDeviceClasses } from '#modules/catalogue/device-class.server.ts'
import { hospitalProductRules, productSupplierRules } from '#modules/catalogue/hospital-product.server.ts'
import { carryMapped } from '#modules/catalogue/mapped-sizes.server.ts'
import { productBarcodeRules } from '#modules/catalogue/product-barcode.server.ts'
import {
  productReleaseLineRules,
  productReleaseRules,
  publishDue,
  withdrawDue,
} from '#modules/catalogue/product-release.server.ts'
import { productRevisionRules } from '#modules/catalogue/product-revision.server.ts'
import { productRules } from '#modules/catalogue/product.server.ts'
import { qualityCertificateRules } from '#modules/catalogue/quality-certificate.server.ts'
import { followRenewals, registrationCertificateRules } from '#modules/catalogue/registration-certificate.server.ts'
import { specificationRules } from '#modules/catalogue/specification.server.ts'
import { udiAdoptionRules } from '#modules/catalogue/udi-adoption.server.ts'
import { askForPackages } from '#modules/catalogue/udi-feed.server.ts'
import { importWaiting, udiDeviceRules, udiDifferenceRules, udiFileRules } from '#modules/catalogue/udi.server.ts'
import { udiLevelRules } from '#modules/catalogue/udi-packs.server.ts'
import { unitTreeRules } from '#modules/catalogue/unit-tree.server.ts'
import type { HourlyJob } from '#server/public/jobs.ts'
import type { RecordRules } from '#server/public/records.ts'

/** What the records of the catalogue ask of the database. */
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

/** What the catalogue brings to the registry: its rules, what it wants done every hour and every few seconds, and what must stand at the start. */
export const catalogue = {
  rules,
  admissionRules,
  jobs: [
    withdrawDue,
    recheckDealers,
    followRenewals,
    endAdmissions,
    layAccounts,
    askForPackages,
    carryMapped,
  ] as readonly HourlyJob[],
  publishDue,
  importWaiting,
  layDeviceClasses,
}
