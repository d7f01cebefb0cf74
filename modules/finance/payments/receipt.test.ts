import { subtract, sum } from '#kernel/values/decimal.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { attempt, lotOf, openScene, owed, expectMessage, type Scene } from '#tests/support/fixture.ts'
import { day } from '#tests/support/story.ts'

/** 收款单: money received from a customer, matched to invoices; the part that matches none is an advance payment. */
let scene: Scene
let nth = 0

/** Our invoice over some pieces at 100, issued; returns its number. */
async function issued(pieces: string, customer = scene.h): Promise<string> {
  const { dealer, shop, inflator } = scene
  const lines = [{ specification_sn: inflator, lot_no: 'SK1', quantity: pieces, price: '100' }]
  const odo = await dealer.add('saleOdo', { counterparty_sn: customer, warehouse_model_inner_sn: shop, lines })
  await dealer.pass('saleOdo', odo)
  const invoice_no = `26362000000000000${String(++nth).padStart(3, '0')}`
  const sn = await dealer.add('outboundInvoice', { source_type: 7, source_sn: odo, invoice_no, invoice_date: day() })
  await dealer.pass('outboundInvoice', sn)
  return sn
}
const on = (source_sn: string, taxed_amount: string) => ({ source_sn, source_line_no: 1, taxed_amount })
const money = (lines: object[], more: object = {}) => ({ counterparty_sn: scene.h, lines, ...more })
async function received(lines: object[], more: object = {}): Promise<string> {
  const sn = await scene.dealer.add('receipt', money(lines, more))
  await scene.dealer.pass('receipt', sn)
  return sn
}
const book = () => owed(scene.dealer, scene.h)

beforeAll(async () => {
  scene = await openScene()
  await scene.shelve(scene.dealer, scene.shop, [lotOf(scene.inflator, 'SK1', { quantity: '500' })])
})
afterAll(() => scene?.close())

test('applied to two invoices, one in full and one in part; the customer owes that much less', async () => {
  const { dealer } = scene
  const [first, second] = [await issued('6'), await issued('7')]
  const before = await book()
  const sn = await received([on(first, '600'), on(second, '400')])
  expect(await dealer.info('receipt', sn)).toMatchObject({ taxed_amount: '1000.00', source_type: 11 })
  expect(subtract(before.receivable_invoiced, (await book()).receivable_invoiced, 2)).toBe('1000.00')
  expect(await dealer.info('outboundInvoice', first)).toMatchObject({ state: 'completed', pay_state: '3' })
  expect(await dealer.info('outboundInvoice', second)).toMatchObject({ state: 'partial', pay_state: '2' })
  const { list } = await dealer.client.get('/v1/business/receipt/sources', { for: 'odoInvoice' })
  expect(list.find(row => row.source_sn === second)).toMatchObject({ left: '300.00' })
  expect(list.find(row => row.source_sn === first)).toBeUndefined()
})

test('never exceeds the open amount; only issued invoices of this customer', async () => {
  const { dealer, v } = scene
  const sn = await issued('3')
  expectMessage(await attempt(dealer, 'receipt', money([on(sn, '300.01')]), 'review'), '核销金额超过未收金额300.00')
  await received([on(sn, '100')])
  expectMessage(await attempt(dealer, 'receipt', money([on(sn, '201')]), 'review'), '核销金额超过未收金额200.00')
  expectMessage(
    await dealer.client.post('/v1/business/receipt/add', { ...money([on(sn, '1')]), counterparty_sn: v }),
    `请选择同一客户的来源单（${sn}）`,
  )
  const other = await issued('1')
  await dealer.done('outboundInvoice', 'unreview', other)
  expectMessage(
    await dealer.client.post('/v1/business/receipt/add', money([on(other, '1')])),
    `来源单${other}当前状态不能引用，请确认已审核且未终止`,
  )
  expectMessage(await attempt(dealer, 'receipt', money([{ taxed_amount: '0' }])), '第1行：金额不能为0')
})

