import type { AnyDocument } from '#kernel/definition/document.ts'
import { admission } from '#modules/catalogue/admission/admission.doc.ts'
import { firstSellProduct } from '#modules/compliance/first-sell-product.doc.ts'
import { firstTierOrg } from '#modules/compliance/first-tier-org.doc.ts'
import { chargeInvoice } from '#modules/invoicing/fees/charge-invoice.doc.ts'
import { inboundInvoice } from '#modules/invoicing/inbound-invoice.doc.ts'
import { outboundInvoice } from '#modules/invoicing/outbound-invoice.doc.ts'
import { giveOdo } from '#modules/issues/give-odo.doc.ts'
import { otherOdo } from '#modules/issues/other-odo.doc.ts'
import { loss } from '#modules/losses/loss.doc.ts'
import { overflow } from '#modules/losses/overflow.doc.ts'
import { scrap } from '#modules/losses/scrap.doc.ts'
import { supplierApplication } from '#modules/partners/supplier-requests/supplier-request.doc.ts'
import { prepayment } from '#modules/payments/advances/prepayment.doc.ts'
import { prepaymentOffset } from '#modules/payments/advances/prepayment-offset.doc.ts'
import { prepaymentRefund } from '#modules/payments/advances/prepayment-refund.doc.ts'
import { prepaymentTransfer } from '#modules/payments/advances/prepayment-transfer.doc.ts'
import { prereceiptTransfer } from '#modules/payments/advances/prereceipt-transfer.doc.ts'
import { prereceipt } from '#modules/payments/advances/prereceipt.doc.ts'
import { prereceiptOffset } from '#modules/payments/advances/prereceipt-offset.doc.ts'
import { prereceiptRefund } from '#modules/payments/advances/prereceipt-refund.doc.ts'
import { openingPayable } from '#modules/payments/openings/opening-payable.doc.ts'
import { openingReceivable } from '#modules/payments/openings/opening-receivable.doc.ts'
import { paymentBatch } from '#modules/payments/bank/payment-batch.doc.ts'
import { paymentApplication } from '#modules/payments/payment-application.doc.ts'
import { payment } from '#modules/payments/payment.doc.ts'
import { receipt } from '#modules/payments/receipt.doc.ts'
import { arrivalOrder } from '#modules/purchasing/receiving/goods-arrival.doc.ts'
import { inspectionOrder } from '#modules/purchasing/receiving/quality-inspection.doc.ts'
import { enquiry } from '#modules/purchasing/rfq/request-for-quotation.doc.ts'
import { priceAdjustment } from '#modules/purchasing/prices/price-adjustment.doc.ts'
import { priceRegistration } from '#modules/purchasing/prices/price-agreement.doc.ts'
import { quotation } from '#modules/purchasing/rfq/quotation.doc.ts'
import { purchasePlan } from '#modules/purchasing/planning/purchase-plan.doc.ts'
import { purchaseOrder } from '#modules/purchasing/orders/purchase-order.doc.ts'
import { purchaseReturn } from '#modules/returns/purchase-return.doc.ts'
import { saleReturn } from '#modules/returns/sale-return.doc.ts'
import { advanceReturn } from '#modules/sales/advance-return.doc.ts'
import { advanceSale } from '#modules/sales/advance-sale.doc.ts'
import { saleOdo } from '#modules/sales/sale-odo.doc.ts'
import { salesOrder } from '#modules/sales/sales-order.doc.ts'
import { boneBack } from '#modules/surgery/loans/bone-back.doc.ts'
import { bonePreAcceptance } from '#modules/surgery/loans/bone-pre-acceptance.doc.ts'
import { bonePresale } from '#modules/surgery/loans/bone-presale.doc.ts'
import { boneSale } from '#modules/surgery/loans/bone-sale.doc.ts'
import { bonePlan } from '#modules/surgery/plans/bone-plan.doc.ts'
import { surgeryPlan } from '#modules/surgery/plans/surgery-plan.doc.ts'
import { accountStatement } from '#modules/statements/account-statement.doc.ts'
import { chargeDeduction } from '#modules/service-charges/charge-deduction.doc.ts'
import { chargePayment } from '#modules/service-charges/charge-payment.doc.ts'
import { chargeReceipt } from '#modules/service-charges/charge-receipt.doc.ts'
import { chargeSetOff } from '#modules/service-charges/charge-set-off.doc.ts'
import { serviceCharge } from '#modules/service-charges/service-charge.doc.ts'
import { settlementGrn } from '#modules/settlement/settlement-grn.doc.ts'
import { settlement } from '#modules/settlement/settlement.doc.ts'
import { openingStock } from '#modules/stock/other/opening-stock.doc.ts'
import { otherGrn } from '#modules/stock/other/other-receipt.doc.ts'
import { licenceApplication } from '#modules/licences/sharing/licence-request.doc.ts'
import { licenceEmpower } from '#modules/licences/sharing/licence-grant.doc.ts'
import { purchaseGrn } from '#modules/stock/receipts/purchase-receipt.doc.ts'
import { transferArrival } from '#modules/transfers/transfer-arrival.doc.ts'
import { transferReceipt } from '#modules/transfers/transfer-receipt.doc.ts'
import { transferReturn } from '#modules/transfers/transfer-return.doc.ts'
import { transfer } from '#modules/transfers/transfer.doc.ts'
import { pack } from '#modules/packs/pack.doc.ts'
import { unpack } from '#modules/packs/unpack.doc.ts'
import { kitLoading } from '#modules/surgery/kits/kit-loading.doc.ts'
import { stockTake } from '#modules/counts/stock-take.doc.ts'
import { storageCheck } from '#modules/quality/storage-check.doc.ts'
import { weighing } from '#modules/cabinet/weighing/weighing.doc.ts'
import { stockCorrection } from '#modules/corrections/stock-correction.doc.ts'
import { recall } from '#modules/quality/recall.doc.ts'
import { stopSale } from '#modules/quality/stop-sale.doc.ts'
import { logistics } from '#modules/transport/logistics/logistics.doc.ts'
import { leaseNoticeIn } from '#modules/lease/notices/lease-notice-in.doc.ts'
import { leaseNoticeOut } from '#modules/lease/notices/lease-notice-out.doc.ts'
import { departmentUse } from '#modules/ward/usage/department-use.doc.ts'
import { dispatch } from '#modules/ward/issuing/picking-list.doc.ts'
import { grantOdo } from '#modules/ward/issuing/department-issue.doc.ts'
import { grantReturn } from '#modules/ward/receiving/department-return.doc.ts'
import { patientImplantForm } from '#modules/ward/implants/implant-form.doc.ts'
import { requisition } from '#modules/ward/requisition/requisition.doc.ts'
import { surgeryUse } from '#modules/ward/usage/surgery-use.doc.ts'
import { wardReceipt } from '#modules/ward/receiving/ward-receipt.doc.ts'

