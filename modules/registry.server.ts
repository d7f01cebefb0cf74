import {
  hisFieldsOf,
  hisRecords,
  receiptPushes,
  receiptSenders,
  storeIncomes,
  storeReceived,
} from '#modules/his/hooks.server.ts'
import {
  chargeRecords,
  chargeSenders,
  storeReceivedCharges,
  chargedReturnCheck,
  unmatchedUseCheck,
  useCharges,
} from '#modules/charges/hooks.server.ts'
import { purchaseFlowRules } from '#modules/purchasing/orders/purchase-dashboard.server.ts'
import { salesFlowRules } from '#modules/sales/sales-flow.server.ts'
import type { Hooks } from '#server/public/hooks.ts'
import { homeFigures } from '#modules/workbench/home-figures.server.ts'
import { limitTool } from '#modules/assistant/limits.server.ts'
import { expiryTool, lotTool, shortTool, stockTool } from '#modules/assistant/goods.server.ts'
import { lackingTool, lotInOperationsTool } from '#modules/assistant/theatre.server.ts'
import { balanceFigures, balanceTool } from '#modules/assistant/money.server.ts'
import { countTool, dutyTool, documentTool } from '#modules/assistant/documents.server.ts'
import { auditLevelRules, auditSettingRules } from '#modules/approval/audit.server.ts'
import { businessConfigRules } from '#modules/platform/settings/business-config.server.ts'
import { noticeRules } from '#modules/platform/messaging/notice.server.ts'
import { sentMessageRules } from '#modules/platform/messaging/sent-message.server.ts'
import {
  errorRecordRules,
  interfaceAttemptRules,
  interfaceErrorRules,
} from '#modules/platform/monitoring/interface-errors.server.ts'
import { backgroundJobRules } from '#modules/platform/monitoring/background-jobs.server.ts'
import { dictionaryItemRules, dictionaryRules } from '#modules/platform/dictionaries/dictionary.server.ts'
import { vipGrantRules, vipLevelRules } from '#modules/platform/settings/vip-level.server.ts'
import { appVersionRules, videoCourseRules } from '#modules/platform/content/published-content.server.ts'
import { dataRestoreRules } from '#modules/platform/recycle-bin/data-restore.server.ts'
import { accountRules, userRoleRules } from '#modules/rights/accounts.server.ts'
import { roleTemplateRules, systemRoleRules, templateRoleRules } from '#modules/rights/bounds.server.ts'
import { menuNodeRules, motherTreeRules } from '#modules/rights/menu.server.ts'
import { operationLogRules } from '#modules/logs/operation-log.server.ts'
import { invoicingRecords } from '#modules/invoicing/hooks.server.ts'
import { chargeInvoiceRules } from '#modules/invoicing/fees/charge-invoice.server.ts'
import { inboundInvoiceRules, outboundInvoiceRules } from '#modules/invoicing/invoices.server.ts'
import {
  accountBalanceRules,
  paymentApplicationRules,
  paymentRules,
  receiptRules,
} from '#modules/payments/payments.server.ts'
import { columnMappingRules } from '#modules/file-columns/column-mapping.server.ts'
import { bankWordRules, paymentBatchRules } from '#modules/payments/bank/payment-batch.server.ts'
import { settlementSummaryRules } from '#modules/reports/settlements/partner-statement.server.ts'
import { advanceRules } from '#modules/payments/advances/advances.server.ts'
import { openingPayableRules, openingReceivableRules } from '#modules/payments/openings/openings.server.ts'
import { purchasingRecords, purchasingRules } from '#modules/purchasing/hooks.server.ts'
import { salesRecords, salesRules } from '#modules/sales/hooks.server.ts'
import { purchaseReturnRules } from '#modules/returns/purchase-return.server.ts'
import { saleReturnRules } from '#modules/returns/sale-return.server.ts'
import { openingStockRules } from '#modules/stock/other/opening-stock.server.ts'
import { otherGrnRules } from '#modules/stock/other/other-receipt.server.ts'
import { purchaseGrnRules } from '#modules/stock/receipts/purchase-receipt.server.ts'
import { specificationFacts } from '#modules/items/item-data.server.ts'
import { complianceChecks } from '#modules/licensing/compliance-check.server.ts'
import { receiverRefusals } from '#modules/licensing/receiver-refusals.server.ts'
import { refuseUnknownPlaces } from '#modules/checks/storage-location.server.ts'
import { voidTradeRegister, writeTradeRegister } from '#modules/registers/trade-register.server.ts'
import { arrivingCodesCheck } from '#modules/checks/arriving-codes.server.ts'
import { firstExpiryFirst } from '#modules/checks/fefo.server.ts'
import { expiryCheck } from '#modules/checks/expired-lots.server.ts'
import { lotsAlikeCheck } from '#modules/checks/lots-alike.server.ts'
import { wholePiecesCheck } from '#modules/checks/whole-pieces.server.ts'
import { recallCheck, unfitCheck } from '#modules/checks/recalled-lots.server.ts'
import { configItems } from '#modules/settings/organisation-settings.ts'
import { hospitalPolicies } from '#modules/settings/hospital-policies.ts'
import { menuGroups } from '#modules/menu-groups.ts'
import { settingDefaults } from '#modules/settings/setting-defaults.server.ts'
import { seedSettings } from '#modules/settings/startup-seeds.server.ts'
import { contractOf } from '#modules/prints/contract-data.server.ts'
import { printFields } from '#modules/prints/print-fields.server.ts'
import { reliedLicences } from '#modules/licensing/partner-licences.server.ts'
import { signaturesOf } from '#modules/signatures/signature.server.ts'
import { settlementDetail } from '#modules/settlement/settled-stage.server.ts'
import { listColumns } from '#modules/all-list-columns.server.ts'
import { routes } from '#modules/all-routes.server.ts'
import { draftMatchingDocument } from '#modules/invoicing/match-received.server.ts'
import { beyondCalls, refuseFullStore } from '#modules/settings/plan-limits.server.ts'
import { usageRecipients } from '#modules/ward/usage/usage-recipients.server.ts'
import { assortmentStoresSql } from '#modules/catalogue/assortment/assortment-stores.server.ts'
import { catalogue } from '#modules/catalogue/hooks.server.ts'
import { voucherAccountRules } from '#modules/accounting/voucher-account.server.ts'
import { accountingPeriodRules } from '#modules/periods/accounting-period.server.ts'
import { departmentRules } from '#modules/identity/department.server.ts'
import { employeeRules } from '#modules/identity/employee.server.ts'
import { roleRules } from '#modules/identity/role.server.ts'
import { userRules } from '#modules/identity/user.server.ts'
import { exportTaskRules } from '#modules/reports/centre/export-task.server.ts'
import { reportSchemeRules } from '#modules/reports/centre/saved-report.server.ts'
import { usagePlanningRules } from '#modules/reports/use/usage-planning.server.ts'
import { purchaseOrderWarningRules } from '#modules/reports/orders/purchase-order-warning.server.ts'
import { lotDatesRules } from '#modules/corrections/lot-dates.server.ts'
import { centralInventoryRules } from '#modules/reports/stock/central-inventory.server.ts'
import { restockAbnormalRules } from '#modules/reports/restock/restock-abnormal.server.ts'
import { patientFollowUpRules } from '#modules/reports/patients/patient-follow-up.server.ts'
import { supplierServiceScoreRules } from '#modules/reports/suppliers/service-score.server.ts'
import { hospitalPolicyRecords, seedHospitalPolicies } from '#modules/rules/rules.server.ts'
import { purchaseRecordRules, salesRecordRules } from '#modules/registers/registers.server.ts'
import { unitLabelRules } from '#modules/labels/unit-label.server.ts'
import { grantedScans, licenceLicences, licenceRecords } from '#modules/licences/hooks.server.ts'
import { orgRelationRules } from '#modules/partners/relations/trading-partner.server.ts'
import {
  dealerAuthorisationRules,
  heldAuthorisationRules,
} from '#modules/partners/dealers/dealer-authorisation.server.ts'
import { dealerInvitationRules } from '#modules/partners/registration/invitation.server.ts'
import { dealerRules } from '#modules/partners/dealers/dealer.server.ts'
import { localPartnerRules } from '#modules/partners/relations/unregistered-partner.server.ts'
import { orgChangeRules } from '#modules/partners/organisations/change-request.server.ts'
import { registrationRules } from '#modules/partners/registration/registration.server.ts'
import { supplierApplicationRules } from '#modules/partners/supplier-requests/supplier-request.server.ts'
import {
  organisationLicenceRules,
  organisationRules,
  tradeRelationRules,
} from '#modules/partners/organisations/organisation.server.ts'
import { giveOdoRules, otherOdoRules } from '#modules/issues/issues.server.ts'
import { complianceRules } from '#modules/compliance/hooks.server.ts'
import { lossDocumentRules } from '#modules/losses/losses.server.ts'
import { settlementGrnRules } from '#modules/settlement/settlement-grn.server.ts'
import { accountStatementRules } from '#modules/statements/account-statement.server.ts'
import { serviceChargeRules } from '#modules/service-charges/service-charge.server.ts'
import { settlementRules } from '#modules/settlement/settlement.server.ts'
import { stockBalanceRules } from '#modules/stock/balances/stock-balance.server.ts'
import { shelfRecords } from '#modules/stock/warehouses/shelf.server.ts'
import { settlementLineRules } from '#modules/settlement/settlement-line.server.ts'
import { commonProductRecords } from '#modules/ward/requisition/common-product.server.ts'
import { stockLocatorRules } from '#modules/stock/balances/stock-locator.server.ts'
import { warehouseRules } from '#modules/stock/warehouses/warehouse.server.ts'
import { transportDetail, transportEffects, transportRules } from '#modules/transport/hooks.server.ts'
import { transferDocumentRules } from '#modules/transfers/transfer.server.ts'
import { stockTakeRules } from '#modules/counts/stock-take.server.ts'
import { storageCheckRules, temperatureLogRules } from '#modules/quality/storage-check.server.ts'
import { cabinetComparisonRules } from '#modules/cabinet/stock-check/stock-comparison.server.ts'
import { cabinetStockRules } from '#modules/cabinet/replenishment/cabinet-stock.server.ts'
import { lowValueSlotRules } from '#modules/cabinet/replenishment/low-value-slot.server.ts'
import { cabinetTransactionRules } from '#modules/cabinet/transactions/cabinet-transaction.server.ts'
import { cabinetDeviceHandler } from '#modules/cabinet/device/device-handler.server.ts'
import { cabinetRules } from '#modules/cabinet/equipment/cabinet.server.ts'
import { cabinetSlotRules, cupboardRules, doorPermissionRules } from '#modules/cabinet/equipment/cabinet-door.server.ts'
import { weighingPlateRules, weighingRules } from '#modules/cabinet/weighing/weighing.server.ts'
import { stockCorrectionRules } from '#modules/corrections/stock-correction.server.ts'
import { goodsFreezeRules } from '#modules/trace/goods-freeze.server.ts'
import { recallDeliveryRules, recallFeedbackRules } from '#modules/quality/recall-feedback.server.ts'
import { recallRules } from '#modules/quality/recall.server.ts'
import { stopSaleRules } from '#modules/quality/stop-sale.server.ts'
import { implantFormOverviewRules } from '#modules/ward/implants/implant-form-overview.server.ts'
import { departmentQuotaRules } from '#modules/ward/quota/department-quota.server.ts'
import { departmentInventoryRules } from '#modules/ward/stock/department-inventory.server.ts'
import { leaseCheck, leaseDocuments, leaseRecords } from '#modules/lease/hooks.server.ts'
import { wardDocuments } from '#modules/ward/hooks.server.ts'
import { printTemplateRules } from '#modules/prints/print-template.server.ts'
import { packHooks } from '#modules/packs/pack.server.ts'
import { kitCheck, madeKitLineRules, madeKitRules } from '#modules/packs/kits/made-kit.server.ts'
import { operationKitLineRules, operationKitRules } from '#modules/packs/kits/operation-kit.server.ts'
import { kitGoodsCheck, planReceived, surgeryDocuments, surgeryRecords } from '#modules/surgery/hooks.server.ts'
import { boneFlowRules } from '#modules/surgery/navigation/bone-flow.server.ts'
import { madePackRules } from '#modules/packs/made-pack.server.ts'
import { wholePackCheck } from '#modules/packs/whole-packs.server.ts'
import { packTemplateLineRules, packTemplateRules } from '#modules/packs/pack-template.server.ts'
import { unpackHooks } from '#modules/packs/unpack.server.ts'
import { bottleEffects, openedBottleCheck } from '#modules/reagents/documents-of-bottles.server.ts'
import { reagentRecords } from '#modules/reagents/reagent.server.ts'
import { countPlanRules } from '#modules/counts/count-plan.server.ts'
import { warehouseProductRules } from '#modules/warnings/warehouse-product.server.ts'
import { insuranceCodeRules } from '#modules/insurance/insurance-code.server.ts'
import { warningSettingRules } from '#modules/warnings/warning-setting.server.ts'
import { warningRules } from '#modules/warnings/warning.server.ts'
import { jobs } from '#modules/all-jobs.server.ts'

