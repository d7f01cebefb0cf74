import { openingOf } from '#modules/finance/payments/openings/opening-definition.ts'

/** 期初应收: old debt of customers; receipts match it line by line. */
export const openingReceivable = openingOf({
  kind: 'openingReceivable',
  title: '期初应收',
  numberPrefix: 'QCYS',
  orgs: 'DV',
  partner: { label: '客户', relation: 'customer' },
  account: 'receivable_invoiced',
  settled: '已收款金额',
  route: '/commonView/openingAccountsReceivable',
  purpose: '系统启用时，按发票或按总额录入客户以前欠的款，余额和账龄从第一天起就对',
})
