import { lotDates } from '#modules/corrections/lot-dates.report.ts'
import { hisVerification } from '#modules/charges/verification/his-verification.report.ts'
import { hisSpdFee } from '#modules/charges/fees/his-spd-fee.report.ts'
import type { AnyReport } from '#kernel/definition/report.ts'
import { hisGrnSummary } from '#modules/his/receipts/grn-summary.report.ts'
import { grnInvoices, grnInvoiceSearch } from '#modules/invoicing/grn-invoice-search.report.ts'
import { odoInvoices, odoInvoiceSearch } from '#modules/invoicing/odo-invoice-search.report.ts'
import { creditInvoiceMonth } from '#modules/reports/accounts/credit-invoice-month.report.ts'
import { creditInvoiceSummary } from '#modules/reports/accounts/credit-invoice-summary.report.ts'
import { receivablePayableDetail } from '#modules/reports/accounts/receivable-payable-detail.report.ts'
import { receivablePayableSummary } from '#modules/reports/accounts/receivable-payable-summary.report.ts'
import { lowValueConsumption } from '#modules/reports/low-value-consumption.report.ts'
import { inboundFinance, inboundFinanceSummary } from '#modules/reports/inbound-finance.report.ts'
import { inventorySummaryReport } from '#modules/reports/inventory-summary.report.ts'
import { inboundVoucher, outboundVoucher } from '#modules/reports/vouchers.report.ts'
import { outboundFinance } from '#modules/reports/outbound-finance.report.ts'
import { psiDetail } from '#modules/reports/psi-detail.report.ts'
import { salesSummary } from '#modules/reports/sales-summary.report.ts'
import { stockByPlace, stockByProduct } from '#modules/reports/stock-by-product.report.ts'
import { supplierSettlementSummary } from '#modules/reports/accounts/supplier-settlement-summary.report.ts'
import { monthEnd, monthVoucher } from '#modules/reports/month-end/month-end.report.ts'
import { bankTransfer } from '#modules/payments/bank/bank-transfer.report.ts'
import { comparedDocuments, comparedPurchases, comparedSales } from '#modules/reports/trade/compared-trade.report.ts'
import { settlementStatistics } from '#modules/settlement/settlement-statistics.report.ts'
import { kitUse } from '#modules/surgery/kits/kit-use.report.ts'
import { advanceBalance } from '#modules/sales/advance-balance.report.ts'
import { lossStats } from '#modules/reports/loss-stats.report.ts'
import { overflowLoss } from '#modules/reports/overflow-loss.report.ts'
import { stockAsOf } from '#modules/reports/stock-as-of.report.ts'
import { stockFinance } from '#modules/reports/stock-finance.report.ts'
import { usedLines } from '#modules/reports/used-lines.report.ts'
import { centralizedTrend, centralizedUsed } from '#modules/reports/collective/centralized-used.report.ts'
import { wardUsedLines } from '#modules/reports/ward-used-lines.report.ts'
import { stockFlow } from '#modules/reports/stock-flow.report.ts'
import { departmentPlaces } from '#modules/walls/departments/departments.report.ts'
import { certificates, certifiedLots } from '#modules/walls/goods/goods.report.ts'
import { handledWarnings } from '#modules/walls/warnings/warnings.report.ts'
import { warningDuty, warningSummary, warningTrend } from '#modules/warnings/warning-figures.report.ts'
import { productReleaseStatus } from '#modules/catalogue/release/product-release-status.report.ts'
import {
  licenceApplicationAnswers,
  licenceApplicationCensus,
  licenceEmpowerCensus,
  licenceEmpowerHeld,
} from '#modules/licences/sharing/grant-statistics.report.ts'
import { licenceValidityFigures } from '#modules/licences/expiry/licence-expiry.report.ts'
import { licenceCalendar } from '#modules/licences/expiry/expiry-calendar.report.ts'
import { overdueLines } from '#modules/reports/orders/overdue-lines.report.ts'
import { purchaseOrderWarning } from '#modules/reports/orders/purchase-order-warning.report.ts'
import { contractReceipts, contracts } from '#modules/purchasing/contracts/contracts.report.ts'
import { insuranceGaps } from '#modules/reports/insurance-gaps.report.ts'