/**
 * The rules of record definitions that need the database. One line for each `.server.ts`, beside the definition it
 * belongs to.
 */
const records: Hooks['records'] = [
  accountBalanceRules,
  ...purchasingRecords,
  ...hospitalPolicyRecords,
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
  goodsFreezeRules,
  recallFeedbackRules,
  recallDeliveryRules,
  sentMessageRules,
  dataRestoreRules,
  businessConfigRules,
  interfaceErrorRules,
  interfaceAttemptRules,
  errorRecordRules,
  backgroundJobRules,
  warehouseRules,
  ...catalogue.rules,
  ...licenceRecords,
  ...salesRecords,
  stockBalanceRules,
  stockLocatorRules,
  warehouseProductRules,
  countPlanRules,
  packTemplateRules,
  departmentInventoryRules,
  departmentQuotaRules,
  implantFormOverviewRules,
  packTemplateLineRules,
  madePackRules,
  operationKitRules,
  operationKitLineRules,
  madeKitRules,
  madeKitLineRules,
  ...surgeryRecords,
  ...reagentRecords,
  ...shelfRecords,
  settlementLineRules,
  ...commonProductRecords,
  warningRules,
  warningSettingRules,
  insuranceCodeRules,
  printTemplateRules,
  reportSchemeRules,
  patientFollowUpRules,
  supplierServiceScoreRules,
  exportTaskRules,
  purchaseRecordRules,
  salesRecordRules,
  unitLabelRules,
  accountingPeriodRules,
  voucherAccountRules,
  bankWordRules,
  columnMappingRules,
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
  ...chargeRecords,
  ...hisRecords,
  ...leaseRecords,
  ...invoicingRecords,
]

