import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'

/**
 * 预收余额: money received in advance by the document that brought it: a prereceipt, or the part of a receipt matched to no
 * invoice. The rest of all rows is the balance of the customer, in yuan.
 */
export const advanceItem = defineEntity({
  kind: 'advanceItem',
  title: '预收余额',
  table: 'advance_item',
  key: 'advance_item_sn',
  scope: 'organisation',
  readOnly: true,
  wholeOnly: 'an advance is of the whole organisation',
  display: 'document_no',
  sort: '-paid_on,-document_no',
  fields: {
    side: f.pick('性质', { prereceived: '预收', prepaid: '预付' }),
    counterparty_sn: f.ref('往来单位', 'organisation'),
    kind: f.pick('来源', { prereceipt: '预收款单', receipt: '收款单余额', prepayment: '预付款单' }),
    document_no: f.text('单号', { width: 150 }),
    order_no: f.text('订单号'),
    paid_on: f.day('收付款日期'),
    amount: f.amount('金额'),
    used_amount: f.amount('已核销金额'),
    refunded_amount: f.amount('已退款金额'),
    left_amount: f.amount('未核销余额'),
    left_state: f.pick('状态', { left: '有余额', used: '已用完' }, { tones: { left: 'warning' } }),
  },
  search: ['document_no', 'counterparty_name'],
  sums: ['amount', 'used_amount', 'refunded_amount', 'left_amount'],
  screens: [
    {
      route: '/commonView/prepaidManage/advanceCharge',
      title: '预收款管理',
      tab: '预收余额',
      orgs: 'DV',
      menu: '财务管理',
      purpose: '客户预收余额的每一笔：预收款单，以及收款单没有核销发票的部分；合计等于往来账上的预收',
      columns: [
        'counterparty_sn',
        'kind',
        'document_no',
        'order_no',
        'paid_on',
        'amount',
        'used_amount',
        'refunded_amount',
        'left_amount',
        'left_state',
      ],
      filters: ['counterparty_name', 'kind', 'document_no', 'paid_on', 'left_state'],
      where: { side: 'prereceived' },
      actions: [],
    },
  ],
})
