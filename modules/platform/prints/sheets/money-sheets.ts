import { definePrint } from '#kernel/print/print-definition.ts'
import { sheet, wide } from '#modules/platform/prints/sheets/print-columns.ts'

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
    ['预付核销金额', 'offset_amount'],
    ['服务费扣款', 'deduction_amount'],
    ['扣款金额', 'withheld_amount'],
    ['扣款原因', 'withheld_reason'],
    ['本次申请付款', 'pay_amount'],
    ['期望付款日期', 'expected_date'],
    ['资金来源', 'fund_source'],
    ['用途', 'reason_text'],
    ['付款日期', 'last_paid_on'],
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

const feeColumns = [
  { name: 'settlement_no', label: '结算单号', share: 16 },
  { name: 'settled_on', label: '结算日期', share: 11 },
  { name: 'fee_class_name', label: '产品分类', share: 10 },
  { name: 'base_amount', label: '结算金额(基数)', share: 13, as: 'amount' },
  { name: 'rate_percent', label: '费率', share: 9, as: 'percent' },
  { name: 'fee_amount', label: '服务费', share: 11, as: 'amount' },
  { name: 'bound_adjust', label: '调整额', share: 10, as: 'amount' },
  { name: 'taxed_amount', label: '应付服务费', share: 12, as: 'amount' },
  { name: 'remark', label: '备注', share: 14, optional: true },
] as const

/** 服务费结算单: one bill, a line for each settlement and step of its rate; for payer and payee. */
export const serviceChargeSheet = definePrint({
  route: '/newprint/serviceChargeManagePrint',
  title: '服务费结算单',
  kinds: { serviceCharge: null },
  papers: [{ paper: 'A4', lines: 22 }],
  header: [
    ['服务费单号', 'sn'],
    ['结算期间起', 'begin_date'],
    ['结算期间止', 'end_date'],
    ['收费方', 'charging_party'],
    ['付费方', 'paying_party'],
    ['收取方式', 'collect_method'],
    ['开户银行', 'payee_bank'],
    ['银行账号', 'payee_account'],
    ['制单日期', 'business_date'],
    ['基数合计', 'base_amount'],
    ['服务费合计', 'fee_amount'],
    ['调整合计', 'adjust_amount'],
    ['备注', 'remark'],
  ],
  columns: feeColumns,
  signatures: ['制单人', '复核人', '付费方确认(盖章)', '收费方财务'],
  carrier: 'code128',
})

/** 结算发票核对单: compares the supplier's invoice with the settled or received lines. */
export const invoiceCheckSheet = definePrint({
  route: '/newprint/SettlementInvoiceCheckPrint',
  title: '结算发票核对单',
  kinds: { inboundInvoice: null },
  papers: [{ paper: 'A4L', lines: 20 }],
  header: [
    ['核对单号', 'sn'],
    ['结算单号', 'settlement_nos'],
    ['结算期间', 'settlement_period'],
    ['供应商', 'counterparty_name'],
    ['发票号码', 'invoice_no'],
    ['开票日期', 'invoice_date'],
    ['核对结果', 'check_result'],
    ['核对人', 'reviewed_by_name'],
    ['差异合计', 'difference_total'],
    ['差异原因', 'difference_reason'],
  ],
  columns: [
    { name: 'product_name', label: '产品名称', share: 14 },
    { name: 'specification_name', label: '规格型号', share: 10 },
    { name: 'lot_no', label: '批号', share: 9 },
    { name: 'unit_name', label: '单位', share: 4 },
    { name: 'quantity', label: '数量', share: 6, as: 'quantity' },
    { name: 'source_price', label: '结算单价', share: 8, as: 'price' },
    { name: 'source_amount', label: '结算金额', share: 9, as: 'amount' },
    { name: 'price', label: '发票单价', share: 8, as: 'price' },
    { name: 'invoice_amount', label: '发票金额', share: 9, as: 'amount' },
    { name: 'tax_rate', label: '税率', share: 5, as: 'percent' },
    { name: 'difference_amount', label: '差异金额', share: 8, as: 'amount' },
    { name: 'difference_note', label: '差异原因', share: 10, optional: true },
  ],
  signatures: ['供应商确认', '仓库核对人', '采购', '财务审核', '科主任'],
  carrier: 'code128',
  marks: { draft: '未核对', submitted: '未核对', rejected: '未核对' },
})

/**
 * 电子发票（版式）: an issued invoice for its buyer, line by line without tax; the symbol contains its number. The files of the
 * tax office stay the originals.
 */
export const eInvoiceSheet = definePrint({
  route: '/newprint/eInvoicePrint',
  title: '电子发票',
  kinds: { eInvoice: '电子发票' },
  papers: wide,
  header: [
    ['发票号码', 'sn'],
    ['开票日期', 'invoice_date'],
    ['购买方名称', 'buyer_name'],
    ['购买方税号', 'buyer_tax_no'],
    ['购买方地址电话', 'buyer_address'],
    ['购买方开户行及账号', 'buyer_bank'],
    ['销售方名称', 'seller_name'],
    ['销售方税号', 'seller_tax_no'],
    ['原蓝字发票号码', 'blue_invoice_no'],
    ['红字确认单编号', 'red_confirm_no'],
    ['开票单号', 'document_sn'],
    ['版式文件', 'original_files'],
    ['备注', 'remark'],
  ],
  columns: [
    { name: 'item_name', label: '项目名称', share: 24 },
    { name: 'item_model', label: '规格型号', share: 14 },
    { name: 'unit_name', label: '单位', share: 6 },
    { name: 'quantity', label: '数量', share: 9, as: 'quantity' },
    { name: 'price', label: '单价(不含税)', share: 12, side: 'right' },
    { name: 'untaxed_amount', label: '金额', share: 12, as: 'amount' },
    { name: 'tax_rate', label: '税率', share: 7, as: 'percent' },
    { name: 'tax_amount', label: '税额', share: 11, as: 'amount' },
    { name: 'tax_code', label: '税收分类编码', share: 16, onRequest: true },
  ],
  closings: ['untaxed', 'tax', 'amount'],
  signatures: ['开票人'],
  carrier: 'qrcode',
  marks: { reversed: '已红冲' },
})
