import { f } from '#kernel/definition/field.ts'
import { defineReport } from '#kernel/definition/report.ts'
import { orderlyPeriod, period } from '#modules/platform/reports/item-columns.ts'
import { directions } from '#modules/platform/reports/accounts/receivable-payable-summary.report.ts'

/**
 * 应收应付明细: the account of one partner, entry by entry as it was posted, with the balance after each: the first row
 * is the opening, the last balance is the closing of the summary. In yuan, tax included.
 */
export const receivablePayableDetail = defineReport({
  kind: 'receivablePayableDetail',
  title: '应收应付明细表',
  sqlFile: 'platform/reports/accounts/receivable-payable-detail.sql',
  wholeOnly: 'what is owed belongs to the organisation, not to a warehouse or department',
  parameters: {
    direction: f.pick('方向', directions, { default: 'payable' }),
    counterparty_sn: f.ref('往来单位', 'organisation', { required: true }),
    ...period,
  },
  validate: (asked, carried) =>
    orderlyPeriod(asked, carried)?.replace('查询区间不能超过12个月', '查询期间不能超过一年') ?? null,
  columns: {
    posted_on: f.day('记账日期'),
    business_date: f.day('业务日期'),
    paper_name: f.text('单据类型'),
    document_no: f.text('单号'),
    source_no: f.text('来源单号'),
    invoice_no: f.text('发票号码'),
    remark: f.text('摘要'),
    raised_amount: f.amount('增加金额'),
    lowered_amount: f.amount('减少金额'),
    balance_amount: f.amount('余额'),
    is_billed: f.pick('是否开票', { yes: '已开票', no: '未开票' }),
    due_date: f.day('到期日'),
    handler_name: f.text('经办人'),
    voucher_no: f.text('凭证号'),
    created_by_name: f.text('制单人'),
  },
  totals: ['raised_amount', 'lowered_amount'],
  drillDown: { document_no: { document: 'document_kind' } },
  screens: [
    {
      route: '/commonView/receivableDetailPayableForm',
      title: '应收应付明细表',
      tab: '流水',
      orgs: 'HDV',
      menu: '财务管理',
      purpose: '一个往来单位逐笔的增减和滚动余额，第一行是期初，最后的余额等于汇总表的期末',
      columns: [
        'posted_on',
        'business_date',
        'paper_name',
        'document_no',
        'source_no',
        'invoice_no',
        'remark',
        'raised_amount',
        'lowered_amount',
        'balance_amount',
        'is_billed',
        'due_date',
        'handler_name',
        'voucher_no',
        'created_by_name',
      ],
      filters: [],
    },
  ],
})
