import { f, type Fields } from '#kernel/definition/field.ts'
import { invoiceTypes } from '#modules/finance/invoicing/invoices.ts'

/** Fields shared by the searches from receipts to invoices and from deliveries to invoices. */
export const invoiceStates = { none: '未开票', part: '部分开票', whole: '已开票', open: '未开完' } as const

const goods = {
  product_name: f.text('产品名称'),
  specification_name: f.text('规格型号'),
  lot_no: f.lot('批号'),
  unit_name: f.text('单位'),
} as const

/** The payment progress of invoices, as worded for the payer or the payee. */
export const payStates = {
  paid: f.pick('付款状态', { 1: '待申请', 2: '已申请待付款', 3: '付款完成' }),
  received: f.pick('收款状态', { 1: '未收款', 2: '部分收款', 3: '已收款' }),
} as const
type PayState = (typeof payStates)[keyof typeof payStates]

/** The words of an invoice search: for the partner, the documents and the payment. */
type Words<P extends Readonly<Record<string, string>>> = {
  readonly partner: string
  readonly relation: string
  readonly noun: string
  readonly kinds: P
  /** 已付, or 已收. */
  readonly verb: string
  readonly pay: PayState
}

/** Filters for received or delivered lines; `kinds` names the document kinds. */
const lineParams = <const P extends Readonly<Record<string, string>>>(words: Words<P>) =>
  ({
    counterparty_sn: f.ref(words.partner, 'organisation', { optionsFilter: { relation: words.relation } }),
    invoice_no: f.text('发票号码', { max: 20 }),
    source_sn: f.text(`${words.noun}单号`, { max: 40 }),
    source_kind: f.pick(`${words.noun}类型`, words.kinds),
    begin_date: f.day(`${words.noun}日期起`),
    end_date: f.day(`${words.noun}日期止`),
    warehouse_model_inner_sn: f.ref('仓库', 'warehouse'),
    specification_sn: f.ref('规格型号', 'specification'),
    lot_no: f.lot('批号', { max: 40 }),
    invoice_state: f.pick('开票状态', invoiceStates),
    with_red: f.flag('含红冲'),
    pay_state: words.pay,
    begin_invoice_date: f.day('开票日期起'),
    end_invoice_date: f.day('开票日期止'),
  }) as const

/** A received or delivered line, and how much of it is invoiced. */
const lineFields = <const P extends Readonly<Record<string, string>>>(words: Words<P>) =>
  ({
    invoice_no: f.text('发票号码'),
    invoice_type: f.pick('发票类型', invoiceTypes),
    invoice_date: f.day('开票日期'),
    counterparty_name: f.text(words.partner),
    source_kind: f.pick(`${words.noun}类型`, words.kinds),
    source_sn: f.text(`${words.noun}单号`),
    business_date: f.day(`${words.noun}日期`),
    warehouse_name: f.text('仓库'),
    ...goods,
    quantity: f.quantity(`${words.noun}数量`),
    invoiced_quantity: f.quantity('已开票数量'),
    uninvoiced_quantity: f.quantity('未开票数量'),
    price: f.price('含税单价'),
    tax_rate: f.taxRate('税率'),
    taxed_amount: f.amount(`${words.noun}金额`),
    invoiced_amount: f.amount('开票金额'),
    uninvoiced_amount: f.amount('未开票金额'),
    paid_amount: f.amount(`${words.verb}金额`),
    invoice_state: f.pick('开票状态', invoiceStates),
    pay_state: words.pay,
    month: f.text('月份'),
  }) as const
/** The keys by which lines may be summed. */
export const lineGroups = ['counterparty_name', 'invoice_no', 'source_sn', 'month', 'tax_rate'] as const

