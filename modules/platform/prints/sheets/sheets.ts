import { admissionSheet, supplierApplicationSheet } from '#modules/platform/prints/sheets/application-sheets.ts'
import { definePrint, type PrintSheet } from '#kernel/print/print-definition.ts'
import { contractPrint } from '#modules/platform/prints/sheets/contract-sheet.ts'
import { serviceChargeSummarySheet } from '#modules/platform/prints/sheets/charge-summary.ts'
import { cabinetInfo } from '#modules/platform/prints/sheets/cabinet-sheet.ts'
import {
  eInvoiceSheet,
  invoiceCheckSheet,
  paymentApplicationSheet,
  serviceChargeSheet,
  settlementSummarySheet,
} from '#modules/platform/prints/sheets/money-sheets.ts'
import { noticePrint, recallPrint } from '#modules/platform/prints/sheets/notice-sheets.ts'
import { column, sheet } from '#modules/platform/prints/sheets/print-columns.ts'
import { purchaseOrder, saleOrder } from '#modules/platform/prints/sheets/order-sheets.ts'
import {
  firstSellProductSheet,
  firstTierOrgSheet,
  stopSaleSheet,
} from '#modules/platform/prints/sheets/quality-sheets.ts'
import { inboundOrder, outboundOrder } from '#modules/platform/prints/sheets/stock-sheets.ts'
import {
  implantKitSheet,
  patientInforForm,
  surgicalReport,
  surgicalUsage,
  toolsKitSheet,
} from '#modules/platform/prints/sheets/surgery-sheets.ts'
import { grantReturn, leaseContractSheet, stockTake, weighing } from '#modules/platform/prints/sheets/store-sheets.ts'
import { inquiryManagement, priceAdjustmentSheet, purchasePlan } from '#modules/platform/prints/sheets/trade-sheets.ts'

const settlementGrn = definePrint({
  route: '/newprint/settlementGrnPrint',
  title: '结算入库单',
  kinds: { settlementGrn: null },
  papers: sheet,
  header: [
    ['单号', 'sn'],
    ['入库日期', 'business_date'],
    ['供应商', 'counterparty_name'],
    ['结算期间起', 'begin_date'],
    ['结算期间止', 'end_date'],
    ['来源单号', 'source_sn'],
    ['备注', 'remark'],
  ],
  columns: [
    column.product_name,
    column.specification_name,
    column.manufacturer_name,
    column.lot_no,
    column.unit_name,
    column.quantity,
    { ...column.price, label: '结算单价' },
    column.tax_rate,
    column.amount,
    column.remark,
    { ...column.registration_no, onRequest: true },
    { ...column.expiry_date, onRequest: true },
    column.insurance_code,
  ],
  signatures: ['制单人', '库管员', '审核人', '财务'],
  carrier: 'code128',
  merges: true,
})

/** Every printed sheet. */
export const sheets: readonly PrintSheet[] = [
  inboundOrder,
  outboundOrder,
  purchasePlan,
  inquiryManagement,
  priceAdjustmentSheet,
  admissionSheet,
  supplierApplicationSheet,
  firstTierOrgSheet,
  firstSellProductSheet,
  stopSaleSheet,
  purchaseOrder,
  saleOrder,
  contractPrint,
  grantReturn,
  stockTake,
  weighing,
  settlementGrn,
  settlementSummarySheet,
  paymentApplicationSheet,
  serviceChargeSheet,
  serviceChargeSummarySheet,
  invoiceCheckSheet,
  cabinetInfo,
  toolsKitSheet,
  implantKitSheet,
  leaseContractSheet,
  eInvoiceSheet,
  patientInforForm,
  surgicalUsage,
  surgicalReport,
  noticePrint,
  recallPrint,
]
