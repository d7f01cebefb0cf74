import type { Module } from '#kernel/module.ts'
import { admission } from '#modules/trade/catalogue/admission/admission.doc.ts'
import { catalogueProposal } from '#modules/trade/catalogue/assortment/catalogue-proposal.entity.ts'
import { dealerProductCheck } from '#modules/trade/catalogue/assortment/dealer-product-check.entity.ts'
import { dealerProduct } from '#modules/trade/catalogue/assortment/dealer-product.entity.ts'
import { hospitalProduct, productSupplier } from '#modules/trade/catalogue/assortment/hospital-product.entity.ts'
import { barcodeRule } from '#modules/trade/catalogue/barcodes/barcode-rule.entity.ts'
import { productBarcode } from '#modules/trade/catalogue/barcodes/product-barcode.entity.ts'
import { qualityCertificate } from '#modules/trade/catalogue/certificates/quality-certificate.entity.ts'
import {
  certificateChange,
  registrationCertificate,
} from '#modules/trade/catalogue/certificates/registration-certificate.entity.ts'
import { deviceClass } from '#modules/trade/catalogue/classification/device-class.entity.ts'
import { customType, typedProduct } from '#modules/trade/catalogue/classification/product-category.entity.ts'
import { unitTree } from '#modules/trade/catalogue/products/unit-tree.entity.ts'
import { product } from '#modules/trade/catalogue/products/product.entity.ts'
import { specification } from '#modules/trade/catalogue/products/specification.entity.ts'
import { productStep } from '#modules/trade/catalogue/release/product-step.entity.ts'
import { productReleaseStatus } from '#modules/trade/catalogue/release/product-release-status.report.ts'
import { productRelease, productReleaseLine } from '#modules/trade/catalogue/release/product-release.entity.ts'
import { productRevision } from '#modules/trade/catalogue/release/product-revision.entity.ts'
import { udiAdoption } from '#modules/trade/catalogue/udi/udi-adoption.entity.ts'
import { udiDevice, udiDifference, udiFile, udiLevel } from '#modules/trade/catalogue/udi/udi.entity.ts'

export const catalogueModule: Module = {
  documents: [admission],
  entities: [
    product,
    specification,
    unitTree,
    productStep,
    udiFile,
    udiDevice,
    udiLevel,
    udiDifference,
    udiAdoption,
    certificateChange,
    dealerProductCheck,
    qualityCertificate,
    productRelease,
    productReleaseLine,
    productRevision,
    deviceClass,
    customType,
    typedProduct,
    registrationCertificate,
    hospitalProduct,
    productSupplier,
    catalogueProposal,
    dealerProduct,
    productBarcode,
    barcodeRule,
  ],
  reports: [productReleaseStatus],
}
