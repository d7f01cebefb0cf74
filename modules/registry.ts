import { reachableStates } from '#kernel/derive/states.ts'
import type { AnyDocument } from '#kernel/document.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import type { AnyReport } from '#kernel/report.ts'
import { reports } from '#modules/all-reports.ts'
import type { PrintSheet } from '#kernel/print.ts'
import type { Screen } from '#kernel/screen.ts'
import { type State, states } from '#kernel/state.ts'
import { auditLevel } from '#modules/approval/audit-level.entity.ts'
import { auditSettingOf } from '#modules/approval/audit-setting.entity.ts'
import { dealerProduct } from '#modules/catalogue/dealer-product.entity.ts'
import { hospitalProduct } from '#modules/catalogue/hospital-product.entity.ts'
import { product } from '#modules/catalogue/product.entity.ts'
import { registrationCertificate } from '#modules/catalogue/registration-certificate.entity.ts'
import { specification } from '#modules/catalogue/specification.entity.ts'
import { unitTree } from '#modules/catalogue/unit-tree.entity.ts'
import { firstSellProduct } from '#modules/compliance/first-sell-product.doc.ts'
import { firstTierOrg } from '#modules/compliance/first-tier-org.doc.ts'
import { department } from '#modules/identity/department.entity.ts'
import { employee } from '#modules/identity/employee.entity.ts'
import { role } from '#modules/identity/role.entity.ts'
import { user } from '#modules/identity/user.entity.ts'
import { inboxScreen, noticeRecordScreen } from '#modules/messages/inbox.screen.ts'
import { inboundInvoice } from '#modules/invoicing/inbound-invoice.doc.ts'
import { outboundInvoice } from '#modules/invoicing/outbound-invoice.doc.ts'
import { barcodeRule } from '#modules/catalogue/barcode-rule.entity.ts'
import { productBarcode } from '#modules/catalogue/product-barcode.entity.ts'
import { purchaseRecord } from '#modules/registers/purchase-record.entity.ts'
import { salesRecord } from '#modules/registers/sales-record.entity.ts'
import { unitLabel } from '#modules/labels/unit-label.entity.ts'
import { licence } from '#modules/licences/licence.entity.ts'
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
import { giveOdo } from '#modules/issues/give-odo.doc.ts'
import { otherOdo } from '#modules/issues/other-odo.doc.ts'
import { loss } from '#modules/losses/loss.doc.ts'
import { overflow } from '#modules/losses/overflow.doc.ts'
import { scrap } from '#modules/losses/scrap.doc.ts'
import { organisation } from '#modules/partners/organisation.entity.ts'
import { dealerAuthorisation, heldAuthorisation } from '#modules/partners/dealer-authorisation.entity.ts'
import { dealer } from '#modules/partners/dealer.entity.ts'
import { dealerInvitation } from '#modules/partners/invitation.entity.ts'
import { localPartner } from '#modules/partners/local-partner.entity.ts'
import { orgChange } from '#modules/partners/org-change.entity.ts'
import { registration } from '#modules/partners/registration.entity.ts'
import { orgRelation } from '#modules/partners/org-relation.entity.ts'
import { accountingPeriod } from '#modules/periods/accounting-period.entity.ts'
import { supplierApplication } from '#modules/partners/supplier-application.doc.ts'
import { accountBalance } from '#modules/payments/account-balance.entity.ts'
import { paymentApplication } from '#modules/payments/payment-application.doc.ts'
import { payment } from '#modules/payments/payment.doc.ts'
import { receipt } from '#modules/payments/receipt.doc.ts'
import { printTemplate } from '#modules/prints/print-template.entity.ts'
import { sheets } from '#modules/prints/sheets.ts'
import { arrivalOrder } from '#modules/purchasing/arrival-order.doc.ts'
import { inspectionOrder } from '#modules/purchasing/inspection-order.doc.ts'
import { purchasePlan } from '#modules/purchasing/purchase-plan.doc.ts'
import { purchaseOrder } from '#modules/purchasing/purchase-order.doc.ts'
import { exportTask } from '#modules/reports/export-task.entity.ts'
import { reportCentreScreen } from '#modules/reports/report-centre.screen.ts'
import { reportScheme } from '#modules/reports/report-scheme.entity.ts'
import { purchaseReturn } from '#modules/returns/purchase-return.doc.ts'
import { saleReturn } from '#modules/returns/sale-return.doc.ts'
import { saleOdo } from '#modules/sales/sale-odo.doc.ts'
import { salesOrder } from '#modules/sales/sales-order.doc.ts'
import { settlementLine } from '#modules/settlement/settlement-line.entity.ts'
import { settlementGrn } from '#modules/settlement/settlement-grn.doc.ts'
import { settlement } from '#modules/settlement/settlement.doc.ts'
import { openingStock } from '#modules/stock/opening-stock.doc.ts'
import { otherGrn } from '#modules/stock/other-grn.doc.ts'
import { purchaseGrn } from '#modules/stock/purchase-grn.doc.ts'
import { stockBalance } from '#modules/stock/stock-balance.entity.ts'
import { stockLocator } from '#modules/stock/stock-locator.entity.ts'
import { warehouse } from '#modules/stock/warehouse.entity.ts'
import { transferReceipt } from '#modules/transfers/transfer-receipt.doc.ts'
import { transferReturn } from '#modules/transfers/transfer-return.doc.ts'
import { transfer } from '#modules/transfers/transfer.doc.ts'
import { traceScreen } from '#modules/trace/trace.screen.ts'
import { stockTakeLine } from '#modules/counts/stock-take-line.entity.ts'
import { stockTake } from '#modules/counts/stock-take.doc.ts'
import { warehouseProduct } from '#modules/warnings/warehouse-product.entity.ts'
import { warningSetting } from '#modules/warnings/warning-setting.entity.ts'
import { insuranceCode } from '#modules/insurance/insurance-code.entity.ts'
import { warning } from '#modules/warnings/warning.entity.ts'
import { storageCheck } from '#modules/quality/storage-check.doc.ts'
import { temperatureLog } from '#modules/quality/temperature-log.entity.ts'
import { weighing } from '#modules/cabinet/weighing.doc.ts'
import { cabinetComparison } from '#modules/cabinet/cabinet-comparison.entity.ts'
import { cabinetStock } from '#modules/cabinet/cabinet-stock.entity.ts'
import { lowValueSlot } from '#modules/cabinet/low-value-slot.entity.ts'
import { cabinetTransaction } from '#modules/cabinet/cabinet-transaction.entity.ts'
import { cabinet } from '#modules/cabinet/cabinet.entity.ts'
import { cabinetSlot, cupboard, doorPermission } from '#modules/cabinet/cupboard.entity.ts'
import { weighingPlate } from '#modules/cabinet/weighing-plate.entity.ts'
import { stockCorrection } from '#modules/corrections/stock-correction.doc.ts'
import { recall } from '#modules/quality/recall.doc.ts'
import { recallDelivery, recallFeedback } from '#modules/quality/recall-rows.entity.ts'
import { stopSale } from '#modules/quality/stop-sale.doc.ts'
import { departmentUse } from '#modules/ward/department-use.doc.ts'
import { dispatch } from '#modules/ward/dispatch.doc.ts'
import { grantOdo } from '#modules/ward/grant-odo.doc.ts'
import { grantReturn } from '#modules/ward/grant-return.doc.ts'
import { requisition } from '#modules/ward/requisition.doc.ts'
import { surgeryUse } from '#modules/ward/surgery-use.doc.ts'
import { wardReceipt } from '#modules/ward/ward-receipt.doc.ts'

