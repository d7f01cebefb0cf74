import { salesOrder } from '#modules/trade/sales/sales-order.doc.ts'
import { saleOdo } from '#modules/trade/sales/sale-odo.doc.ts'
import { definePageRules } from '#server/public/hooks.ts'

export const salesPageRules = definePageRules(
  { place: 'sales', chapter: '销售', pages: [salesOrder] },
  {
    creditLimit: {
      text: '客户应收将超过信用额度，或有逾期应收款时，订单和出库按规则提醒或拒绝，并写明可用额度。',
      policy: 'creditCheck',
      pages: [salesOrder, saleOdo],
    },
    customerScope: {
      text: '购货单位经营范围不含所售产品分类的不能销售；规则设为提醒时须确认。',
      policy: 'certExpired',
    },
    upstreamInvoice: {
      text: '执行两票制时，销售其他厂家的产品须有生产厂家的第一票；由客户的规则决定是拒绝还是提醒。',
      policy: 'twoInvoiceTrade',
      pages: [saleOdo],
    },
    customerApproved: {
      text: '客户未通过首营企业审批的不能销售和赠送；规则设为提醒时须确认。',
      policy: 'firstApprovalCustomer',
      pages: [saleOdo],
    },
  },
)
