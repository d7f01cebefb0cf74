import { purchaseFlowRules } from '#modules/purchasing/purchase-flow.server.ts'
import { salesFlowRules } from '#modules/sales/sales-flow.server.ts'
import type { Hooks } from '#server/public/hooks.ts'
import { limitTool } from '#modules/assistant/limits.server.ts'
import { expiryTool, lotTool, shortTool, stockTool } from '#modules/assistant/goods.server.ts'
import { balanceTool } from '#modules/assistant/money.server.ts'
import { countTool, dutyTool, paperTool } from '#modules/assistant/papers.server.ts'
import { remindApprovers } from '#modules/approval/remind.server.ts'
import { auditLevelRules, auditSettingRules } from '#modules/approval/audit.server.ts'
import { businessConfigRules } from '#modules/platform/config.server.ts'
import { handOutAll } from '#modules/platform/handing-out.server.ts'
import { noticeRules } from '#modules/platform/notice.server.ts'
import { sendDueMessages, sentMessageRules } from '#modules/platform/sent-message.server.ts'
import { errorRecordRules, interfaceAttemptRules, interfaceErrorRules } from '#modules/platform/errors.server.ts'
import { dictionaryItemRules, dictionaryRules } from '#modules/platform/lists.server.ts'
import { recountWords } from '#modules/platform/words.server.ts'
import { remindOfExpiry, vipGrantRules, vipLevelRules } from '#modules/platform/vip.server.ts'
import { appVersionRules, publishVersions, videoCourseRules } from '#modules/platform/offers.server.ts'
import { layMerged } from '#modules/partners/merge.server.ts'
import { dataRestoreRules, liftRestored } from '#modules/platform/restore.server.ts'
import { accountRules, userRoleRules } from '#modules/rights/accounts.server.ts'
import { roleTemplateRules, systemRoleRules, templateRoleRules } from '#modules/rights/bounds.server.ts'
import { menuNodeRules, motherTreeRules } from '#modules/rights/menu.server.ts'
import { operationLogRules } from '#modules/logs/operation-log.server.ts'
import { confirmByTime } from '#modules/settlement/confirm-by-time.server.ts'
import { inboundInvoiceRules, outboundInvoiceRules } from '#modules/invoicing/invoices.server.ts'
import { paymentApplicationRules, paymentRules, receiptRules } from '#modules/payments/payments.server.ts'
import { purchasingJobs, purchasingRecords, purchasingRules } from '#modules/purchasing/purchasing-rules.server.ts'
import { closeDue } from '#modules/purchasing/quotation.server.ts'
import { salesRecords, salesRules } from '#modules/sales/sales-rules.server.ts'
import { purchaseReturnRules } from '#modules/returns/purchase-return.server.ts'
import { saleReturnRules } from '#modules/returns/sale-return.server.ts'
import { openingStockRules } from '#modules/stock/opening-stock.server.ts'
import { otherGrnRules } from '#modules/stock/other-grn.server.ts'
import { purchaseGrnRules } from '#modules/stock/purchase-grn.server.ts'
import { specificationFacts } from '#modules/items/item-data.server.ts'
import { complianceChecks } from '#modules/licensing/compliance-check.server.ts'
import { refuseStrangePlaces } from '#modules/put-away.server.ts'
import { voidTradeRegister, writeTradeRegister } from '#modules/registers/trade-register.server.ts'
import { recallCheck } from '#modules/recalled.server.ts'
import { configItems } from '#modules/config-items.ts'
import { houseRules } from '#modules/house-rules.ts'
import { menuGroups } from '#modules/menu.ts'
import { settingDefaults } from '#modules/settings/setting-defaults.server.ts'
import { seedSettings } from '#modules/settings/startup-seeds.server.ts'
import { contractOf } from '#modules/prints/contract-data.server.ts'
import { printFields } from '#modules/prints/print-fields.server.ts'
import { reliedLicences } from '#modules/licensing/partner-licences.server.ts'
import { settlementDetail } from '#modules/settlement/settled-stage.server.ts'
import { listColumns } from '#modules/all-list-columns.server.ts'
import { routes } from '#modules/all-routes.server.ts'
import { layBesides } from '#modules/invoicing/match-received.server.ts'
import { beyondCalls, refuseFullStore } from '#modules/settings/plan-limits.server.ts'
import { usageRecipients } from '#modules/ward/usage-recipients.server.ts'
import { catalogue } from '#modules/catalogue/catalogue-rules.server.ts'
import { accountingPeriodRules } from '#modules/periods/accounting-period.server.ts'
import { departmentRules } from '#modules/identity/department.server.ts'
import { employeeRules } from '#modules/identity/employee.server.ts'
import { roleRules } from '#modules/identity/role.server.ts'
import { userRules } from '#modules/identity/user.server.ts'
import { exportTaskRules } from '#modules/reports/export-task.server.ts'
import { reportSchemeRules } from '#modules/reports/report-scheme.server.ts'
import { houseRuleRecords, layHouseRules } from '#modules/rules/rules.server.ts'
import { purchaseRecordRules, salesRecordRules } from '#modules/registers/registers.server.ts'
import { unitLabelRules } from '#modules/labels/unit-label.server.ts'
import { grantedScans, licenceJobs, licencePapers, licenceRecords } from '#modules/licences/licences-rules.server.ts'
import { orgRelationRules } from '#modules/partners/org-relation.server.ts'
import { dealerAuthorisationRules, heldAuthorisationRules } from '#modules/partners/authorisations.server.ts'
import { dealerInvitationRules, settleInvitations } from '#modules/partners/invitation.server.ts'
import { sendAllAuthorisations } from '#modules/sent-authorisations.server.ts'
import { dealerRules } from '#modules/partners/dealer.server.ts'
import { announceRegistered, localPartnerRules } from '#modules/partners/local-partner.server.ts'
import { orgChangeRules } from '#modules/partners/org-change.server.ts'
import { layScans } from '#modules/partners/registered-scans.server.ts'
import { registrationRules } from '#modules/partners/registration.server.ts'
import { supplierApplicationRules } from '#modules/partners/supplier-application.server.ts'
import {
  organisationLicenceRules,
  organisationRules,
  tradeRelationRules,
} from '#modules/partners/organisation.server.ts'
import { giveOdoRules, otherOdoRules } from '#modules/issues/issues.server.ts'
import { complianceJobs, complianceRules } from '#modules/compliance/compliance-rules.server.ts'
import { lossPaperRules } from '#modules/losses/losses.server.ts'
import { settlementGrnRules } from '#modules/settlement/settlement-grn.server.ts'
import { settlementRules } from '#modules/settlement/settlement.server.ts'
import { stockBalanceRules } from '#modules/stock/stock-balance.server.ts'
import { tellReminders } from '#modules/stock/use-reminder.server.ts'
import { shelfRecords } from '#modules/stock/shelf.server.ts'
import { commonProductRecords } from '#modules/ward/common-product.server.ts'
import { stockLocatorRules } from '#modules/stock/stock-locator.server.ts'
import { warehouseRules } from '#modules/stock/warehouse.server.ts'
import { remindLoans } from '#modules/transfers/loans.server.ts'
import { transferPaperRules } from '#modules/transfers/transfer.server.ts'
import { stockTakeRules } from '#modules/counts/stock-take.server.ts'
import { storageCheckRules, temperatureLogRules } from '#modules/quality/storage-check.server.ts'
import { watchCabinets } from '#modules/cabinet/alarms.server.ts'
import { cabinetComparisonRules } from '#modules/cabinet/cabinet-comparison.server.ts'
import { cabinetStockRules } from '#modules/cabinet/cabinet-stock.server.ts'
import { shareCabinets } from '#modules/cabinet/sharing.server.ts'
import { lowValueSlotRules } from '#modules/cabinet/low-value-slot.server.ts'
import { cabinetTransactionRules } from '#modules/cabinet/cabinet-transaction.server.ts'
import { cabinetDesk } from '#modules/cabinet/device-desk.server.ts'
import { workLeftBehind } from '#modules/cabinet/device-events.server.ts'
import { cabinetRules } from '#modules/cabinet/cabinet.server.ts'
import { cabinetSlotRules, cupboardRules, doorPermissionRules } from '#modules/cabinet/cupboard.server.ts'
import { weighingPlateRules, weighingRules } from '#modules/cabinet/weighing.server.ts'
import { stockCorrectionRules } from '#modules/corrections/stock-correction.server.ts'
import { carryRecalls } from '#modules/quality/recall-carried.server.ts'
import { recallDeliveryRules, recallFeedbackRules } from '#modules/quality/recall-feedback.server.ts'
import { recallRules } from '#modules/quality/recall.server.ts'
import { stopSaleRules } from '#modules/quality/stop-sale.server.ts'
import { receiveByTime, tellOverdue, wardPapers } from '#modules/ward/ward-rules.server.ts'
import { performDue } from '#server/public/outbound.ts'
import { collectReceipts } from '#server/public/notifications.ts'
import { printTemplateRules } from '#modules/prints/print-template.server.ts'
import { recountWhereNeeded } from '#modules/warnings/recount.server.ts'
import { warehouseProductRules } from '#modules/warnings/warehouse-product.server.ts'
import { proposeCodes } from '#modules/insurance/proposed-codes.server.ts'
import { insuranceCodeRules } from '#modules/insurance/insurance-code.server.ts'
import { warningSettingRules } from '#modules/warnings/warning-setting.server.ts'
import { warningRules } from '#modules/warnings/warning.server.ts'