import { centerOutboundDetails, departmentSales, issuedLines } from '#modules/reports/moves/issued-lines.report.ts'
import { centerOutboundSummary, issuedStat } from '#modules/reports/moves/issued-statistics.report.ts'
import { receivedLines, receivedStat } from '#modules/reports/moves/received-lines.report.ts'
import { expiryOrder } from '#modules/reports/moves/expiry-order.report.ts'
import { scannedLines } from '#modules/reports/moves/scanned-lines.report.ts'
import { consignedOutside, inventoryDetail } from '#modules/reports/stock/inventory-detail.report.ts'
import { centralInventory } from '#modules/reports/stock/central-inventory.report.ts'
import { hygienicMaterials } from '#modules/reports/stock/hygienic-materials.report.ts'
import { warehouseConsumption } from '#modules/reports/stock/warehouse-consumption.report.ts'
import { departmentFigures, departStatistical } from '#modules/reports/departments/department-figures.report.ts'
import { goodsFlow, goodsFlowSummary } from '#modules/reports/trade/goods-flow.report.ts'
import { customerUse, purchaseUse } from '#modules/reports/trade/purchase-use.report.ts'
import { departmentUseSales } from '#modules/reports/use/department-use-sales.report.ts'
import { highValueFinance, highValueLines } from '#modules/reports/use/high-value-finance.report.ts'
import { highValueCases, highValuePatients } from '#modules/reports/use/high-value-patients.report.ts'
import { hospitalIncomeSummary } from '#modules/reports/use/hospital-income.report.ts'
import { usagePlanning } from '#modules/reports/use/usage-planning.report.ts'
import { usageDetails } from '#modules/reports/use/use-details.report.ts'
import { usageSummary } from '#modules/reports/use/use-summary.report.ts'
import { useStat } from '#modules/reports/use/use-stat.report.ts'
import { useAmountSummary } from '#modules/reports/use/use-amount-summary.report.ts'
import { settlementDetails } from '#modules/reports/settlements/settlement-details.report.ts'
import { settlementSummary } from '#modules/reports/settlements/settlement-summary.report.ts'
import { settlementStat } from '#modules/reports/settlements/settlement-stat.report.ts'
import { hospitalSales } from '#modules/reports/trade/hospital-sales.report.ts'
import { hospitalSalesSummary } from '#modules/reports/trade/hospital-sales-summary.report.ts'
import { restockAbnormal, restockAbnormalStat } from '#modules/reports/restock/restock-abnormal.report.ts'
import { deptSpdStatistic, spdFigures } from '#modules/reports/restock/spd-statistic.report.ts'
import { supplierFigures, supplierStatistic } from '#modules/reports/suppliers/supplier-statistic.report.ts'
import { supplierSales } from '#modules/reports/trade/supplier-sales.report.ts'
import { supplierSalesSummary } from '#modules/reports/trade/supplier-sales-summary.report.ts'

/** Every report, in the order in which the tabs of a page show them. */
export const reports: readonly AnyReport[] = [
  inventorySummaryReport,
  stockAsOf,
  stockByProduct,
  stockByPlace,
  lossStats,
  overflowLoss,
  insuranceGaps,
  contracts,
  contractReceipts,
  licenceCalendar,
  licenceValidityFigures,
  licenceApplicationCensus,
  licenceApplicationAnswers,
  licenceEmpowerCensus,
  licenceEmpowerHeld,
  warningSummary,
  warningTrend,
  handledWarnings,
  certificates,
  certifiedLots,
  departmentPlaces,
  warningDuty,
  productReleaseStatus,
  psiDetail,
  stockFlow,
  usedLines,
  usageDetails,
  usageSummary,
  useStat,
  useAmountSummary,
  inventoryDetail,
  consignedOutside,
  centralInventory,
  purchaseUse,
  customerUse,
  departStatistical,
  departmentFigures,
  warehouseConsumption,
  hygienicMaterials,
  receivedStat,
  receivedLines,
  scannedLines,
  expiryOrder,
  issuedStat,
  issuedLines,
  centerOutboundSummary,
  centerOutboundDetails,
  departmentSales,
  usagePlanning,
  departmentUseSales,
  hospitalIncomeSummary,
  highValueFinance,
  highValueLines,
  highValuePatients,
  highValueCases,
  settlementDetails,
  settlementSummary,
  settlementStat,
  hospitalSales,
  hospitalSalesSummary,
  goodsFlow,
  goodsFlowSummary,
  supplierSales,
  supplierSalesSummary,
  wardUsedLines,
  salesSummary,
  receivablePayableSummary,
  receivablePayableDetail,
  creditInvoiceMonth,
  creditInvoiceSummary,
  comparedPurchases,
  comparedSales,
  comparedDocuments,
  settlementStatistics,
  monthEnd,
  bankTransfer,
  monthVoucher,
  supplierSettlementSummary,
  inboundFinance,
  inboundFinanceSummary,
  outboundFinance,
  inboundVoucher,
  outboundVoucher,
  stockFinance,
  grnInvoices,
  grnInvoiceSearch,
  odoInvoices,
  odoInvoiceSearch,
  advanceBalance,
  kitUse,
  lowValueConsumption,
  hisSpdFee,
  hisVerification,
  hisGrnSummary,
  centralizedUsed,
  centralizedTrend,
  overdueLines,
  purchaseOrderWarning,
  lotDates,
  restockAbnormal,
  restockAbnormalStat,
  deptSpdStatistic,
  spdFigures,
  supplierStatistic,
  supplierFigures,
]
