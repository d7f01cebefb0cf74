import { type Decimal, isPositive } from '#kernel/values/decimal.ts'
import { type CommonLine, defineDocument, type DocOf } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { lifecycle } from '#kernel/definition/lifecycle.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { everyLine, hasLines, inOrder, needs } from '#modules/base/vocabulary/validators.ts'
import { askedGoods, remarked } from '#modules/base/vocabulary/line-fields.ts'

/** The subject of a contract; one of quality alone agrees no prices. */
export const contractTypes = {
  purchase: '购销',
  consignment: '寄售',
  delivery: '配送服务',
  quality: '质量保证协议',
} as const

/** The order in which a purchase order uses the types of price. */
export const priceTypes = { volume: '集采价', awarded: '中标价', agreed: '协议价', temporary: '临时价' } as const

const eachModelOnce = (doc: { readonly lines: readonly CommonLine[] }): true | string => {
  const seen = new Set<string | null>()
  for (const line of doc.lines) {
    if (seen.has(line.specification_sn))
      return `同一规格不能重复：${line.product_name ?? ''} ${line.specification_name ?? ''}`
    seen.add(line.specification_sn)
  }
  return true
}

const header = {
  price_side: f.pick('价格方向', { buy: '采购价', sell: '销售价' }, { default: 'buy' }),
  counterparty_sn: f.ref('供应商/客户', 'organisation', { required: true }),
  contract_no: f.text('合同编号', { max: 60, hint: '留空为登记单号；补充协议填写原合同编号' }),
  contract_type: f.pick('合同类型', contractTypes, { default: 'purchase' }),
  contract_amount: f.amount('合同金额', { hint: '框架合同留空；补充协议填写增加的金额' }),
  price_type: f.pick('价格类型', priceTypes, { default: 'agreed' }),
  business_date: f.day('登记日期'),
  valid_from: f.day('有效期起', { default: 'today' }),
  valid_to: f.day('有效期至', { hint: '留空为长期有效' }),
  document_no: f.text('中标/集采文件号', { max: 60 }),
  change_reason: f.text('价格变动原因', { max: 200 }),
  change_rate: f.rate('平均变动幅度', { readOnly: true }),
  handler_inner_sn: f.ref('经办人', 'employee'),
  remark: f.longText('备注', { max: 500 }),
  attachments: f.files('合同/中标通知书'),
}
const lines = {
  ...askedGoods,
  quantity: f.quantity('起始数量', { min: '0.001', default: '1', hint: '按所选单位计价' }),
  old_price: f.price('原含税单价', { readOnly: true }),
  price: f.price('含税单价', { required: true, min: '0' }),
  change_rate: f.rate('变动幅度', { readOnly: true }),
  tax_rate: f.taxRate('税率'),
  min_order: f.quantity('最小起订量', { min: '0' }),
  ...remarked,
}
type Doc = DocOf<typeof header, typeof lines>

const agreesPrices = (doc: Doc): true | string =>
  doc.contract_type === 'quality'
    ? doc.lines.length === 0 || '质量保证协议不登记价格，请删除产品明细或改选合同类型'
    : doc.contract_type === 'delivery' || hasLines(doc)
const amountOfContract = (doc: Doc): true | string => {
  const amount = doc.contract_amount as Decimal | null | undefined
  if (amount === null || amount === undefined) return true
  if (doc.contract_type === 'quality') return '质量保证协议没有合同金额，请清空合同金额'
  return isPositive(amount) || '合同金额必须大于0，框架合同请留空'
}
const hasFirstDay = (doc: Doc): true | string => Boolean(doc.valid_from) || '请填写有效期起'

const life = lifecycle<Doc>({
  submit: [
    agreesPrices,
    amountOfContract,
    needs('counterparty_sn', '请选择往来单位'),
    hasFirstDay,
    inOrder('valid_from', 'valid_to', '有效期至不能早于有效期起'),
    everyLine('含税单价必须大于0', line => isPositive(line.price)),
    eachModelOnce,
  ],
  blockedMessage: '价格已被订单引用，不能反审核',
})

const columns = [
  'sn',
  'counterparty_sn',
  'contract_no',
  'contract_type',
  'contract_amount',
  'price_type',
  'source_sn',
  'business_date',
  'valid_from',
  'valid_to',
  'overdue',
  'line_count',
  'change_rate',
  'handler_inner_sn',
  'reviewed_by_name',
  'reviewed_at',
  'attachments',
  'state',
  'remark',
] as const
const filters = [
  'sn',
  'counterparty_sn',
  'contract_no',
  'contract_type',
  'specification_sn',
  'price_type',
  'valid_from',
  'valid_to',
  'source_sn',
  'handler_inner_sn',
  'overdue',
  'state',
] as const
const page = {
  route: '/commonView/inquiryRegistration',
  title: '询价登记',
  menu: '采购管理',
  columns,
  filters,
} as const

/**
 * 询价登记: the price agreed with a partner for a period, from an award or a negotiation; once reviewed, orders and
 * receipts use it while it is in force. It is the contract too: of a type, with an amount in yuan unless it is a
 * framework; several registrations of one number are one contract, their amounts added up.
 */
export const priceRegistration = defineDocument({
  kind: 'priceRegistration',
  title: '询价登记',
  numberPrefix: 'DJ',
  category: 'procurement',
  ownerTypes: 'HDV',
  header,
  lines,
  lineRules: {
    import: true,
  },
  actions: {
    ...life,
    stop: {
      label: '终止',
      effect: 'stop',
      from: ['reviewed'],
      to: 'stopped',
      requiresReason: '请填写终止原因',
      tone: 'danger',
    },
  },
  lifecycle: {
    stopsWithSource: true,
    dueDate: { field: 'valid_to', lapses: true },
  },
  sourcing: {
    sources: [
      {
        from: 'quotation',
        for: 'quotation',
        sourceType: sourceTypes.QUOTATION,
        purpose: 'enquire',
        fromCounterparty: true,
        localOnly: true,
        nonConsuming: true,
        eligible: { header: { award_state: ['won', 'partly'] }, message: '该报价未中标' },
      },
    ],
  },
  posting: {
    stockDirection: 'named',
  },
  screens: [
    {
      ...page,
      tab: '采购价',
      leads: true,
      orgs: 'HDV',
      purpose: '登记与供应商商定的价格：订单与入库在有效期内按此取价',
      where: { price_side: 'buy' },
    },
    {
      ...page,
      tab: '销售价',
      orgs: 'DV',
      purpose: '登记与客户商定的价格：销售订单与出库在有效期内按此取价',
      where: { price_side: 'sell' },
    },
  ],
})
