import { type Book, type CommonHeader, type CommonLine, defineDocument, type Paper, regimes } from '#kernel/document.ts'
import { compare, type Decimal, isPositive, share, subtract } from '#kernel/decimal.ts'
import { f } from '#kernel/field.ts'
import { postingLifecycle } from '#kernel/lifecycle.ts'
import { type Move, outside, store } from '#kernel/posting.ts'
import { sourceTypes } from '#kernel/source-type.ts'
import {
  codesMatchQuantity,
  everyLine,
  expiryAfterProduction,
  hasLines,
  needs,
  notExpired,
  own,
  positiveQuantity,
  within,
} from '#modules/guards.ts'
import { arrivingGoods, counted, disposed, pieces, priced, remarked, sterilised } from '#modules/lines.ts'
import { memoGrows } from '#modules/moves.ts'
import { purchaseGrnScreens } from '#modules/stock/purchase-grn.screens.ts'
import { grantedOnFields, soldOnFields, toGrant, toSale } from '#modules/stock/sold-on.ts'

const exceeded = '入库数量不能大于来源单剩余数量{n}'
const notes = { whole: 'source_quantity', left: 'left_quantity' } as const

/**
 * 采购入库单: goods arrive from a supplier and become our stock. Purchased goods are ours and owed from here on;
 * consigned goods stay the supplier's, the debt is born when they are used.
 */
export const purchaseGrn = defineDocument({
  kind: 'purchaseGrn',
  title: '采购入库单',
  prefix: 'RK',
  family: 'stockIn',
  keptBy: 'HDV',
  billType: 'PURCHASEGRN',
  goods: 'in',
  gate: 'supplier',
  deed: '入库',
  derives: { invoice_state: 'invoice' },
  imports: true,
  scans: {},
  header: {
    counterparty_sn: f.ref('供应商', 'organisation', { required: true, narrow: { relation: 'supplier' } }),
    warehouse_model_inner_sn: f.ref('入库仓库', 'warehouse', { required: true }),
    regime: f.pick('货权方式', regimes, { default: 'purchased' }),
    delivery_note_no: f.text('随货同行单号', { max: 40 }),
    first_invoice_no: f.text('第一票发票号码', { max: 40, hint: '两票制产品填写生产厂家开给经销商的发票' }),
    arrival_temperature: f.text('到货温度', { max: 20 }),
    transport: f.text('运输方式', { max: 40 }),
    inspector_inner_sn: f.ref('验收人', 'employee'),
    handler_inner_sn: f.ref('经办人', 'employee'),
    business_date: f.day('入库日期'),
    remark: f.longText('备注', { max: 500 }),
    attachments: f.files('附件'),
    expected_quantity: f.quantity('应收数量', { readOnly: true, asked: true }),
    direct_grants: f.text('直送发放单', { readOnly: true, asked: true }),
    expected_count: f.count('应收品规数', { readOnly: true, asked: true }),
    ...soldOnFields,
    ...grantedOnFields,
  },
  lines: {
    ...arrivingGoods,
    ...sterilised,
    ...pieces(),
    source_quantity: f.quantity('来源数量', { readOnly: true }),
    left_quantity: f.quantity('来源剩余数量', { readOnly: true }),
    ...counted(),
    unqualified_quantity: f.quantity('其中不合格', {
      min: '0',
      hint: '验收不合格但留下销毁或待处理的数量，入库后为不合格状态',
    }),
    ...disposed,
    ...priced(),
    location: f.text('货位', { max: 40 }),
    reject_reason: f.text('拒收原因', { max: 200 }),
    ...remarked,
  },
  takes: [
    {
      from: 'saleOdo',
      for: 'odo',
      sourceType: sourceTypes.ODO,
      purpose: 'receive',
      foreign: true,
      // What is closed tells of something else: a sale of goods that were on consignment.
      states: ['reviewed', 'partial'],
      // What was refused at the door or found bad in inspection goes home and is never received.
      beside: ['refuse', 'reject'],
      upward: [{ link: 'order', purpose: 'receive' }],
      exceeded,
      notes,
      carries: { delivery_note_no: 'sn' },
    },
    {
      from: 'inspectionOrder',
      for: 'inspection',
      sourceType: sourceTypes.ARRIVAL_RECORD,
      purpose: 'receive',
      beside: ['return'],
      exceeded,
      notes,
      upward: [
        { link: 'order', purpose: 'receive' },
        { link: 'delivery', purpose: 'receive' },
      ],
      carries: { inspector_inner_sn: 'handler_inner_sn' },
    },
    { from: 'purchaseOrder', for: 'po', sourceType: sourceTypes.ORDER_PO, purpose: 'receive', exceeded, notes },
  ],
  actions: {
    ...postingLifecycle({
      submit: [
        hasLines,
        needs('counterparty_sn', '请选择供应商'),
        needs('warehouse_model_inner_sn', '请选择入库仓库'),
        positiveQuantity,
        expiryAfterProduction,
        notExpired,
        codesMatchQuantity,
        within('unqualified_quantity', 'quantity', '不合格数量不能大于入库数量'),
        everyLine(
          '有院内码的不合格品请单独成行',
          line =>
            line.unit_codes.length === 0 ||
            !staysUnqualified(line) ||
            compare(own(line, 'unqualified_quantity') as Decimal, line.quantity) === 0,
        ),
      ],
    }),
    toSale,
    toGrant,
  },
  posts: (doc, book) => ({
    moves: doc.lines.flatMap(line => arrivals(doc, line, book)),
    entries:
      doc.regime === 'consigned'
        ? []
        : doc.lines.map(line => ({ line_no: line.line_no, account: 'payable_estimated', amount: line.taxed_amount })),
  }),
  // Consigned goods that came without a delivery of his: the owner learns what of his lies here.
  sends: [
    {
      on: 'review',
      to: doc => (broughtByNobody(doc) ? doc.counterparty_sn : null),
      linesFor: line => !own(line, 'delivery_document_id'),
      message: { title: '客户登记了我方寄售货物', uri: 'purchaseGrn' },
      arrives: memoGrows('receive'),
    },
  ],
  screens: purchaseGrnScreens,
})

