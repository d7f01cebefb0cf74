/** What a voucher books, by our name; each with the usual account of the accounting standards. */
export const ledgerAccounts = {
  bank: '银行存款',
  stock: '库存商品',
  payable_estimated: '应付账款-暂估',
  payable_invoiced: '应付账款',
  prepaid: '预付账款',
  receivable_unbilled: '应收账款-未开票',
  receivable_invoiced: '应收账款',
  prereceived: '预收账款',
  sales: '主营业务收入',
  output_tax: '应交税费-销项税额',
  fee_income: '其他业务收入-服务费',
  fee_expense: '销售费用-服务费',
  rounding: '财务费用-尾差',
  allowance: '财务费用-折让',
  bank_fee: '财务费用-手续费',
} as const
