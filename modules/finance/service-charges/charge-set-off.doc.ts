import { sourceTypes } from '#kernel/definition/source-type.ts'
import { chargeOffsetOf } from '#modules/finance/service-charges/charge-offset.ts'

/** 服务费冲抵单: the supplier's half of a deduction: what the hospital kept back settles invoices over his goods. */
export const chargeSetOff = chargeOffsetOf(
  {
    orgs: 'DV',
    partner: { label: '医院', relation: 'customer' },
    fee: 'payable_invoiced',
    settles: 'receivable_invoiced',
    screen: { route: '/commonView/serviceChargeManageDEALER', title: '服务费管理' },
    purpose: '医院从货款中抵扣的服务费：应付服务费和应收货款同时减少',
  },
  {
    kind: 'chargeSetOff',
    title: '服务费冲抵单',
    prefix: 'FWCD',
    open: '抵扣金额超过未收金额{n}',
    settled: [
      { from: 'outboundInvoice', for: 'odoInvoice', sourceType: sourceTypes.ODO_INVOICE },
      { from: 'openingReceivable', for: 'openingReceivable', sourceType: sourceTypes.OPENING_RECEIVABLE },
    ],
  },
)
