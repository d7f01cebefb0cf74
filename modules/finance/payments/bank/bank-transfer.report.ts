import { f } from '#kernel/definition/field.ts'
import { defineReport } from '#kernel/definition/report.ts'

/** 批量转账文件: the transfers of a reviewed batch in the columns that banks take, to be exported as Excel or CSV. */
export const bankTransfer = defineReport({
  kind: 'bankTransfer',
  title: '批量转账文件',
  sqlFile: 'finance/payments/bank/bank-transfer.sql',
  wholeOnly: 'a payment belongs to the organisation, not to a warehouse or department',
  parameters: { batch_no: f.text('付款批次', { required: true }) },
  columns: {
    place: f.count('序号'),
    pay_account: f.text('付款账号', { width: 160 }),
    payee_name: f.text('收款户名', { width: 200 }),
    payee_account: f.text('收款账号', { width: 180 }),
    payee_bank: f.text('收款开户行', { width: 200 }),
    amount: f.amount('金额'),
    currency: f.text('币种'),
    purpose: f.text('用途'),
    payment_no: f.text('附言', { width: 150 }),
  },
  totals: ['amount'],
  drillDown: { payment_no: { document: 'document_kind' } },
  screens: [
    {
      route: '/commonView/paymentAttachment/paymentOrder',
      title: '付款单',
      tab: '批量转账文件',
      orgs: 'HDV',
      menu: '财务管理',
      purpose: '已审核付款批次的转账明细，导出为 Excel 或 CSV 后上传网银；附言里的付款单号用于回盘核对',
      columns: [
        'place',
        'pay_account',
        'payee_name',
        'payee_account',
        'payee_bank',
        'amount',
        'currency',
        'purpose',
        'payment_no',
      ],
      filters: [],
    },
  ],
})
