import { definePrint } from '#kernel/print/print-definition.ts'
import { sheet } from '#modules/prints/print-columns.ts'

/** 付款申请单: the invoices to be paid, to whom and to which account, for the approvals before finance pays. */
export const paymentApplicationSheet = definePrint({
  route: '/newprint/paymentApplicationPrint',
  title: '付款申请单',
  kinds: { paymentApplication: null },
  papers: [
    { paper: 'A4', lines: 20 },
    { paper: 'A5L', lines: 8 },
  ],
  header: [
    ['申请单号', 'sn'],
    ['申请日期', 'business_date'],
    ['申请部门', 'department_name'],
    ['申请人', 'handler_name'],
    ['收款单位', 'payee_name'],
    ['开户银行', 'payee_bank'],
    ['银行账号', 'payee_account'],
    ['付款方式', 'payment_method'],
    ['期望付款日期', 'expected_date'],
    ['资金来源', 'fund_source'],
    ['用途', 'reason_text'],
    ['付款日期', 'paid_on'],
    ['备注', 'remark'],
  ],
  columns: [
    { name: 'invoice_no', label: '发票号码', share: 19 },
    { name: 'invoice_date', label: '开票日期', share: 11 },
    { name: 'receipts', label: '入库/结算单号', share: 15 },
    { name: 'invoice_untaxed', label: '不含税金额', share: 10, as: 'amount' },
    { name: 'invoice_tax', label: '税额', share: 9, as: 'amount' },
    { name: 'invoice_amount', label: '价税合计', share: 10, as: 'amount' },
    { name: 'invoice_paid', label: '已付金额', share: 10, as: 'amount' },
    { name: 'taxed_amount', label: '本次申请', share: 10, as: 'amount' },
    { name: 'invoice_unpaid', label: '未付余额', share: 10, as: 'amount' },
  ],
  signatures: ['申请人', '部门负责人', '采购负责人', '财务审核', '分管领导', '出纳'],
  carrier: 'code128',
  marks: { completed: '已付款' },
})

/** 结算入库汇总单: a settlement receipt totalled by accounting class, for the finance voucher. */
export const settlementSummarySheet = definePrint({
  route: '/newprint/settlementInwarehousePrint',
  title: '结算入库汇总单',
  kinds: { settlementGrn: '结算入库汇总单' },
  besides: '打印汇总单',
  papers: sheet,
  header: [
    ['入库单号', 'sn'],
    ['入库日期', 'business_date'],
    ['结算单号', 'source_sn'],
    ['供应商', 'counterparty_name'],
    ['结算期间起', 'begin_date'],
    ['结算期间止', 'end_date'],
    ['仓库', 'warehouse_name'],
    ['备注', 'remark'],
  ],
  columns: [
    { name: 'finance_class_name', label: '财务分类', share: 24 },
    { name: 'size_count', label: '品种数', share: 9, as: 'number' },
    { name: 'quantity', label: '数量', share: 10, as: 'quantity' },
    { name: 'untaxed_amount', label: '不含税金额', share: 14, as: 'amount' },
    { name: 'tax_amount', label: '税额', share: 12, as: 'amount' },
    { name: 'taxed_amount', label: '价税合计', share: 14, as: 'amount' },
    { name: 'invoice_nos', label: '发票号码', share: 17, optional: true },
  ],
  signatures: ['制单人', '库管员', '耗材科负责人', '会计', '财务负责人'],
  carrier: 'code128',
})
