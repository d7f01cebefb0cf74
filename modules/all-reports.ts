import { hisVerification } from '#modules/charges/verification/his-verification.report.ts'
import { hisSpdFee } from '#modules/charges/fees/his-spd-fee.report.ts'
import type { AnyReport } from '#kernel/definition/report.ts'
import { hisGrnSummary } from '#modules/his/receipts/grn-summary.report.ts'
import { grnInvoices, grnInvoiceSearch } from '#modules/invoicing/grn-invoice-search.report.ts'
import { odoInvoices, odoInvoiceSearch } from '#modules/invoicing/odo-invoice-search.report.ts'
import { lowValueConsumption } from '#modules/reports/low-value-consumption.report.ts'
import { inboundFinance, inboundFinanceSummary } from '#modules/reports/inbound-finance.report.ts'
import { inventorySummaryReport } from '#modules/reports/inventory-summary.report.ts'
import { inboundVoucher, outboundVoucher } from '#modules/reports/vouchers.report.ts'
import { outboundFinance } from '#modules/reports/outbound-finance.report.ts'
import { psiDetail } from '#modules/reports/psi-detail.report.ts'
import { salesSummary } from '#modules/reports/sales-summary.report.ts'
import { stockByPlace, stockByProduct } from '#modules/reports/stock-by-product.report.ts'
import { advanceBalance } from '#modules/sales/advance-balance.report.ts'
import { lossStats } from '#modules/reports/loss-stats.report.ts'
import { overflowLoss } from '#modules/reports/overflow-loss.report.ts'
import { stockAsOf } from '#modules/reports/stock-as-of.report.ts'
import { stockFinance } from '#modules/reports/stock-finance.report.ts'
import { usedLines } from '#modules/reports/used-lines.report.ts'
import { wardUsedLines } from '#modules/reports/ward-used-lines.report.ts'
import { stockFlow } from '#modules/reports/stock-flow.report.ts'
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
import { insuranceGaps } from '#modules/reports/insurance-gaps.report.ts'

/** Every report, in the order in which the tabs of a page show them. */
export const reports: readonly AnyReport[] = [
  inventorySummaryReport,
  stockAsOf,
  stockByProduct,
  stockByPlace,
  lossStats,
  overflowLoss,
  insuranceGaps,
  licenceCalendar,
  licenceValidityFigures,
  licenceApplicationCensus,
  licenceApplicationAnswers,
  licenceEmpowerCensus,
  licenceEmpowerHeld,
  warningSummary,
  warningTrend,
  warningDuty,
  productReleaseStatus,
  psiDetail,
  stockFlow,
  usedLines,
  wardUsedLines,
  salesSummary,
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
  lowValueConsumption,
  hisSpdFee,
  hisVerification,
  hisGrnSummary,
]