/** Every definition of the house. Whatever is derived - routes, pages, menu, flags, tests - is derived from these three lists. */
export const documents: readonly AnyDocument[] = [
  purchasePlan,
  purchaseOrder,
  salesOrder,
  saleOdo,
  arrivalOrder,
  inspectionOrder,
  purchaseGrn,
  purchaseReturn,
  saleReturn,
  otherGrn,
  otherOdo,
  giveOdo,
  openingStock,
  loss,
  overflow,
  scrap,
  transfer,
  transferReceipt,
  transferReturn,
  stockTake,
  stopSale,
  recall,
  storageCheck,
  weighing,
  stockCorrection,
  requisition,
  dispatch,
  grantOdo,
  wardReceipt,
  grantReturn,
  departmentUse,
  surgeryUse,
  settlement,
  settlementGrn,
  inboundInvoice,
  outboundInvoice,
  paymentApplication,
  payment,
  receipt,
  firstTierOrg,
  firstSellProduct,
  supplierApplication,
]
export const entities: readonly AnyEntity[] = [
  organisation,
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
  registrationCertificate,
  hospitalProduct,
  dealerProduct,
  licence,
  stockBalance,
  stockLocator,
  warehouseProduct,
  warning,
  warningSetting,
  insuranceCode,
  reportScheme,
  exportTask,
  purchaseRecord,
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
/** Screens that show no definition: tools with a page of their own. */
export const tools: readonly Screen[] = [reportCentreScreen, traceScreen, inboxScreen, noticeRecordScreen]
export { reports }

/** How papers are printed. */
export const prints: readonly PrintSheet[] = sheets
const sheetByKind = new Map(sheets.flatMap(sheet => Object.keys(sheet.kinds).map(kind => [kind, sheet] as const)))
/** The sheet on which papers of a kind are printed, where there is one. */
export const sheetOf = (kind: string): PrintSheet | undefined => sheetByKind.get(kind)

const byKind = <D extends { readonly kind: string }>(list: readonly D[]) =>
  new Map(list.map(definition => [definition.kind, definition]))
const documentMap = byKind(documents)
const entityMap = byKind(entities)
const reportMap = byKind(reports)
const statesByKind = new Map<string, readonly State[]>()
/** The states that a paper of this kind can come to, in the order of its life. */
export function statesOf(definition: AnyDocument): readonly State[] {
  const known = statesByKind.get(definition.kind)
  if (known) return known
  const reached = reachableStates({ documents }, definition)
  const found = (Object.keys(states) as State[]).filter(state => reached.has(state))
  statesByKind.set(definition.kind, found)
  return found
}
export const documentOf = (kind: string): AnyDocument | undefined => documentMap.get(kind)
export const entityOf = (kind: string): AnyEntity | undefined => entityMap.get(kind)
export const reportOf = (kind: string): AnyReport | undefined => reportMap.get(kind)
