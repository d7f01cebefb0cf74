import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { isPositive } from '#kernel/values/decimal.ts'

const columns = [
  'document_no',
  'counterparty_sn',
  'invoice_no',
  'opened_on',
  'due_date',
  'summary_text',
  'amount',
  'settled_amount',
  'open_amount',
  'overdue_days',
  'age_days',
  'settle_state',
] as const
const filters = ['document_no', 'counterparty_name', 'opened_on', 'due_date', 'invoice_no', 'settle_state'] as const
const shown = { menu: '财务管理', columns, filters, actions: [] } as const

/**
 * 未结项: documents that raised a balance and are settled item by item (invoices as a whole, openings line by line), with
 * due date, open amount in yuan including tax, and age.
 */
export const openItem = defineEntity({
  kind: 'openItem',
  title: '未结项',
  table: 'open_item',
  key: 'open_item_sn',
  scope: 'organisation',
  readOnly: true,
  wholeOnly: 'money is owed over all stores and departments',
  display: 'document_no',
  sort: '-document_no,line_no',
  fields: {
    direction: f.pick('方向', { receivable: '应收', payable: '应付' }),
    counterparty_sn: f.ref('往来单位', 'organisation'),
    kind: f.pick('单据类型', {
      inboundInvoice: '进项发票',
      outboundInvoice: '销项发票',
      openingReceivable: '期初应收',
      openingPayable: '期初应付',
      serviceCharge: '服务费单',
    }),
    document_no: f.text('单号', { width: 150 }),
    line_no: f.count('行号'),
    invoice_no: f.text('发票号码'),
    opened_on: f.day('业务日期'),
    due_date: f.day('到期日'),
    summary_text: f.text('业务摘要'),
    amount: f.amount('金额'),
    settled_amount: f.amount('已结金额'),
    open_amount: f.amount('未结金额'),
    unapplied_amount: f.amount('待申请金额', { hint: '期初未申请付款的部分；发票的见付款申请' }),
    settle_state: f.pick('是否结清', { open: '未结清', settled: '已结清' }, { tones: { open: 'warning' } }),
    overdue_days: f.count('逾期天数'),
    age_days: f.count('账龄（天）'),
  },
  search: ['document_no', 'invoice_no', 'counterparty_name'],
  sums: ['amount', 'settled_amount', 'open_amount', 'unapplied_amount'],
  tone: row => (row.settle_state === 'open' && isPositive(String(row.overdue_days ?? '0')) ? 'danger' : undefined),
  screens: [
    {
      ...shown,
      route: '/commonView/receivableDetailPayableForm',
      title: '应收应付明细表',
      tab: '未结项',
      orgs: 'HDV',
      purpose: '还没有结清的发票和期初，按到期日列出未结金额和逾期天数',
      columns: ['direction', 'kind', ...columns],
      filters: ['direction', ...filters],
    },
    {
      ...shown,
      route: '/commonView/openingAccountsReceivable',
      title: '期初应收',
      tab: '明细',
      orgs: 'DV',
      purpose: '期初应收逐笔的到期日、已收与未结金额',
      where: { kind: 'openingReceivable' },
    },
    {
      ...shown,
      route: '/commonView/openingPayable',
      title: '期初应付',
      tab: '明细',
      orgs: 'HDV',
      purpose: '期初应付逐笔的到期日、已付、待申请与未结金额',
      columns: [...columns, 'unapplied_amount'],
      where: { kind: 'openingPayable' },
    },
  ],
})