test('what matches no invoice is an advance receipt', async () => {
  const sn = await issued('1')
  const before = await book()
  const partly = await received([on(sn, '100'), { taxed_amount: '50' }])
  const after = await book()
  expect(subtract(after.prereceived, before.prereceived, 2)).toBe('50.00')
  expect(subtract(before.receivable, after.receivable, 2)).toBe('100.00')
  const listed = async (query: Record<string, string>) => (await scene.dealer.list('receipt', query))[0]
  const shown = { matched_amount: '100.00', unmatched_amount: '50.00', matching_state: '2' }
  expect(await listed({ sn: partly, matching_state: '2' })).toMatchObject(shown)
  await scene.dealer.done('receipt', 'unmatch', partly, { reason: '核错发票' })
  const none = { matched_amount: '0.00', unmatched_amount: '150.00', matching_state: '1' }
  expect(await listed({ sn: partly })).toMatchObject(none)
  await scene.dealer.done('receipt', 'match', partly, { match_invoices: sn })
  expect(await listed({ sn: partly })).toMatchObject(shown)
  const whole = await received([on(await issued('1'), '100')])
  expect(await listed({ sn: whole })).toMatchObject({ matching_state: '3', unmatched_amount: '0.00' })
  // It is a row of 预收款管理, beside money that was received in advance by a prereceipt.
  const rows = await scene.dealer.list('advanceItem', { side: 'prereceived', counterparty_sn: scene.h })
  expect(rows.filter(row => row.kind === 'receipt' && row.left_amount === '50.00')).not.toEqual([])
  expect(
    sum(
      rows.map(row => row.left_amount),
      2,
    ),
  ).toBe(after.prereceived)
})

test('an amount other than the customer announced needs a reason', async () => {
  const { dealer, hospital, finance, d } = scene
  const invoice = await issued('4')
  const bill = await dealer.info('outboundInvoice', invoice)
  await hospital.pass('purchaseGrn', (await hospital.from('purchaseGrn', bill.source_sn)).sn)
  const [created] = await hospital.list('inboundInvoice', { invoice_no: bill.invoice_no })
  await hospital.done('inboundInvoice', 'review', created.sn)
  const application = await hospital.add('paymentApplication', {
    source_type: 10,
    source_sn: created.sn,
    counterparty_sn: d,
  })
  await hospital.pass('paymentApplication', application)
  const payment = await hospital.add('payment', { source_type: 115, source_sn: application })
  await hospital.done('payment', 'submit', payment)
  await finance.done('payment', 'review', payment)
  const [draft] = await dealer.list('receipt', { counter_payment_sn: payment })
  expect(draft).toMatchObject({ taxed_amount: '400.00', counter_payment_amount: '400.00', counter_payment_sn: payment })
  const edit = async (body: object) => {
    const { version } = await dealer.info('receipt', draft.sn)
    return dealer.client.post('/v1/business/receipt/edit', { sn: draft.sn, version, ...body })
  }
  expect((await edit({ lines: [{ line_no: 1, taxed_amount: '399.00' }] })).code).toBe(0)
  expectMessage(await dealer.do('receipt', 'submit', draft.sn), '收款金额与对方付款金额不一致，请填写原因')
  await edit({ difference_reason: '银行扣手续费' })
  await dealer.pass('receipt', draft.sn)
  expect((await dealer.info('outboundInvoice', invoice)).pay_state).toBe('2')
})

test('a bounced bill is reversed in red with its reason, and the invoice is open again', async () => {
  const { dealer } = scene
  const invoice = await issued('5')
  const before = await book()
  const sn = await received([on(invoice, '500')], { payment_method: 'bill', bill_no: 'HP-1', bill_due_date: day(90) })
  expectMessage(await dealer.do('receipt', 'redReverse', sn), '请填写红冲原因')
  await dealer.done('receipt', 'redReverse', sn, { reason: '退票' })
  expect(await book()).toEqual(before)
  expect(await dealer.info('outboundInvoice', invoice)).toMatchObject({ state: 'reviewed', pay_state: '1' })
  await received([on(invoice, '500')])
})

test('recorded, it cannot change; a bank serial number is unique; no future date', async () => {
  const { dealer } = scene
  const sn = await received([on(await issued('1'), '100')], { bank_serial_no: 'SK-1' })
  await dealer.done('receipt', 'record', sn, { accounting_period: '2026-01', voucher_no: '记-3' })
  expectMessage(await dealer.do('receipt', 'unreview', sn), '单据已记账，不能反审核')
  expectMessage(await dealer.do('receipt', 'redReverse', sn, { reason: '错' }), '单据已记账，请先取消记账')
  await dealer.done('receipt', 'unrecord', sn, { reason: '凭证有误' })
  await dealer.done('receipt', 'unreview', sn)
  await dealer.done('receipt', 'review', sn)
  const again = money([on(await issued('1'), '100')], { bank_serial_no: 'SK-1' })
  expectMessage(await attempt(dealer, 'receipt', again), `银行流水号SK-1已使用（${sn}）`)
  expectMessage(
    await attempt(dealer, 'receipt', money([{ taxed_amount: '1' }], { paid_on: day(1) })),
    '收款日期不能晚于今天',
  )
})

