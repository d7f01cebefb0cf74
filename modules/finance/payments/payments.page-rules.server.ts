import { receipt } from '#modules/finance/payments/receipt.doc.ts'
import { payment } from '#modules/finance/payments/payment.doc.ts'
import { definePageRules } from '#server/public/hooks.ts'

export const paymentPageRules = definePageRules(
  { place: 'payment', chapter: '收付款', pages: [receipt] },
  {
    allowanceLimit: {
      text: '折让合计超过折让限额的须经二级审核，没有设置第二级审核人时不能提交。',
      policy: 'allowanceLimit',
      pages: [receipt, payment],
    },
  },
)
