import { chargeOffsetOf } from '#modules/finance/service-charges/charge-offset.ts'
import { settledPayables } from '#modules/base/vocabulary/settled-payables.ts'

/** 服务费抵扣单: the hospital keeps a service fee back from what it owes the supplier; it cannot be applied for. */
export const chargeDeduction = chargeOffsetOf(
  {
    orgs: 'H',
    partner: { label: '供应商', relation: 'supplier' },
    fee: 'receivable_invoiced',
    settles: 'payable_invoiced',
    screen: { route: '/hospital/serviceChargeManage', title: '服务费管理' },
    purpose: '从货款中抵扣的服务费：应收服务费和应付货款同时减少',
  },
  {
    kind: 'chargeDeduction',
    title: '服务费抵扣单',
    prefix: 'FWDK',
    open: '抵扣金额超过发票未付金额{n}',
    settled: settledPayables,
  },
)