test('automatic 核销: oldest invoice first, the next in part, and the rest is an advance receipt', async () => {
  const { dealer } = scene
  const other = await scene.one("select id from organisation where code = 'H02'")
  const [first, second] = [await issued('6', other.id), await issued('7', other.id)]
  const match = (received_amount: string | null) =>
    dealer.client.post('/v1/business/receipt/autoMatch', { counterparty_sn: other.id, received_amount })
  const lines = async (amount: string) => {
    const doc = await dealer.info('receipt', (await match(amount)).info.sn)
    return doc.lines.map((line: Record<string, string>) => [line.source_sn, line.taxed_amount])
  }
  expect(await lines('1000')).toEqual([
    [first, '600.00'],
    [second, '400.00'],
  ])
  expect(await lines('1350')).toEqual([
    [first, '600.00'],
    [second, '700.00'],
    [null, '50.00'],
  ])
  // The exact amount of an invoice, or its number in the bank's remark, comes before age.
  expect(await lines('700')).toEqual([[second, '700.00']])
  const { invoice_no } = await dealer.info('outboundInvoice', second)
  const named = await dealer.client.post('/v1/business/receipt/autoMatch', {
    counterparty_sn: other.id,
    received_amount: '650',
    bank_remark: `货款 发票${invoice_no}`,
  })
  expect(named.info.result).toBe('已按附言中的发票号码建议核销，请核对后提交')
  expect((await dealer.info('receipt', named.info.sn)).lines).toMatchObject([
    { source_sn: second, taxed_amount: '650.00' },
  ])
  const elsewhere = { counterparty_sn: scene.d, received_amount: '1' }
  expectMessage(await scene.hospital.client.post('/v1/business/receipt/autoMatch', elsewhere), '没有操作权限')
  expectMessage(await match(null), '请填写收款金额')
  expectMessage(await match('一千'), /收款金额/)
})

test('取消核销 keeps the receipt and reopens the invoices; 核销 applies it to others; not once recorded', async () => {
  const { dealer } = scene
  const [first, second] = [await issued('2'), await issued('3')]
  const before = await book()
  const sn = await received([on(first, '200'), { taxed_amount: '50' }])
  const matched = await book()
  expectMessage(await dealer.do('receipt', 'unmatch', sn), '请填写取消核销的原因')
  await dealer.done('receipt', 'unmatch', sn, { reason: '客户指定付另一张' })
  expect(await dealer.info('outboundInvoice', first)).toMatchObject({ state: 'reviewed', pay_state: '1' })
  const free = await book()
  expect([free.receivable_invoiced, subtract(free.prereceived, before.prereceived, 2)]).toEqual([
    before.receivable_invoiced,
    '250.00',
  ])
  expect(await dealer.info('receipt', sn)).toMatchObject({ state: 'reviewed', taxed_amount: '250.00', source_sn: null })
  expectMessage(await dealer.do('receipt', 'unmatch', sn, { reason: '再取消' }), '该收款单没有核销发票')
  expectMessage(
    await dealer.do('receipt', 'match', sn, { match_invoices: 'XX-0' }),
    '没有未收款的发票可核销，请核对开票单号或发票号码',
  )
  const { invoice_no } = await dealer.info('outboundInvoice', second)
  await dealer.done('receipt', 'match', sn, { match_invoices: invoice_no })
  expect(await dealer.info('outboundInvoice', second)).toMatchObject({ state: 'partial', pay_state: '2' })
  expect(await dealer.info('receipt', sn)).toMatchObject({
    source_sn: second,
    taxed_amount: '250.00',
    lines: [{ source_sn: second, invoice_no, taxed_amount: '250.00' }],
  })
  expectMessage(await dealer.do('receipt', 'match', sn), '该收款单已全部核销')
  await dealer.done('receipt', 'unmatch', sn, { reason: '改回' })
  await dealer.done('receipt', 'match', sn, { match_invoices: `${first}，${second}` })
  expect(await dealer.info('outboundInvoice', first)).toMatchObject({ pay_state: '3' })
  expect((await book()).receivable_invoiced).toBe(subtract(matched.receivable_invoiced, '50', 2))
  await dealer.done('receipt', 'record', sn, { accounting_period: '2026-01', voucher_no: '记-9' })
  expectMessage(await dealer.do('receipt', 'unmatch', sn, { reason: '晚了' }), '单据已记账，不能取消核销')
  await dealer.done('receipt', 'unrecord', sn, { reason: '凭证有误' })
  await dealer.done('receipt', 'unreview', sn)
  expect(await book()).toEqual(before)
})
