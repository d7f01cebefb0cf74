import type { ModuleHooks } from '#server/public/hooks.ts'
import { admissionRules, endAdmissions } from '#modules/trade/catalogue/admission/admission.server.ts'
import { assortmentStoresSql } from '#modules/trade/catalogue/assortment/assortment-stores.server.ts'
import { catalogueProposalRules } from '#modules/trade/catalogue/assortment/catalogue-proposal.server.ts'
import {
  dealerProductCheckRules,
  recheckDealers,
} from '#modules/trade/catalogue/assortment/dealer-product-check.server.ts'
import { dealerProductRules } from '#modules/trade/catalogue/assortment/dealer-product.server.ts'
import {
  hospitalProductRules,
  productSupplierRules,
} from '#modules/trade/catalogue/assortment/hospital-product.server.ts'
import { barcodeRuleRules } from '#modules/trade/catalogue/barcodes/barcode-rule.server.ts'
import { productBarcodeRules } from '#modules/trade/catalogue/barcodes/product-barcode.server.ts'
import { qualityCertificateRules } from '#modules/trade/catalogue/certificates/quality-certificate.server.ts'
import {
  followRenewals,
  registrationCertificateRules,
} from '#modules/trade/catalogue/certificates/registration-certificate.server.ts'
import { deviceClassRules, seedDeviceClasses } from '#modules/trade/catalogue/classification/device-class.server.ts'
import { seedFinanceCategories } from '#modules/trade/catalogue/classification/finance-category-seed.server.ts'
import { customTypeRules, typedProductRules } from '#modules/trade/catalogue/classification/product-category.server.ts'
import { propagateMappedSpecifications } from '#modules/trade/catalogue/products/mapped-specifications.server.ts'
import { unitTreeRules } from '#modules/trade/catalogue/products/unit-tree.server.ts'
import { productRules } from '#modules/trade/catalogue/products/product.server.ts'
import { specificationRules } from '#modules/trade/catalogue/products/specification.server.ts'
import {
  productReleaseLineRules,
  productReleaseRules,
  publishDue,
  withdrawDue,
} from '#modules/trade/catalogue/release/product-release.server.ts'
import { productRevisionRules } from '#modules/trade/catalogue/release/product-revision.server.ts'
import { udiAdoptionRules } from '#modules/trade/catalogue/udi/udi-adoption.server.ts'
import { askForPackages } from '#modules/trade/catalogue/udi/udi-feed.server.ts'
import {
  importWaiting,
  udiDeviceRules,
  udiDifferenceRules,
  udiFileRules,
} from '#modules/trade/catalogue/udi/udi-import.server.ts'
import { udiLevelRules } from '#modules/trade/catalogue/udi/udi-packaging.server.ts'
import { admissionPageRules } from '#modules/trade/catalogue/admission/admission.page-rules.server.ts'
import { frequent, hourly } from '#server/public/jobs.ts'

export const catalogueHooks: ModuleHooks = {
  pageRules: [admissionPageRules],
  documents: [admissionRules],
  records: [
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
  ],
  itemStoresSql: assortmentStoresSql,
  startupSeeds: [seedDeviceClasses],
  jobs: [
    frequent('publish_products', '产品发布批次', ({ app, owner }) => publishDue(app, owner)),
    frequent('import_udi_packages', 'UDI数据包导入', ({ owner, store }) => importWaiting(owner, store)),
    hourly('withdraw_products', '产品到期撤回', ({ owner }) => withdrawDue(owner)),
    hourly('recheck_dealers', '经销商资质复核', ({ owner }) => recheckDealers(owner)),
    hourly('follow_certificates', '注册证换证生效', ({ owner }) => followRenewals(owner)),
    hourly('end_admissions', '准入到期', ({ owner }) => endAdmissions(owner)),
    hourly('seed_finance_categories', '会计科目初始化', ({ owner }) => seedFinanceCategories(owner)),
    hourly('fetch_udi_packages', 'UDI库下载', ({ owner }) => askForPackages(owner)),
    hourly('propagate_specifications', '规格映射同步', ({ owner }) => propagateMappedSpecifications(owner)),
  ],
}
