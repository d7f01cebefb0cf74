import { eInvoice, eInvoiceChannel, eInvoiceLine } from '#modules/invoicing/electronic/e-invoice.entity.ts'
import { hisIncome, hisMessage } from '#modules/his/received/his-received.entity.ts'
import { hisOperation, hisVisit } from '#modules/his/visits/his-visit.entity.ts'
import { chargeMonth } from '#modules/charges/verification/charge-month.entity.ts'
import { hisChargeDay } from '#modules/charges/fees/his-charge-day.entity.ts'
import { hisSpdFeeDetail } from '#modules/charges/fees/his-spd-fee-detail.entity.ts'
import { hisGrnCheck, hisGrnLine } from '#modules/his/receipts/grn-check.entity.ts'
import { hisField } from '#modules/his/fields/his-field.entity.ts'
import { hisDepartment, hisStaff, hisStaffChange } from '#modules/his/staff/his-staff.entity.ts'
import { useCheck } from '#modules/charges/checking/use-check.entity.ts'
import { hisItem } from '#modules/charges/matching/his-item.entity.ts'
import { hisMatchVersion } from '#modules/charges/matching/match-version.entity.ts'
import { productComparison } from '#modules/charges/matching/product-comparison.entity.ts'
import type { AnyEntity } from '#kernel/definition/entity.ts'
import { documents } from '#modules/all-documents.ts'
import { auditSettingOf } from '#modules/approval/audit-setting.entity.ts'
import { auditLevel } from '#modules/approval/audit-level.entity.ts'
import { catalogueProposal } from '#modules/catalogue/assortment/catalogue-proposal.entity.ts'
import { dealerProduct } from '#modules/catalogue/assortment/dealer-product.entity.ts'
import { hospitalProduct, productSupplier } from '#modules/catalogue/assortment/hospital-product.entity.ts'
import { customType, typedProduct } from '#modules/catalogue/classification/product-category.entity.ts'
import { dealerProductCheck } from '#modules/catalogue/assortment/dealer-check.entity.ts'
import { qualityCertificate } from '#modules/catalogue/certificates/quality-certificate.entity.ts'
import { udiAdoption } from '#modules/catalogue/udi/udi-adoption.entity.ts'
import { udiDevice, udiDifference, udiFile, udiLevel } from '#modules/catalogue/udi/udi.entity.ts'
import { deviceClass } from '#modules/catalogue/classification/device-class.entity.ts'
import { product } from '#modules/catalogue/products/product.entity.ts'
import { productRelease, productReleaseLine } from '#modules/catalogue/release/product-release.entity.ts'
import { productRevision } from '#modules/catalogue/release/product-revision.entity.ts'
import { productStep } from '#modules/catalogue/release/product-history.entity.ts'
import {
  certificateChange,
  registrationCertificate,
} from '#modules/catalogue/certificates/registration-certificate.entity.ts'
import { specification } from '#modules/catalogue/products/specification.entity.ts'
import { unitTree } from '#modules/catalogue/products/packaging-unit.entity.ts'
import { department } from '#modules/identity/department.entity.ts'
import { employee } from '#modules/identity/employee.entity.ts'
import { role } from '#modules/identity/role.entity.ts'
import { user } from '#modules/identity/user.entity.ts'
import { barcodeRule } from '#modules/catalogue/barcodes/barcode-rule.entity.ts'
import { productBarcode } from '#modules/catalogue/barcodes/product-barcode.entity.ts'
import { agreedPrice } from '#modules/purchasing/prices/agreed-price.entity.ts'
import { arrivalQualityLine } from '#modules/purchasing/receiving/arrival-quality-line.entity.ts'
import { inspectionQualityLine } from '#modules/purchasing/receiving/inspection-quality-line.entity.ts'
import { priceHistory } from '#modules/purchasing/prices/price-history.entity.ts'
import { hospitalRule, hospitalRuleChange } from '#modules/rules/hospital-rule.entity.ts'
import { markupRule } from '#modules/rules/markup-rule.entity.ts'
import { supplierRate, supplierRateStep } from '#modules/rules/supplier-rate.entity.ts'
import { purchaseRecord } from '#modules/registers/purchase-record.entity.ts'
import { salesRecord } from '#modules/registers/sales-record.entity.ts'
import { unitLabel } from '#modules/labels/unit-label.entity.ts'
import { authorisationLine } from '#modules/licences/archive/authorisation-line.entity.ts'
import { licenceAudit } from '#modules/licences/archive/licence-audit.entity.ts'
import { advanceLine } from '#modules/sales/advance-line.entity.ts'
import { licenceSetting } from '#modules/licences/expiry/expiry-setting.entity.ts'
import { licenceValidity } from '#modules/licences/expiry/licence-expiry.entity.ts'
import { licence } from '#modules/licences/archive/licence.entity.ts'
import { licenceLook } from '#modules/licences/sharing/licence-view-log.entity.ts'
import { licenceRenewal } from '#modules/licences/archive/licence-renewal.entity.ts'
import { partnerFile } from '#modules/licences/archive/partner-qualification.entity.ts'
import { appVersion } from '#modules/platform/content/app-version.entity.ts'
import { businessConfig } from '#modules/platform/settings/business-config.entity.ts'
import { dataRestore } from '#modules/platform/recycle-bin/data-restore.entity.ts'
import { dictionary, dictionaryItem } from '#modules/platform/dictionaries/dictionary.entity.ts'
import { backgroundJob } from '#modules/platform/monitoring/background-jobs.entity.ts'
import { errorRecord, interfaceAttempt, interfaceError } from '#modules/platform/monitoring/interface-errors.entity.ts'
import { notice, noticeReceiver } from '#modules/platform/messaging/notice.entity.ts'
import { sentMessage } from '#modules/platform/messaging/sent-message.entity.ts'
import { videoCourse } from '#modules/platform/content/video-course.entity.ts'
import { vipGrant, vipLevel } from '#modules/platform/settings/vip-level.entity.ts'
import { account } from '#modules/rights/account.entity.ts'
import { menuNode } from '#modules/rights/menu-node.entity.ts'
import { motherTree } from '#modules/rights/mother-tree.entity.ts'
import { roleTemplate, templateRole } from '#modules/rights/role-template.entity.ts'
import { systemRole } from '#modules/rights/system-role.entity.ts'
import { userRoleAssignment } from '#modules/rights/user-roles.entity.ts'
import { operationLog } from '#modules/logs/operation-log.entity.ts'
import { organisation } from '#modules/partners/organisations/organisation.entity.ts'
import { dealerAuthorisation, heldAuthorisation } from '#modules/partners/dealers/dealer-authorisation.entity.ts'
import { dealer } from '#modules/partners/dealers/dealer.entity.ts'
import { dealerInvitation } from '#modules/partners/registration/invitation.entity.ts'
import { localPartner } from '#modules/partners/relations/unregistered-partner.entity.ts'
import { orgChange } from '#modules/partners/organisations/change-request.entity.ts'
import { registration } from '#modules/partners/registration/registration.entity.ts'
import { organisationLicence } from '#modules/partners/organisations/organisation-licence.entity.ts'
import { tradeRelation } from '#modules/partners/relations/trade-relation.entity.ts'
import { orgRelation } from '#modules/partners/relations/trading-partner.entity.ts'
import { accountingPeriod } from '#modules/periods/accounting-period.entity.ts'
import { accountBalance } from '#modules/payments/account-balance.entity.ts'
import { columnMapping } from '#modules/file-columns/column-mapping.entity.ts'
import { bankWord } from '#modules/payments/bank/bank-word.entity.ts'
import { advanceItem } from '#modules/payments/advances/advance-item.entity.ts'
import { voucherAccount } from '#modules/accounting/voucher-account.entity.ts'
import { openItem } from '#modules/payments/open-item.entity.ts'
import { printTemplate } from '#modules/prints/print-template.entity.ts'
import { exportTask } from '#modules/reports/centre/export-task.entity.ts'
import { reportScheme } from '#modules/reports/centre/saved-report.entity.ts'
import { patientFollowUp } from '#modules/reports/patients/patient-follow-up.entity.ts'
import { supplierServiceScore } from '#modules/reports/suppliers/service-score.entity.ts'
import { settlementLine } from '#modules/settlement/settlement-line.entity.ts'
import { shelf, shelfPlace } from '#modules/stock/warehouses/shelf.entity.ts'
import { leaseArea, leaseStock, rentedArea } from '#modules/lease/areas/lease-area.entity.ts'
import { leaseFee, leaseLine, lessee } from '#modules/lease/contracts/lessee.entity.ts'
import { storeArea } from '#modules/stock/warehouses/warehouse-area.entity.ts'
import { commonProduct, commonProductLine } from '#modules/ward/requisition/common-product.entity.ts'
import { stockBalance } from '#modules/stock/balances/stock-balance.entity.ts'
import { stockLocator } from '#modules/stock/balances/stock-locator.entity.ts'
import { warehouse } from '#modules/stock/warehouses/warehouse.entity.ts'
import { stockTakeLine } from '#modules/counts/stock-take-line.entity.ts'
import { implantFormOverview } from '#modules/ward/implants/implant-form-overview.entity.ts'
import { departmentQuota } from '#modules/ward/quota/department-quota.entity.ts'
import { departmentInventory } from '#modules/ward/stock/department-inventory.entity.ts'
import { warehouseProduct } from '#modules/warnings/warehouse-product.entity.ts'
import { warningSetting } from '#modules/warnings/warning-setting.entity.ts'
import { insuranceCode } from '#modules/insurance/insurance-code.entity.ts'
import { warning } from '#modules/warnings/warning.entity.ts'
import { temperatureLog } from '#modules/quality/temperature-log.entity.ts'
import { cabinetComparison } from '#modules/cabinet/stock-check/stock-comparison.entity.ts'
import { cabinetStock } from '#modules/cabinet/replenishment/cabinet-stock.entity.ts'
import { lowValueSlot } from '#modules/cabinet/replenishment/low-value-slot.entity.ts'
import { cabinetTransaction } from '#modules/cabinet/transactions/cabinet-transaction.entity.ts'
import { cabinet } from '#modules/cabinet/equipment/cabinet.entity.ts'
import { cabinetSlot, cupboard, doorPermission } from '#modules/cabinet/equipment/cabinet-door.entity.ts'
import { madeKit, madeKitLine } from '#modules/packs/kits/made-kit.entity.ts'
import { operationKit, operationKitLine } from '#modules/packs/kits/operation-kit.entity.ts'
import { implantKit, implantKitLine } from '#modules/surgery/kits/implant-kit.entity.ts'
import { operationPath, operationPathLine, publishedTemplate } from '#modules/surgery/paths/operation-path.entity.ts'
import { surgicalTool, surgicalToolEvent } from '#modules/surgery/tools/surgical-tool.entity.ts'
import { toolsKit, toolsKitLine, toolsTemplate, toolsTemplateLine } from '#modules/surgery/tools/tools-kit.entity.ts'
import { madePack } from '#modules/packs/made-pack.entity.ts'
import { packTemplate, packTemplateLine } from '#modules/packs/pack-template.entity.ts'
import { analyser } from '#modules/reagents/analyser.entity.ts'
import { reagentStep, reagentTrace } from '#modules/reagents/reagent.entity.ts'
import { refrigerator, refrigeratorReading } from '#modules/reagents/refrigerator.entity.ts'
import { countPlan } from '#modules/counts/count-plan.entity.ts'
import { weighingPlate } from '#modules/cabinet/weighing/weighing-scale.entity.ts'
import { goodsFreeze } from '#modules/trace/goods-freeze.entity.ts'
import { recallDelivery, recallFeedback } from '#modules/quality/recall-rows.entity.ts'