/** What the record definitions cannot say without the database. One line for each `.server.ts`, beside the definition it belongs to. */
const records: Hooks['records'] = [
  ...purchasingRecords,
  ...houseRuleRecords,
  organisationRules,
  organisationLicenceRules,
  tradeRelationRules,
  orgRelationRules,
  localPartnerRules,
  registrationRules,
  orgChangeRules,
  dealerRules,
  dealerAuthorisationRules,
  heldAuthorisationRules,
  dealerInvitationRules,
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
  vipGrantRules,
  videoCourseRules,
  appVersionRules,
  noticeRules,
  recallFeedbackRules,
  recallDeliveryRules,
  sentMessageRules,
  dataRestoreRules,
  businessConfigRules,
  interfaceErrorRules,
  interfaceAttemptRules,
  errorRecordRules,
  warehouseRules,
  ...catalogue.rules,
  ...licenceRecords,
  ...salesRecords,
  stockBalanceRules,
  stockLocatorRules,
  warehouseProductRules,
  ...shelfRecords,
  ...commonProductRecords,
  warningRules,
  warningSettingRules,
  insuranceCodeRules,
  printTemplateRules,
  reportSchemeRules,
  exportTaskRules,
  purchaseRecordRules,
  salesRecordRules,
  unitLabelRules,
  accountingPeriodRules,
  temperatureLogRules,
  weighingPlateRules,
  cabinetRules,
  cupboardRules,
  cabinetSlotRules,
  doorPermissionRules,
  cabinetTransactionRules,
  cabinetComparisonRules,
  cabinetStockRules,
  lowValueSlotRules,
]