/** Every kind of document, in the order of the supply chain. */
export const documents: readonly AnyDocument[] = [
  purchasePlan,
  enquiry,
  quotation,
  priceRegistration,
  priceAdjustment,
  licenceApplication,
  licenceEmpower,
  purchaseOrder,
  salesOrder,
  advanceSale,
  advanceReturn,
  saleOdo,
  logistics,
  leaseNoticeIn,
  leaseNoticeOut,
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
  transferArrival,
  transferReturn,
  stockTake,
  pack,
  unpack,
  kitLoading,
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
  surgeryPlan,
  bonePlan,
  bonePreAcceptance,
  bonePresale,
  surgeryUse,
  patientImplantForm,
  boneSale,
  boneBack,
  settlement,
  settlementGrn,
  inboundInvoice,
  outboundInvoice,
  openingReceivable,
  openingPayable,
  prepayment,
  prepaymentOffset,
  prepaymentRefund,
  prepaymentTransfer,
  prereceiptTransfer,
  prereceipt,
  prereceiptOffset,
  prereceiptRefund,
  paymentApplication,
  payment,
  receipt,
  firstTierOrg,
  firstSellProduct,
  admission,
  supplierApplication,
  accountStatement,
  paymentBatch,
  serviceCharge,
  chargeInvoice,
  chargeReceipt,
  chargePayment,
  chargeDeduction,
  chargeSetOff,
]
