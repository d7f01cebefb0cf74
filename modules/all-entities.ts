import type { AnyEntity } from '#kernel/entity.ts'
import { documents } from '#modules/all-documents.ts'
import { auditSettingOf } from '#modules/approval/audit-setting.entity.ts'
import { auditLevel } from '#modules/approval/audit-level.entity.ts'
import { catalogueProposal } from '#modules/catalogue/catalogue-proposal.entity.ts'
import { dealerProduct } from '#modules/catalogue/dealer-product.entity.ts'
import { hospitalProduct, productSupplier } from '#modules/catalogue/hospital-product.entity.ts'
import { customType, typedProduct } from '#modules/catalogue/custom-type.entity.ts'
import { dealerProductCheck } from '#modules/catalogue/dealer-check.entity.ts'
import { qualityCertificate } from '#modules/catalogue/quality-certificate.entity.ts'
import { udiAdoption } from '#modules/catalogue/udi-adoption.entity.ts'
import { udiDevice, udiDifference, udiFile, udiLevel } from '#modules/catalogue/udi.entity.ts'
import { deviceClass } from '#modules/catalogue/device-class.entity.ts'
import { product } from '#modules/catalogue/product.entity.ts'
import { productRelease, productReleaseLine } from '#modules/catalogue/product-release.entity.ts'
import { productRevision } from '#modules/catalogue/product-revision.entity.ts'
import { productStep } from '#modules/catalogue/product-step.entity.ts'
import { certificateChange, registrationCertificate } from '#modules/catalogue/registration-certificate.entity.ts'
import { specification } from '#modules/catalogue/specification.entity.ts'
import { unitTree } from '#modules/catalogue/unit-tree.entity.ts'
import { department } from '#modules/identity/department.entity.ts'
import { employee } from '#modules/identity/employee.entity.ts'
import { role } from '#modules/identity/role.entity.ts'
import { user } from '#modules/identity/user.entity.ts'
import { barcodeRule } from '#modules/catalogue/barcode-rule.entity.ts'
import { productBarcode } from '#modules/catalogue/product-barcode.entity.ts'
import { agreedPrice } from '#modules/purchasing/agreed-price.entity.ts'
import { arrivalQualityLine } from '#modules/purchasing/arrival-quality-line.entity.ts'
import { inspectionQualityLine } from '#modules/purchasing/inspection-quality-line.entity.ts'
import { priceHistory } from '#modules/purchasing/price-history.entity.ts'
import { hospitalRule, hospitalRuleChange } from '#modules/rules/hospital-rule.entity.ts'
import { markupRule } from '#modules/rules/markup-rule.entity.ts'
import { supplierRate, supplierRateStep } from '#modules/rules/supplier-rate.entity.ts'
import { purchaseRecord } from '#modules/registers/purchase-record.entity.ts'
import { salesRecord } from '#modules/registers/sales-record.entity.ts'
import { unitLabel } from '#modules/labels/unit-label.entity.ts'
import { authorisationLine } from '#modules/licences/authorisation-line.entity.ts'
import { licenceAudit } from '#modules/licences/licence-audit.entity.ts'
import { advanceLine } from '#modules/sales/advance-line.entity.ts'
import { licenceSetting } from '#modules/licences/licence-setting.entity.ts'
import { licenceValidity } from '#modules/licences/licence-validity.entity.ts'
import { licence } from '#modules/licences/licence.entity.ts'
import { licenceLook } from '#modules/licences/licence-look.entity.ts'
import { licenceRenewal } from '#modules/licences/licence-renewal.entity.ts'
import { partnerFile } from '#modules/licences/partner-file.entity.ts'
import { appVersion } from '#modules/platform/app-version.entity.ts'
import { businessConfig } from '#modules/platform/business-config.entity.ts'
import { dataRestore } from '#modules/platform/data-restore.entity.ts'
import { dictionary, dictionaryItem } from '#modules/platform/dictionary.entity.ts'
import { errorRecord, interfaceAttempt, interfaceError } from '#modules/platform/errors.entity.ts'
import { notice, noticeReceiver } from '#modules/platform/notice.entity.ts'
import { sentMessage } from '#modules/platform/sent-message.entity.ts'
import { videoCourse } from '#modules/platform/video-course.entity.ts'
import { vipGrant, vipLevel } from '#modules/platform/vip-level.entity.ts'
import { account } from '#modules/rights/account.entity.ts'
import { menuNode } from '#modules/rights/menu-node.entity.ts'
import { motherTree } from '#modules/rights/mother-tree.entity.ts'
import { roleTemplate, templateRole } from '#modules/rights/role-template.entity.ts'
import { systemRole } from '#modules/rights/system-role.entity.ts'
import { userRoleAssignment } from '#modules/rights/user-roles.entity.ts'
import { operationLog } from '#modules/logs/operation-log.entity.ts'
import { organisation } from '#modules/partners/organisation.entity.ts'
import { dealerAuthorisation, heldAuthorisation } from '#modules/partners/dealer-authorisation.entity.ts'
import { dealer } from '#modules/partners/dealer.entity.ts'
import { dealerInvitation } from '#modules/partners/invitation.entity.ts'
import { localPartner } from '#modules/partners/local-partner.entity.ts'
import { orgChange } from '#modules/partners/org-change.entity.ts'
import { registration } from '#modules/partners/registration.entity.ts'
import { organisationLicence } from '#modules/partners/organisation-licence.entity.ts'
import { tradeRelation } from '#modules/partners/trade-relation.entity.ts'
import { orgRelation } from '#modules/partners/org-relation.entity.ts'
import { accountingPeriod } from '#modules/periods/accounting-period.entity.ts'
import { accountBalance } from '#modules/payments/account-balance.entity.ts'
import { printTemplate } from '#modules/prints/print-template.entity.ts'
import { exportTask } from '#modules/reports/export-task.entity.ts'
import { reportScheme } from '#modules/reports/report-scheme.entity.ts'
import { settlementLine } from '#modules/settlement/settlement-line.entity.ts'
import { shelf, shelfPlace } from '#modules/stock/shelf.entity.ts'
import { storeArea } from '#modules/stock/store-area.entity.ts'
import { commonProduct, commonProductLine } from '#modules/ward/common-product.entity.ts'
import { stockBalance } from '#modules/stock/stock-balance.entity.ts'
import { stockLocator } from '#modules/stock/stock-locator.entity.ts'
import { warehouse } from '#modules/stock/warehouse.entity.ts'
import { stockTakeLine } from '#modules/counts/stock-take-line.entity.ts'
import { warehouseProduct } from '#modules/warnings/warehouse-product.entity.ts'
import { warningSetting } from '#modules/warnings/warning-setting.entity.ts'
import { insuranceCode } from '#modules/insurance/insurance-code.entity.ts'
import { warning } from '#modules/warnings/warning.entity.ts'
import { temperatureLog } from '#modules/quality/temperature-log.entity.ts'
import { cabinetComparison } from '#modules/cabinet/cabinet-comparison.entity.ts'
import { cabinetStock } from '#modules/cabinet/cabinet-stock.entity.ts'
import { lowValueSlot } from '#modules/cabinet/low-value-slot.entity.ts'
import { cabinetTransaction } from '#modules/cabinet/cabinet-transaction.entity.ts'
import { cabinet } from '#modules/cabinet/cabinet.entity.ts'
import { cabinetSlot, cupboard, doorPermission } from '#modules/cabinet/cupboard.entity.ts'
import { weighingPlate } from '#modules/cabinet/weighing-plate.entity.ts'
import { recallDelivery, recallFeedback } from '#modules/quality/recall-rows.entity.ts'

/** Every kind of record of the house, in the order in which tabs of one page stand. */
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
  recallFeedback,
  recallDelivery,
  sentMessage,
  interfaceError,
  interfaceAttempt,
  errorRecord,
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
  warning,
  warningSetting,
  insuranceCode,
  reportScheme,
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
  accountingPeriod,
  stockTakeLine,
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
]
