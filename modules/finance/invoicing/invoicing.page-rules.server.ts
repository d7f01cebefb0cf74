import { inboundInvoice } from '#modules/finance/invoicing/inbound-invoice.doc.ts'
import { outboundInvoice } from '#modules/finance/invoicing/outbound-invoice.doc.ts'
import { definePageRules } from '#server/public/hooks.ts'

export const invoicingPageRules = definePageRules(
  { place: 'invoice', chapter: '发票', pages: [inboundInvoice] },
  {
    firstInvoice: {
      text: '执行两票制时，供应商发票须有生产厂家第一票的号码和图片；没有设置的医院只核对高值耗材。',
      policy: 'twoInvoice',
    },
    quantityGap: {
      text: '同一订单明细累计开票数量超过订单数量的规定比例，须由第二人差异审核并写明原因，差异审核人不能再审核该发票。',
      policy: 'invoiceQuantityGap',
    },
    dueByTerm: { text: '发票到期日按与供应商约定的账期计算，没有约定的按机构默认账期。', policy: 'paymentTerm' },
    sheetLimit: {
      text: '一张销项发票的价税合计不能超过单张开票限额，须拆分。',
      policy: 'invoiceLimit',
      pages: [outboundInvoice],
    },
    numberOnce: { text: '发票号码在本机构只能登记一次，重复时写明已有的单据。', pages: [outboundInvoice] },
    priceGap: {
      text: '发票单价与订单单价之差超过规定比例的，须由第二人差异审核并写明意见。',
      policy: 'invoicePriceGap',
    },
    tolerance: { text: '发票金额与入库金额的差异在容差以内的记为尾差，超出的不能提交。', policy: 'invoiceTolerance' },
  },
)
