import { chargeMoneyOf, hospitalSide } from '#modules/service-charges/charge-money.ts'

/** 服务费收款单: a service fee that a supplier paid, at the hospital. */
export const chargeReceipt = chargeMoneyOf(hospitalSide, { kind: 'chargeReceipt', prefix: 'FWSK', verb: '收款' })
