import type { ProgressRollup } from '#kernel/definition/document-links.ts'
import { type Book, defineDocument, regimes, type DocOf } from '#kernel/definition/document.ts'
import { type Decimal, isPositive, isZero, negate, share, subtract, zero } from '#kernel/values/decimal.ts'
import { f } from '#kernel/definition/field.ts'
import { postingLifecycle } from '#kernel/definition/lifecycle.ts'
import { consignedAt, type Move, outside, type QualityState, store, transit } from '#kernel/ledger/posting.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import {
  addsUp,
  codesMatchQuantity,
  everyLine,
  everyLineHasSource,
  hasLines,
  needs,
  reasoned,
  within,
  figure,
} from '#modules/base/vocabulary/validators.ts'
import { arrivingGoods, counted, pieces, priced, remarked } from '#modules/base/vocabulary/line-fields.ts'
import { redWords } from '#modules/trade/returns/red-need.ts'
import { returnTypes } from '#modules/trade/returns/return-types.ts'

/** Every line is split into what is good again and what is not, without remainder. */
const examined = [
  within('unqualified_quantity', 'quantity', '不合格数量不能大于退货数量'),
  addsUp('qualified_quantity', 'unqualified_quantity', '合格数量与不合格数量之和必须等于退货数量'),
  reasoned('unqualified_quantity', 'unqualified_reason', '请填写不合格原因'),
  reasoned('refused_quantity', 'refuse_reason', '请填写拒收原因'),
  everyLine<Doc>(
    '有院内码的不合格品请单独成行',
    line =>
      line.unit_codes.length === 0 ||
      [zero, line.quantity].some(whole => isZero(subtract(figure(line, 'unqualified_quantity'), whole, 3))),
  ),
]

/** Exchanged goods are sent once more on their order. */
const goesOutAgain: ProgressRollup = {
  via: 'order',
  purpose: 'ship',
  givenBack: true,
  ifFlag: 'is_exchange',
  overdrawnMessage: '换货的货物已按原销售订单出库，不能撤回退货',
}

const header = {
  counterparty_sn: f.ref('客户', 'organisation', { required: true, optionsFilter: { relation: 'customer' } }),
  warehouse_model_inner_sn: f.ref('退入仓库', 'warehouse', { required: true }),
  regime: f.pick('货权方式', regimes, { default: 'purchased' }),
  return_type: f.pick(
    '退货类型',
    {
      ...returnTypes,
      refused: '拒收',
      other: '其他',
    },
    { default: 'quality' },
  ),
  is_exchange: f.flag('换货', { hint: '退回的数量回到原销售订单，再按原订单出库' }),
  customer_return_sn: f.text('客户退货单号', { max: 40 }),
  recall_no: f.text('召回编号', { max: 40 }),
  return_reason: f.text('退货原因', { max: 200 }),
  transport: f.text('运输方式', { max: 40 }),
  arrival_temperature: f.text('到货温度', { max: 20, hint: '冷链产品须填写' }),
  inspected: f.flag('已验收', { readOnly: true }),
  inspector_inner_sn: f.ref('验收人', 'employee'),
  inspected_on: f.day('验收日期'),
  conclusion: f.pick(
    '验收结论',
    { qualified: '合格', partly: '部分合格', unqualified: '不合格', refused: '拒收' },
    { readOnly: true },
  ),
  return_way: f.pick(
    '退回途径',
    { door: '未收货退回', customer: '客户退货', absent: '线下客户退货' },
    { readOnly: true },
  ),
  handler_inner_sn: f.ref('经办人', 'employee'),
  business_date: f.day('退货日期'),
  remark: f.longText('备注', { max: 500 }),
  attachments: f.files('附件'),
}
const lines = {
  ...arrivingGoods,
  ...pieces('序列号/院内码'),
  source_quantity: f.quantity('出库数量', { readOnly: true }),
  left_quantity: f.quantity('可退数量', { readOnly: true }),
  ...counted('退货数量', '0'),
  qualified_quantity: f.quantity('合格数量', { min: '0', hint: '留空为退货数量减不合格数量' }),
  unqualified_quantity: f.quantity('不合格数量', { min: '0' }),
  unqualified_reason: f.text('不合格原因', { max: 200 }),
  refused_quantity: f.quantity('拒收数量', { min: '0', hint: '不收、退还客户的数量' }),
  refuse_reason: f.text('拒收原因', { max: 200 }),
  is_unpacked: f.flag('已拆封'),
  ...priced(),
  red_quantity: f.quantity('待开红字数量', { readOnly: true }),
  invoice_no: f.text('原发票号', { readOnly: true }),
  location: f.text('货位', { max: 40 }),
  ...remarked,
}
type Doc = DocOf<typeof header, typeof lines>
type Line = Doc['lines'][number]