/** Unqualified goods that are destroyed or await a decision come into stock as such; those that go back never do. */
const broughtByNobody = (doc: Paper): boolean =>
  doc.regime === 'consigned' && doc.lines.some(line => !own(line, 'delivery_document_id'))

const staysUnqualified = (line: CommonLine): boolean =>
  isPositive((own(line, 'unqualified_quantity') as Decimal | null) ?? '0') &&
  ['destroy', 'hold'].includes(String(own(line, 'disposition')))

/** One line's way into the store: the good part, and beside it the part that stays unqualified. */
function arrivals(doc: CommonHeader, line: CommonLine, book: Book): Move[] {
  // Hospitals cannot deduct input tax: their cost is the taxed amount.
  const value = doc.regime === 'consigned' ? '0.00' : book.type === 'H' ? line.taxed_amount : line.untaxed_amount
  const whole = {
    line_no: line.line_no,
    step: 'receive',
    quantity: line.base_quantity,
    value,
    from: outside(doc.counterparty_sn),
    to: store(doc.warehouse_model_inner_sn, line.location),
    owner: doc.regime === 'consigned' ? doc.counterparty_sn : book.org,
    quality: line.quality_state ?? 'qualified',
  } as const
  if (!staysUnqualified(line)) return [whole]
  const bad = share(line.base_quantity, own(line, 'unqualified_quantity') as Decimal, line.quantity, 3)
  const badValue = share(value, bad, line.base_quantity, 2)
  const parts: Move[] = [
    { ...whole, quantity: subtract(line.base_quantity, bad, 3), value: subtract(value, badValue, 2) },
    { ...whole, quantity: bad, value: badValue, quality: 'unqualified' },
  ]
  return parts.filter(move => isPositive(move.quantity))
}
