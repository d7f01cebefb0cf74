import { f } from '#kernel/definition/field.ts'
import { defineReport } from '#kernel/definition/report.ts'
import { MONTH } from '#kernel/values/date.ts'
import { closeControls, monthCategories as categories } from '#modules/base/vocabulary/month-categories.ts'

const period = f.text('会计期间', {
  required: true,
  default: 'month',
  match: MONTH,
  matchMsg: '会计期间应为年-月，如 2026-11',
})
const page = { route: '/commonView/stockFinance', title: '库存财务报表', orgs: 'HDV', menu: '财务管理' } as const

/**
 * 月末检查: things open at the end of a month, a row each with its document: documents of the month that nobody reviewed,
 * money received and matched to no invoice, uses that the patient was not charged for, statements of account that the
 * partner disputed or did not answer; and whether each keeps the period from being closed. In yuan.
 */
export const monthEnd = defineReport({
  kind: 'monthEnd',
  title: '月末检查',
  sqlFile: 'platform/reports/month-end/month-end.sql',
  wholeOnly: 'whoever closes the books looks over the whole organisation; goods and patients are not named',
  parameters: { period, category: f.pick('类别', categories) },
  columns: {
    category: f.pick('类别', categories),
    document_name: f.text('单据'),
    document_no: f.text('单号', { width: 150 }),
    counterparty_name: f.text('往来单位'),
    happened_on: f.day('日期'),
    open_amount: f.amount('金额'),
    open_count: f.quantity('笔数'),
    note: f.text('说明', { width: 220 }),
    control: f.pick('结账控制', closeControls, { tones: { refuse: 'danger', warn: 'warning' } }),
  },
  totals: ['open_count', 'open_amount'],
  groupBy: ['category'],
  drillDown: { document_no: { document: 'document_kind' } },
  screens: [
    {
      ...page,
      tab: '月末检查',
      purpose:
        '结账前还没有处理完的：未审核单据、未核销收款、未计费使用、往来差异；【结账控制】为禁止结账的处理完才能结账，为提醒的结账时须填写原因',
      columns: [
        'category',
        'document_name',
        'document_no',
        'counterparty_name',
        'happened_on',
        'open_amount',
        'open_count',
        'note',
        'control',
      ],
      keyColumns: ['category', 'document_no', 'counterparty_name', 'happened_on', 'open_amount', 'control', 'note'],
      filters: [],
    },
  ],
})

/**
 * 记账凭证: each document's entries of the month as a voucher for ledger programs, with mapped accounts; debits equal
 * credits per document, and each line leads back to it. The stock account changes by the amounts of the ledger of
 * goods: goods sold, used, issued, lost or given away are spent at cost (by department at a hospital), found goods are
 * booked in, and goods with customers are 发出商品 until they are settled. Openings from before the program are not
 * vouchers. In yuan.
 */
export const monthVoucher = defineReport({
  kind: 'monthVoucher',
  title: '记账凭证',
  sqlFile: 'platform/reports/month-end/month-voucher.sql',
  wholeOnly: 'whoever exports the vouchers has the whole organisation before him',
  parameters: { period },
  columns: {
    voucher_no: f.text('凭证号'),
    voucher_day: f.day('凭证日期'),
    summary: f.text('摘要', { width: 260 }),
    account_code: f.text('科目编码'),
    account_name: f.text('科目名称', { width: 180 }),
    counterparty_name: f.text('往来单位', { width: 180 }),
    department_name: f.text('科室', { width: 140 }),
    debit: f.cost('借方金额'),
    credit: f.cost('贷方金额'),
    document_no: f.text('来源单号', { width: 150 }),
  },
  totals: ['debit', 'credit'],
  groupBy: ['account_code', 'account_name', 'counterparty_name', 'department_name'],
  drillDown: { document_no: { document: 'document_kind' } },
  screens: [
    {
      ...page,
      tab: '记账凭证',
      purpose:
        '本月往来、收付款（含手续费）、出入库、销售成本、领用成本与盘盈形成的凭证分录，借贷相等，每行可查到来源单据；导出后录入财务软件',
      columns: [
        'voucher_no',
        'voucher_day',
        'summary',
        'account_code',
        'account_name',
        'counterparty_name',
        'department_name',
        'debit',
        'credit',
        'document_no',
      ],
      keyColumns: ['voucher_day', 'account_name', 'summary', 'counterparty_name', 'debit', 'credit'],
      filters: [],
    },
  ],
})