/** Every kind of record, in the order in which the tabs of a page show them. */
export const entities: readonly AnyEntity[] = [
  organisation,
  organisationLicence,
  tradeRelation,
  orgRelation,
  localPartner,
  registration,
  orgChange,
  dealer,
  dealerAuthorisation,
  heldAuthorisation,
  dealerInvitation,
  department,
  employee,
  user,
  role,
  auditSettingOf(Object.fromEntries(documents.map(({ kind, title }) => [kind, title]))),
  auditLevel,
  operationLog,
  userRoleAssignment,
  account,
  menuNode,
  motherTree,
  systemRole,
  roleTemplate,
  templateRole,
  dictionary,
  dictionaryItem,
  vipLevel,
  vipGrant,
  videoCourse,
  appVersion,
  dataRestore,
  printTemplate,
  businessConfig,
  notice,
  noticeReceiver,
  goodsFreeze,
  recallFeedback,
  recallDelivery,
  sentMessage,
  interfaceError,
  interfaceAttempt,
  errorRecord,
  backgroundJob,
  warehouse,
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
  licence,
  authorisationLine,
  partnerFile,
  licenceLook,
  licenceRenewal,
  licenceValidity,
  licenceSetting,
  advanceLine,
  arrivalQualityLine,
  inspectionQualityLine,
  licenceAudit,
  stockBalance,
  stockLocator,
  warehouseProduct,
  storeArea,
  shelf,
  shelfPlace,
  commonProduct,
  commonProductLine,
  departmentInventory,
  departmentQuota,
  implantFormOverview,
  warning,
  warningSetting,
  insuranceCode,
  reportScheme,
  patientFollowUp,
  supplierServiceScore,
  exportTask,
  purchaseRecord,
  priceHistory,
  agreedPrice,
  hospitalRule,
  hospitalRuleChange,
  markupRule,
  supplierRate,
  supplierRateStep,
  salesRecord,
  unitLabel,
  productBarcode,
  barcodeRule,
  settlementLine,
  accountBalance,
  openItem,
  voucherAccount,
  bankWord,
  columnMapping,
  advanceItem,
  accountingPeriod,
  stockTakeLine,
  countPlan,
  packTemplate,
  packTemplateLine,
  madePack,
  operationKit,
  operationKitLine,
  madeKit,
  madeKitLine,
  implantKit,
  implantKitLine,
  toolsKit,
  toolsKitLine,
  toolsTemplate,
  toolsTemplateLine,
  surgicalTool,
  surgicalToolEvent,
  operationPath,
  operationPathLine,
  publishedTemplate,
  reagentTrace,
  reagentStep,
  analyser,
  refrigerator,
  refrigeratorReading,
  temperatureLog,
  weighingPlate,
  cabinet,
  cupboard,
  cabinetSlot,
  doorPermission,
  cabinetTransaction,
  cabinetComparison,
  cabinetStock,
  lowValueSlot,
  productComparison,
  hisMatchVersion,
  hisItem,
  hisStaff,
  hisDepartment,
  hisStaffChange,
  hisField,
  hisGrnCheck,
  hisGrnLine,
  eInvoice,
  eInvoiceLine,
  eInvoiceChannel,
  hisVisit,
  hisOperation,
  hisMessage,
  hisIncome,
  useCheck,
  hisChargeDay,
  hisSpdFeeDetail,
  chargeMonth,
  lessee,
  leaseLine,
  leaseFee,
  leaseArea,
  rentedArea,
  leaseStock,
]
