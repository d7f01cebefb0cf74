import type { Module } from '#kernel/module.ts'
import { chargeDeduction } from '#modules/finance/service-charges/charge-deduction.doc.ts'
import { chargePayment } from '#modules/finance/service-charges/charge-payment.doc.ts'
import { chargeReceipt } from '#modules/finance/service-charges/charge-receipt.doc.ts'
import { chargeSetOff } from '#modules/finance/service-charges/charge-set-off.doc.ts'
import { serviceCharge } from '#modules/finance/service-charges/service-charge.doc.ts'

export const serviceChargesModule: Module = {
  documents: [serviceCharge, chargeReceipt, chargePayment, chargeDeduction, chargeSetOff],
}
