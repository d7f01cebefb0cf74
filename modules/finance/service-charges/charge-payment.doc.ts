import { chargeMoneyOf, supplierSide } from '#modules/finance/service-charges/charge-money.ts'

/** 服务费付款单: a service fee paid to a hospital, which finds a receipt to check. */
export const chargePayment = chargeMoneyOf(supplierSide, {
  kind: 'chargePayment',
  prefix: 'FWFK',
  verb: '付款',
  creates: 'chargeReceipt',
})
