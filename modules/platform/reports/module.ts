import type { Module } from '#kernel/module.ts'
import { creditInvoiceMonth } from '#modules/platform/reports/accounts/credit-invoice-month.report.ts'
import { creditInvoiceSummary } from '#modules/platform/reports/accounts/credit-invoice-summary.report.ts'
import { receivablePayableDetail } from '#modules/platform/reports/accounts/receivable-payable-detail.report.ts'
import { receivablePayableSummary } from '#modules/platform/reports/accounts/receivable-payable-summary.report.ts'
import { supplierSettlementSummary } from '#modules/platform/reports/accounts/supplier-settlement-summary.report.ts'
import { exportTask } from '#modules/platform/reports/centre/export-task.entity.ts'
import { reportCentreScreen } from '#modules/platform/reports/centre/report-centre.screen.ts'
import { reportScheme } from '#modules/platform/reports/centre/report-scheme.entity.ts'
import { centralizedTrend, centralizedUsed } from '#modules/platform/reports/collective/centralized-used.report.ts'
import {
  departStatistical,
  departmentFigures,
} from '#modules/platform/reports/departments/department-figures.report.ts'
import { inboundFinance, inboundFinanceSummary } from '#modules/platform/reports/inbound-finance.report.ts'
import { insuranceGaps } from '#modules/platform/reports/insurance-gaps.report.ts'
import { inventorySummaryReport } from '#modules/platform/reports/inventory-summary-report.report.ts'
import { lossStats } from '#modules/platform/reports/loss-stats.report.ts'
import { lowValueConsumption } from '#modules/platform/reports/low-value-consumption.report.ts'
import { monthEnd, monthVoucher } from '#modules/platform/reports/month-end/month-end.report.ts'
import { expiryOrder } from '#modules/platform/reports/moves/expiry-order.report.ts'
import {
  centerOutboundDetails,
  departmentSales,
  issuedLines,
} from '#modules/platform/reports/moves/issued-lines.report.ts'
import { centerOutboundSummary, issuedStat } from '#modules/platform/reports/moves/issued-statistics.report.ts'
import { receivedLines, receivedStat } from '#modules/platform/reports/moves/received-lines.report.ts'
import { scannedLines } from '#modules/platform/reports/moves/scanned-lines.report.ts'
import { overdueLines } from '#modules/platform/reports/orders/overdue-order-lines.report.ts'
import { orderTracking } from '#modules/platform/reports/orders/order-tracking.report.ts'
import { purchaseOrderWarning } from '#modules/platform/reports/orders/purchase-order-warning.report.ts'
import { outboundFinance } from '#modules/platform/reports/outbound-finance.report.ts'
import { overflowLoss } from '#modules/platform/reports/overflow-loss.report.ts'
import { patientFollowUp } from '#modules/platform/reports/patients/patient-follow-up.entity.ts'
import { psiDetail } from '#modules/platform/reports/psi-detail.report.ts'
import { restockAbnormal, restockAbnormalStat } from '#modules/platform/reports/restock/restock-abnormal.report.ts'
import { deptSpdStatistic, spdFigures } from '#modules/platform/reports/restock/spd-statistic.report.ts'
import { salesSummary } from '#modules/platform/reports/sales-summary.report.ts'
import { settlementDetails } from '#modules/platform/reports/settlements/settlement-details.report.ts'
import { settlementStat } from '#modules/platform/reports/settlements/settlement-stat.report.ts'
import { settlementSummary } from '#modules/platform/reports/settlements/settlement-summary.report.ts'
import { stockAsOf } from '#modules/platform/reports/stock-as-of.report.ts'
import { stockByPlace, stockByProduct } from '#modules/platform/reports/stock-by-product.report.ts'
import { stockFinance } from '#modules/platform/reports/stock-finance.report.ts'
import { stockFlow } from '#modules/platform/reports/stock-flow.report.ts'
import { centralInventory } from '#modules/platform/reports/stock/central-inventory.report.ts'
import { hygienicMaterials } from '#modules/platform/reports/stock/hygienic-materials.report.ts'
import { consignedOutside, inventoryDetail } from '#modules/platform/reports/stock/inventory-detail.report.ts'
import { warehouseConsumption } from '#modules/platform/reports/stock/warehouse-consumption.report.ts'
import { supplierServiceScore } from '#modules/platform/reports/suppliers/supplier-service-score.entity.ts'
import { supplierFigures, supplierStatistic } from '#modules/platform/reports/suppliers/supplier-statistic.report.ts'
import {
  comparedDocuments,
  comparedPurchases,
  comparedSales,
} from '#modules/platform/reports/trade/compared-trade.report.ts'
import { goodsFlow, goodsFlowSummary } from '#modules/platform/reports/trade/goods-flow.report.ts'
import { hospitalSalesSummary } from '#modules/platform/reports/trade/hospital-sales-summary.report.ts'
import { hospitalSales } from '#modules/platform/reports/trade/hospital-sales.report.ts'
import { customerUse, purchaseUse } from '#modules/platform/reports/trade/purchase-use.report.ts'
import { supplierSalesSummary } from '#modules/platform/reports/trade/supplier-sales-summary.report.ts'
import { supplierSales } from '#modules/platform/reports/trade/supplier-sales.report.ts'
import { departmentUseSales } from '#modules/platform/reports/use/department-use-sales.report.ts'
import { highValueFinance, highValueLines } from '#modules/platform/reports/use/high-value-finance.report.ts'
import { highValueCases, highValuePatients } from '#modules/platform/reports/use/high-value-patients.report.ts'
import { hospitalIncomeSummary } from '#modules/platform/reports/use/hospital-income-summary.report.ts'
import { usagePlanning } from '#modules/platform/reports/use/usage-planning.report.ts'
import { useAmountSummary } from '#modules/platform/reports/use/use-amount-summary.report.ts'
import { usageDetails } from '#modules/platform/reports/use/usage-details.report.ts'
import { useStat } from '#modules/platform/reports/use/use-stat.report.ts'
import { usageSummary } from '#modules/platform/reports/use/usage-summary.report.ts'
import { usedLines } from '#modules/platform/reports/used-lines.report.ts'
import { inboundVoucher, outboundVoucher } from '#modules/platform/reports/vouchers.report.ts'
import { wardUsedLines } from '#modules/platform/reports/ward-used-lines.report.ts'

export const reportsModule: Module = {
  entities: [reportScheme, patientFollowUp, supplierServiceScore, exportTask],
  reports: [
    inventorySummaryReport,
    stockAsOf,
    stockByProduct,
    stockByPlace,
    lossStats,
    overflowLoss,
    insuranceGaps,
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
    monthEnd,
    monthVoucher,
    supplierSettlementSummary,
    inboundFinance,
    inboundFinanceSummary,
    outboundFinance,
    inboundVoucher,
    outboundVoucher,
    stockFinance,
    lowValueConsumption,
    centralizedUsed,
    centralizedTrend,
    overdueLines,
    orderTracking,
    purchaseOrderWarning,
    restockAbnormal,
    restockAbnormalStat,
    deptSpdStatistic,
    spdFigures,
    supplierStatistic,
    supplierFigures,
  ],
  tools: [reportCentreScreen],
}
