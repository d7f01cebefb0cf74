import { expiryTool, lotTool, shortTool, stockTool } from '#modules/assistant/goods.server.ts'
import { balanceTool } from '#modules/assistant/money.server.ts'
import { countTool, dutyTool, paperTool } from '#modules/assistant/papers.server.ts'
import { remindApprovers } from '#modules/approval/remind.server.ts'
import { auditLevelRules, auditSettingRules } from '#modules/approval/audit.server.ts'
import { businessConfigRules } from '#modules/platform/config.server.ts'
import { deliverNotices } from '#modules/platform/deliver-notices.server.ts'
import { errorRecordRules, interfaceErrorRules } from '#modules/platform/errors.server.ts'
import { dictionaryItemRules, dictionaryRules, vipLevelRules } from '#modules/platform/lists.server.ts'
import { appVersionRules, noticeRules, videoCourseRules } from '#modules/platform/offers.server.ts'
import { dataRestoreRules } from '#modules/platform/restore.server.ts'
import { accountRules, userRoleRules } from '#modules/rights/accounts.server.ts'
import { roleTemplateRules, systemRoleRules, templateRoleRules } from '#modules/rights/bounds.server.ts'
import { menuNodeRules, motherTreeRules } from '#modules/rights/menu.server.ts'
import { operationLogRules } from '#modules/logs/operation-log.server.ts'
import { confirmByTime } from '#modules/settlement/confirm-by-time.server.ts'
import { inboundInvoiceRules, outboundInvoiceRules } from '#modules/invoicing/invoices.server.ts'
import { paymentApplicationRules, paymentRules, receiptRules } from '#modules/payments/payments.server.ts'
import { arrivalOrderRules } from '#modules/purchasing/arrival-order.server.ts'
import { inspectionOrderRules } from '#modules/purchasing/inspection-order.server.ts'
import { purchaseOrderRules } from '#modules/purchasing/purchase-order.server.ts'
import { saleOdoRules } from '#modules/sales/sale-odo.server.ts'
import { salesOrderRules } from '#modules/sales/sales-order.server.ts'
import { openingStockRules } from '#modules/stock/opening-stock.server.ts'
import { otherGrnRules } from '#modules/stock/other-grn.server.ts'
import { purchaseGrnRules } from '#modules/stock/purchase-grn.server.ts'
import { dealerProductRules } from '#modules/catalogue/dealer-product.server.ts'
import { hospitalProductRules } from '#modules/catalogue/hospital-product.server.ts'
import { productRules } from '#modules/catalogue/product.server.ts'
import { registrationCertificateRules } from '#modules/catalogue/registration-certificate.server.ts'
import { specificationRules } from '#modules/catalogue/specification.server.ts'
import { unitTreeRules } from '#modules/catalogue/unit-tree.server.ts'
import { departmentRules } from '#modules/identity/department.server.ts'
import { employeeRules } from '#modules/identity/employee.server.ts'
import { roleRules } from '#modules/identity/role.server.ts'
import { userRules } from '#modules/identity/user.server.ts'
import { unitLabelRules } from '#modules/labels/unit-label.server.ts'
import { licenceRules } from '#modules/licences/licence.server.ts'
import { orgRelationRules } from '#modules/partners/org-relation.server.ts'
import { dealerAuthorisationRules, dealerRules } from '#modules/partners/dealer.server.ts'
import { orgChangeRules } from '#modules/partners/org-change.server.ts'
import { registrationRules } from '#modules/partners/registration.server.ts'
import { organisationRules } from '#modules/partners/organisation.server.ts'
import { lossRules, overflowRules, scrapRules } from '#modules/losses/losses.server.ts'
import { settlementGrnRules } from '#modules/settlement/settlement-grn.server.ts'
import { settlementRules } from '#modules/settlement/settlement.server.ts'
import { stockBalanceRules } from '#modules/stock/stock-balance.server.ts'
import { warehouseRules } from '#modules/stock/warehouse.server.ts'
import { departmentUseRules } from '#modules/ward/department-use.server.ts'
import { dispatchRules } from '#modules/ward/dispatch.server.ts'
import { grantOdoRules } from '#modules/ward/grant-odo.server.ts'
import { requisitionRules } from '#modules/ward/requisition.server.ts'
import { wardReceiptRules } from '#modules/ward/ward-receipt.server.ts'
import type { Tool } from '#server/engine/assistant/tool.ts'
import type { DocumentRules } from '#server/engine/documents/acting.ts'
import type { HourlyJob } from '#server/engine/housekeeping.ts'
import type { RecordRules } from '#server/engine/records/rules.ts'

/** What the record definitions cannot say without the database. One line for each `.server.ts`, beside the definition it belongs to. */
export const recordRules: readonly RecordRules[] = [
  organisationRules,
  orgRelationRules,
  registrationRules,
  orgChangeRules,
  dealerRules,
  dealerAuthorisationRules,
  departmentRules,
  employeeRules,
  userRules,
  roleRules,
  auditSettingRules,
  auditLevelRules,
  operationLogRules,
  userRoleRules,
  accountRules,
  menuNodeRules,
  motherTreeRules,
  systemRoleRules,
  roleTemplateRules,
  templateRoleRules,
  dictionaryRules,
  dictionaryItemRules,
  vipLevelRules,
  videoCourseRules,
  appVersionRules,
  noticeRules,
  dataRestoreRules,
  businessConfigRules,
  interfaceErrorRules,
  errorRecordRules,
  warehouseRules,
  productRules,
  specificationRules,
  unitTreeRules,
  registrationCertificateRules,
  hospitalProductRules,
  dealerProductRules,
  licenceRules,
  stockBalanceRules,
  unitLabelRules,
]

/** What papers ask of the database beyond their pure guards. */
export function documentRulesOf(kind: string): DocumentRules {
  return (
    [
      purchaseOrderRules,
      salesOrderRules,
      saleOdoRules,
      arrivalOrderRules,
      inspectionOrderRules,
      purchaseGrnRules,
      openingStockRules,
      lossRules,
      overflowRules,
      scrapRules,
      otherGrnRules,
      requisitionRules,
      dispatchRules,
      grantOdoRules,
      wardReceiptRules,
      departmentUseRules,
      settlementRules,
      settlementGrnRules,
      inboundInvoiceRules,
      outboundInvoiceRules,
      paymentApplicationRules,
      receiptRules,
      paymentRules,
    ].find(rules => rules.kind === kind) ?? { kind }
  )
}

/** What rooms want done every hour. */
export const hourlyJobs: readonly HourlyJob[] = [deliverNotices, remindApprovers, confirmByTime]

/** Questions about one's own figures that the assistant can answer; the first that hears itself in a question is asked. */
export const assistantTools: readonly Tool[] = [
  paperTool,
  lotTool,
  expiryTool,
  shortTool,
  balanceTool,
  dutyTool,
  countTool,
  stockTool,
]