/** What papers ask of the database beyond their pure guards. */
const documents: Hooks['documents'] = [
  ...purchasingRules,
  ...salesRules,
  ...licencePapers,
  purchaseGrnRules,
  purchaseReturnRules,
  ...complianceRules,
  catalogue.admissionRules,
  supplierApplicationRules,
  saleReturnRules,
  openingStockRules,
  ...lossPaperRules,
  ...transferPaperRules,
  stockTakeRules,
  stopSaleRules,
  recallRules,
  storageCheckRules,
  weighingRules,
  stockCorrectionRules,
  otherGrnRules,
  otherOdoRules,
  giveOdoRules,
  ...wardPapers,
  settlementRules,
  settlementGrnRules,
  inboundInvoiceRules,
  outboundInvoiceRules,
  paymentApplicationRules,
  receiptRules,
  paymentRules,
]

/** Everything that modules add to the engine beyond their definitions: what a program registers where it starts. */
export const hooks: Hooks = {
  documents,
  records,
  actionChecks: [recallCheck, ...complianceChecks],
  finalChecks: [{ check: refuseStrangePlaces }],
  effects: [{ onEffective: writeTradeRegister, onVoided: voidTradeRegister }],
  itemData: specificationFacts,
  listColumns,
  detailColumns: settlementDetail,
  detailFields: [reliedLicences],
  reportRecipients: usageRecipients,
  matchReceived: layBesides,
  quotas: { storage: refuseFullStore, outboundCalls: beyondCalls },
  printFields,
  contractLayout: contractOf,
  settings: { items: configItems, policies: houseRules, defaults: settingDefaults },
  menuGroups,
  startupSeeds: [seedSettings, catalogue.layDeviceClasses, layHouseRules],
  processCharts: [purchaseFlowRules, salesFlowRules],
  hourlyJobs: [
    handOutAll,
    collectReceipts,
    remindApprovers,
    remindOfExpiry,
    layMerged,
    sendAllAuthorisations,
    recountWords,
    layScans,
    settleInvitations,
    liftRestored,
    confirmByTime,
    remindLoans,
    receiveByTime,
    ...complianceJobs,
    ...catalogue.jobs,
    ...purchasingJobs,
    ...licenceJobs,
  ],
  quickJobs: [
    sendDueMessages,
    (_app, owner) => publishVersions(owner),
    closeDue,
    tellOverdue,
    proposeCodes,
    performDue,
    recountWhereNeeded,
    announceRegistered,
    tellReminders,
    workLeftBehind,
    watchCabinets,
    carryRecalls,
    shareCabinets,
    catalogue.publishDue,
  ],
  fileJobs: [catalogue.importWaiting],
  routes,
  grantedFiles: grantedScans,
  deviceHandler: cabinetDesk,
  assistantTools: [paperTool, lotTool, expiryTool, limitTool, shortTool, balanceTool, dutyTool, countTool, stockTool],
}