const life = postingLifecycle<Doc>({
  submit: [
    hasLines,
    needs('counterparty_sn', '请选择客户'),
    needs('warehouse_model_inner_sn', '请选择退入仓库'),
    everyLineHasSource('请选择原销售出库单'),
    everyLine<Doc>(
      '退货数量与拒收数量不能都为0',
      line => isPositive(line.quantity) || isPositive(figure(line, 'refused_quantity')),
    ),
    codesMatchQuantity,
  ],
  review: [doc => doc.inspected === true || '请先完成退货验收', ...examined],
})

/**
 * 销售退货单: goods come back from a customer: received ones, or refused ones still in transit. They are inspected, the
 * good go back to their warehouse, the rest are kept separately as unqualified; the customer no longer owes for
 * them.
 */
export const saleReturn = defineDocument({
  kind: 'saleReturn',
  title: '销售退货单',
  numberPrefix: 'XSTH',
  category: 'stockIn',
  ownerTypes: 'DV',
  facts: { shipped: -1, sold: -1, received: 1, issued: -1 },
  externalType: 'SALERETURN',
  header,
  lines,
  lineRules: {
    scanning: {},
    selfClosed: line => ({ purpose: 'invoice', quantity: subtract(line.base_quantity, line.red_quantity ?? zero, 3) }),
    rejected: line => ({ purpose: 'refuse', quantity: line.refused_quantity ?? zero }),
  },
  actions: {
    ...life,
    submit: { ...life.submit, sets: { inspected: false } },
    inspect: {
      label: '退货验收',
      from: ['submitted'],
      to: null,
      tone: 'primary',
      inputs: ['inspector_inner_sn', 'inspected_on', 'arrival_temperature'],
      sets: { inspected: true },
      guards: examined,
    },
  },
  lifecycle: {
    manualEntry: false,
    editableWhenSubmitted: [
      'qualified_quantity',
      'unqualified_quantity',
      'unqualified_reason',
      'refused_quantity',
      'refuse_reason',
      'is_unpacked',
      'unit_codes',
      'remark',
    ],
  },
  sourcing: {
    sources: [
      {
        from: 'purchaseReturn',
        for: 'purchaseReturn',
        sourceType: sourceTypes.PURCHASE_RETURN,
        purpose: 'receive',
        sharesLimitWith: ['refuse'],
        fromCounterparty: true,
        states: ['reviewed', 'partial'],
        rollup: [{ via: 'delivery', purpose: 'return' }, goesOutAgain],
        overdrawnMessage: '退货数量不能大于客户退货数量{n}',
        headerMap: { customer_return_sn: 'sn', is_exchange: 'is_exchange' },
        snapshot: { whole: 'source_quantity', left: 'left_quantity' },
      },
      {
        from: 'saleOdo',
        for: 'odo',
        sourceType: sourceTypes.ODO,
        purpose: 'return',
        newestFirst: true,
        rollup: [goesOutAgain],
        overdrawnMessage: '退货数量不能大于可退数量{n}',
        snapshot: { whole: 'source_quantity', left: 'left_quantity' },
      },
      {
        from: 'saleOdo',
        for: 'records',
        label: '销售记录',
        sourceType: sourceTypes.SALE_RECORD,
        purpose: 'return',
        multipleSources: true,
        newestFirst: true,
        rollup: [goesOutAgain],
        overdrawnMessage: '退货数量超过可退数量{n}',
        snapshot: { whole: 'source_quantity', left: 'left_quantity' },
      },
    ],
  },
  progress: {
    statuses: { invoice_state: 'invoice' },
    statusLabels: { invoice_state: redWords },
  },
  posting: {
    stockDirection: 'named',
    stockCard: 'return_in',
    accountMovement: 'return',
    postings: (doc, book) => ({
      moves: doc.lines.filter(line => isPositive(line.base_quantity)).flatMap(line => homecoming(doc, line, book)),
      entries:
        doc.regime === 'consigned'
          ? []
          : doc.lines.map(line => ({
              line_no: line.line_no,
              account: 'receivable_unbilled',
              amount: negate(line.taxed_amount),
            })),
    }),
  },
  compliance: {
    allowsExpired: true,
    statutoryRegister: { in: 'sale', role: 'own', type: () => 'returned' },
  },
  screens: [
    {
      route: '/commonView/saleReturn',
      title: '销售退货',
      orgs: 'DV',
      menu: '入库管理',
      purpose: '验收客户退回与拒收的货物，合格入库、不合格隔离，冲减应收',
      columns: [
        'sn',
        'return_type',
        'is_exchange',
        'regime',
        'counterparty_sn',
        'warehouse_model_inner_sn',
        'source_sn',
        'customer_return_sn',
        'line_count',
        'total_quantity',
        'untaxed_amount',
        'tax_amount',
        'taxed_amount',
        'conclusion',
        'invoice_state',
        'handler_inner_sn',
        'business_date',
        'reviewed_by_name',
        'reviewed_at',
        'state',
      ],
      filters: [
        'sn',
        'counterparty_sn',
        'warehouse_model_inner_sn',
        'source_sn',
        'customer_return_sn',
        'return_type',
        'is_exchange',
        'specification_sn',
        'lot_no',
        'unit_code',
        'business_date',
        'conclusion',
        'invoice_state',
        'state',
      ],
    },
  ],
})

