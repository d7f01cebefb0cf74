import { openingOf } from '#modules/finance/payments/openings/opening-definition.ts'

/** 期初应付: old debt to suppliers; payment applications take it line by line. */
export const openingPayable = openingOf({
  kind: 'openingPayable',
  title: '期初应付',
  numberPrefix: 'QCYF',
  orgs: 'HDV',
  partner: { label: '供应商', relation: 'supplier' },
  account: 'payable_invoiced',
  settled: '已付款金额',
  route: '/commonView/openingPayable',
  purpose: '系统启用时，按发票或按总额录入以前欠供应商的款，余额和账龄从第一天起就对',
})