/** The rules of documents that need the database, beyond their pure guards. */
const documents: Hooks['documents'] = [
  ...purchasingRules,
  ...salesRules,
  ...licenceLicences,
  purchaseGrnRules,
  purchaseReturnRules,
  ...complianceRules,
  catalogue.admissionRules,
  supplierApplicationRules,
  saleReturnRules,
  openingStockRules,
  ...lossDocumentRules,
  ...transferDocumentRules,
  ...transportRules,
  ...leaseDocuments,
  stockTakeRules,
  stopSaleRules,
  recallRules,
  storageCheckRules,
  weighingRules,
  packHooks,
  unpackHooks,
  stockCorrectionRules,
  otherGrnRules,
  otherOdoRules,
  giveOdoRules,
  ...wardDocuments,
  ...surgeryDocuments,
  settlementRules,
  ...serviceChargeRules,
  accountStatementRules,
  settlementGrnRules,
  inboundInvoiceRules,
  outboundInvoiceRules,
  chargeInvoiceRules,
  openingReceivableRules,
  openingPayableRules,
  ...advanceRules,
  paymentApplicationRules,
  receiptRules,
  paymentRules,
  paymentBatchRules,
]

/** Everything that modules add to the engine beyond their definitions: what a program registers where it starts. */
export const hooks: Hooks = {
  documents,
  records,
  reports: [
    restockAbnormalRules,
    usagePlanningRules,
    settlementSummaryRules,
    lotDatesRules,
    purchaseOrderWarningRules,
    centralInventoryRules,
  ],
  actionChecks: [
    recallCheck,
    expiryCheck,
    unfitCheck,
    arrivingCodesCheck,
    lotsAlikeCheck,
    wholePiecesCheck,
    firstExpiryFirst,
    openedBottleCheck,
    wholePackCheck,
    kitCheck,
    ...complianceChecks,
    receiverRefusals,
    unmatchedUseCheck,
    chargedReturnCheck,
    leaseCheck,
  ],
  finalChecks: [{ check: refuseUnknownPlaces }, kitGoodsCheck],
  effects: [
    { onEffective: writeTradeRegister, onVoided: voidTradeRegister },
    bottleEffects,
    useCharges,
    receiptPushes,
    transportEffects,
  ],
  itemData: specificationFacts,
  itemStoresSql: assortmentStoresSql,
  listColumns,
  detailColumns: settlementDetail,
  detailFields: [reliedLicences, signaturesOf, transportDetail],
  reportRecipients: usageRecipients,
  matchReceived: draftMatchingDocument,
  quotas: { storage: refuseFullStore, outboundCalls: beyondCalls },
  printFields,
  contractLayout: contractOf,
  settings: { items: configItems, policies: hospitalPolicies, defaults: settingDefaults },
  menuGroups,
  startupSeeds: [seedSettings, catalogue.seedDeviceClasses, seedHospitalPolicies],
  processCharts: [purchaseFlowRules, salesFlowRules, boneFlowRules],
  figurePlaces: [homeFigures, balanceFigures],
  jobs,
  routes,
  grantedFiles: grantedScans,
  deviceHandler: cabinetDeviceHandler,
  hisSenders: [...chargeSenders, ...receiptSenders],
  hisReceived: [storeReceived, storeReceivedCharges, planReceived, storeIncomes],
  hisFields: hisFieldsOf,
  assistantTools: [
    lackingTool,
    lotInOperationsTool,
    documentTool,
    lotTool,
    expiryTool,
    limitTool,
    shortTool,
    balanceTool,
    dutyTool,
    countTool,
    stockTool,
  ],
}
