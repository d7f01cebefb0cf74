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
import { type BackgroundJob, frequent, hourly } from '#server/public/jobs.ts'
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

/** The catalogue's work in the background. */
export const catalogueJobs: readonly BackgroundJob[] = [
  frequent('publish_products', '产品发布批次', ({ app, owner }) => publishDue(app, owner)),
  frequent('import_udi_packages', 'UDI数据包导入', ({ owner, store }) => importWaiting(owner, store)),
  hourly('withdraw_products', '产品到期撤回', ({ owner }) => withdrawDue(owner)),
  hourly('recheck_dealers', '经销商资质复核', ({ owner }) => recheckDealers(owner)),
  hourly('follow_certificates', '注册证换证生效', ({ owner }) => followRenewals(owner)),
  hourly('end_admissions', '准入到期', ({ owner }) => endAdmissions(owner)),
  hourly('seed_finance_categories', '会计科目初始化', ({ owner }) => seedFinanceCategories(owner)),
  hourly('fetch_udi_packages', 'UDI库下载', ({ owner }) => askForPackages(owner)),
  hourly('propagate_specifications', '规格映射同步', ({ owner }) => propagateMappedSpecifications(owner)),
]

/** The rules of the catalogue, and the data that it needs at start-up. */
export const catalogue = {
  rules,
  admissionRules,
  seedDeviceClasses,
}
