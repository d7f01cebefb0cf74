import { chargeMoneyOf, collectorSide } from '#modules/finance/service-charges/charge-money.ts'

/** 服务费收款单: a service fee that a supplier paid, at its collector. */
export const chargeReceipt = chargeMoneyOf(collectorSide, { kind: 'chargeReceipt', prefix: 'FWSK', verb: '收款' })
