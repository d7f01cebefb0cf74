/** The methods of payment. */
export const paymentMethods = {
  transfer: '电汇',
  bill: '承兑汇票',
  cheque: '支票',
  cash: '现金',
  online: '网银',
} as const