/**
 * A line's way back, the good part and the bad: out of our transit to the customer, from the customer, or from one
 * without a ledger here whose pieces never left our transit in the trace.
 */
function homecoming(doc: Doc, line: Line & { readonly cost_amount?: Decimal | null }, book: Book): Move[] {
  const way = doc.return_way
  const there = doc.regime === 'consigned' ? consignedAt(doc.counterparty_sn) : outside(doc.counterparty_sn)
  const underWay = transit(line.source_sn ?? '')
  const home = store(doc.warehouse_model_inner_sn, line.location)
  const step = way === 'door' ? 'arrive_reject' : 'return'
  const cost = line.cost_amount
  return parts(line).map(([quantity, quality]): Move => {
    const whole = { line_no: line.line_no, step, quantity, to: home, owner: book.org } as const
    if (way === 'door') return { ...whole, from: underWay, quality: 'qualified', toQuality: quality }
    return {
      ...whole,
      from: there,
      quality,
      ...(cost ? { value: share(cost, quantity, line.base_quantity, 2) } : {}),
      ...(way === 'absent' ? { tracedFrom: underWay } : {}),
    }
  })
}

/** The quantities of a line that are good again, and that are not, in base units. */
function parts(line: Line): [Decimal, QualityState][] {
  const bad = share(line.base_quantity, figure(line, 'unqualified_quantity'), line.quantity, 3)
  const split: [Decimal, QualityState][] = [
    [subtract(line.base_quantity, bad, 3), 'qualified'],
    [bad, 'unqualified'],
  ]
  return split.filter(([quantity]) => isPositive(quantity))
}