export const lineColumns = [
  'invoice_no',
  'invoice_type',
  'invoice_date',
  'counterparty_name',
  'source_kind',
  'source_sn',
  'business_date',
  'warehouse_name',
  'product_name',
  'specification_name',
  'lot_no',
  'unit_name',
  'quantity',
  'invoiced_quantity',
  'uninvoiced_quantity',
  'price',
  'tax_rate',
  'taxed_amount',
  'invoiced_amount',
  'uninvoiced_amount',
  'paid_amount',
  'invoice_state',
  'pay_state',
] as const
/** Lines without any invoice have no invoice to show. */
export const openColumns = lineColumns.filter(
  name => !['invoice_no', 'invoice_type', 'invoice_date', 'paid_amount', 'pay_state'].includes(name),
)
const lineTotals = ['taxed_amount', 'invoiced_amount', 'uninvoiced_amount', 'paid_amount'] as const

/** Filters for invoices and what they cover. */
const invoiceParams = ({ partner, relation, noun: doc, pay }: Words<Readonly<Record<string, string>>>) =>
  ({
    counterparty_sn: f.ref(partner, 'organisation', { optionsFilter: { relation } }),
    invoice_no: f.text('发票号码', { max: 20 }),
    begin_date: f.day('开票日期起'),
    end_date: f.day('开票日期止'),
    invoice_type: f.pick('发票类型', invoiceTypes),
    source_sn: f.text(`${doc}单号`, { max: 40 }),
    specification_sn: f.ref('规格型号', 'specification'),
    lot_no: f.lot('批号', { max: 40 }),
    pay_state: pay,
    begin_paper_date: f.day(`${doc}日期起`),
    end_paper_date: f.day(`${doc}日期止`),
  }) as const

/** A line of an invoice. */
const invoiceFieldsOf = ({ partner, noun: doc, pay, verb }: Words<Readonly<Record<string, string>>>) =>
  ({
    sn: f.text('登记单号'),
    invoice_no: f.text('发票号码'),
    invoice_type: f.pick('发票类型', invoiceTypes),
    invoice_date: f.day('开票日期'),
    counterparty_name: f.text(partner),
    source_sn: f.text(`${doc}单号`),
    ...goods,
    quantity: f.quantity('开票数量'),
    price: f.price('含税单价'),
    tax_rate: f.taxRate('税率'),
    untaxed_amount: f.amount('不含税金额'),
    tax_amount: f.amount('税额'),
    taxed_amount: f.amount('含税金额'),
    rounding: f.amount('尾差'),
    paid_amount: f.amount(`${verb}金额`, { hint: '货款部分，不含尾差' }),
    pay_state: pay,
    month: f.text('月份'),
  }) as const
export const invoiceColumns = [
  'sn',
  'invoice_no',
  'invoice_type',
  'invoice_date',
  'counterparty_name',
  'source_sn',
  'product_name',
  'specification_name',
  'lot_no',
  'unit_name',
  'quantity',
  'price',
  'tax_rate',
  'untaxed_amount',
  'tax_amount',
  'taxed_amount',
  'rounding',
  'paid_amount',
  'pay_state',
] as const
const invoiceTotals = ['untaxed_amount', 'tax_amount', 'taxed_amount', 'rounding', 'paid_amount'] as const

/** The two searches of one page: by invoice and by line. `extra` are columns and parameters of only one side. */
export const invoiceSearch = <
  const P extends Readonly<Record<string, string>>,
  const A extends Fields = Record<never, never>,
  const C extends Fields = Record<never, never>,
>(
  words: Words<P>,
  extra: { readonly parameters?: A; readonly columns?: C } = {},
) => {
  const [parameters, columns] = [extra.parameters ?? ({} as A), extra.columns ?? ({} as C)]
  return {
    byInvoice: {
      parameters: { ...invoiceParams(words), ...parameters },
      columns: { ...invoiceFieldsOf(words), ...columns },
      groupBy: [...lineGroups],
      groupOnlyColumns: ['month' as const],
      totals: [...invoiceTotals],
    },
    byLine: {
      parameters: { ...lineParams(words), ...parameters },
      columns: { ...lineFields(words), ...columns },
      groupOnlyColumns: ['month' as const],
      totals: [...lineTotals],
    },
  }
}
