import { subtract, compare } from '#kernel/values/decimal.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { attempt, lotOf, openScene, owed, expectMessage, type Scene } from '#tests/support/fixture.ts'
import { openedBy, uploadPicture } from '#tests/support/picture.ts'
import { proves } from '#tests/support/proves.ts'
import { day } from '#tests/support/story.ts'

/**
 * 销项发票: our invoice over delivered goods. It turns the customer's debt without an invoice into debt under it, and the
 * customer has to check it.
 */
let scene: Scene
const number = (nth: number): string => `26322000000000000${String(nth).padStart(3, '0')}`

async function delivered(quantity: string, more: object = {}): Promise<string> {
  const { dealer, shop, inflator, h } = scene
  const sn = await dealer.add('saleOdo', {
    counterparty_sn: h,
    warehouse_model_inner_sn: shop,
    lines: [{ specification_sn: inflator, lot_no: 'XX1', quantity, price: '113' }],
    ...more,
  })
  await dealer.pass('saleOdo', sn)
  return sn
}
/** The hospital receives a quantity of a delivery, at once or in parts. */
async function receive(odo: string, quantity?: string): Promise<string> {
  const body = { source_type: 7, source_sn: odo, source_org_sn: scene.d }
  const lines = quantity ? { lines: [{ source_line_no: 1, quantity, reject_reason: '分批到货' }] } : {}
  const sn = await scene.hospital.add('purchaseGrn', { ...body, warehouse_model_inner_sn: scene.central, ...lines })
  await scene.hospital.pass('purchaseGrn', sn)
  return sn
}
const bill = (odo: string, nth: number, more: object = {}) => ({
  source_type: 7,
  source_sn: odo,
  invoice_no: number(nth),
  invoice_date: day(),
  ...more,
})
async function issued(body: object): Promise<string> {
  const sn = await scene.dealer.add('outboundInvoice', body)
  await scene.dealer.pass('outboundInvoice', sn)
  return sn
}
/** The document that one of our invoices created at the hospital and that still exists. */
const createdBy = async (nth: number) =>
  (await scene.hospital.list('inboundInvoice', { invoice_no: number(nth) })).find(row => row.state !== 'cancelled')

beforeAll(async () => {
  scene = await openScene()
  await scene.shelve(scene.dealer, scene.shop, [lotOf(scene.inflator, 'XX1', { quantity: '500' })])
})
afterAll(() => scene?.close())

test('made out to the customer’s file data, for the uninvoiced part of its deliveries', async () => {
  const { dealer, h } = scene
  const odo = await delivered('10')
  const { name, social_credit_code } = await scene.one(
    'select name, social_credit_code from organisation where id = $1',
    h,
  )
  const sn = await dealer.add('outboundInvoice', bill(odo, 1))
  const doc = await dealer.info('outboundInvoice', sn)
  expect(doc).toMatchObject({ buyer_name: name, buyer_tax_no: social_credit_code, counterparty_sn: h })
  // 1,130.00 at 13% is 1,000.00 and 130.00.
  expect(doc).toMatchObject({ taxed_amount: '1130.00', untaxed_amount: '1000.00', tax_amount: '130.00' })
  expectMessage(
    await attempt(dealer, 'outboundInvoice', bill(odo, 2, { buyer_tax_no: '9132' })),
    /购方税号应为18位数字或大写字母/,
  )
  await dealer.pass('outboundInvoice', sn)
  expect(await dealer.info('saleOdo', odo)).toMatchObject({ invoice_state: '3' })
  const again = await dealer.client.post('/v1/business/outboundInvoice/add', bill(odo, 2))
  expectMessage(again, `来源单${odo}已全部执行，没有剩余可引用`)
  const part = await delivered('5')
  await issued(bill(part, 3, { lines: [{ source_line_no: 1, quantity: '3' }] }))
  const much = await dealer.add('outboundInvoice', bill(part, 4, { lines: [{ source_line_no: 1, quantity: '3' }] }))
  expectMessage(await dealer.do('outboundInvoice', 'submit', much), '开票数量超过未开票数量2')
  const elsewhere = bill(odo, 5, { counterparty_sn: scene.v, lines: [{ source_line_no: 1, quantity: '1' }] })
  expectMessage(
    await dealer.client.post('/v1/business/outboundInvoice/add', elsewhere),
    `请选择同一客户的来源单（${odo}）`,
  )
})

test('requested first, numbered later; once numbered it cannot be voided but is reversed in red', async () => {
  proves('invoice.numberOnce')
  const { dealer } = scene
  const sn = await dealer.add('outboundInvoice', bill(await delivered('1'), 0, { invoice_no: null }))
  await dealer.done('outboundInvoice', 'submit', sn)
  expectMessage(await dealer.do('outboundInvoice', 'review', sn), '请先登记发票号码')
  expectMessage(await dealer.do('outboundInvoice', 'manual', sn), '请填写发票号码')
  await dealer.done('outboundInvoice', 'manual', sn, { invoice_no: number(6), invoice_date: day() })
  expectMessage(
    await dealer.do('outboundInvoice', 'cancel', sn, { reason: '不开了' }),
    '已开具的发票不能作废，请开具红字发票',
  )
  await dealer.done('outboundInvoice', 'review', sn)
  const other = await dealer.add('outboundInvoice', bill(await delivered('1'), 0, { invoice_no: null }))
  await dealer.done('outboundInvoice', 'cancel', other, { reason: '不开了' })
  expectMessage(
    await attempt(dealer, 'outboundInvoice', bill(await delivered('1'), 6)),
    `发票号码${number(6)}已存在（${sn}）`,
  )
})

test('no sheet exceeds the limit of the tax office', async () => {
  proves('invoice.sheetLimit')
  const { dealer, d } = scene
  await scene.rule(d, 'invoice_limit', '1000')
  expectMessage(await attempt(dealer, 'outboundInvoice', bill(await delivered('9'), 7)), '超过单张开票限额1000，请拆分')
  await scene.rule(d, 'invoice_limit', '0')
})

test('a special invoice is refused if the customer’s file says it is no general taxpayer', async () => {
  const { dealer, h } = scene
  const file = async (taxpayer_kind: string) => {
    const [row] = await dealer.list('orgRelation', { partner_sn: h })
    const body = { sn: row.relation_sn, version: row.version, taxpayer_kind }
    expect((await dealer.client.post('/v1/business/orgRelation/bank', body)).msg).toBe('')
  }
  const odo = await delivered('1')
  await file('none')
  expectMessage(
    await attempt(dealer, 'outboundInvoice', bill(odo, 51)),
    /^该客户不能开具专用发票（.+），请改开普通发票，或先在往来单位中修改纳税人类型$/,
  )
  await dealer.pass('outboundInvoice', await dealer.add('outboundInvoice', bill(odo, 52, { invoice_type: 'e_normal' })))
  await file('general')
  await issued(bill(await delivered('1'), 53))
})

test('reviewed, it is owed under invoice and sent to the customer; returned, it is corrected and resent', async () => {
  const { dealer, hospital, h } = scene
  const odo = await delivered('10')
  await receive(odo)
  const before = await owed(dealer, h)
  const scan = await uploadPicture(dealer)
  const sn = await issued({ ...bill(odo, 8), attachments: [scan] })
  const after = await owed(dealer, h)
  expect(subtract(after.receivable_invoiced, before.receivable_invoiced, 2)).toBe('1130.00')
  expect(after.receivable).toBe(before.receivable)
  expect(await dealer.info('outboundInvoice', sn)).toMatchObject({ check_state: 'sent' })
  const copy = (await createdBy(8)).sn
  // The picture of the invoice is sent with it, and removed when the invoice is withdrawn.
  expect((await hospital.info('inboundInvoice', copy)).attachments).toEqual([scan])
  expect(await openedBy(scan, dealer, hospital, scene.vendor)).toEqual([200, 200, 404])
  expectMessage(await hospital.do('inboundInvoice', 'reject', copy), '请填写退回原因')
  await hospital.done('inboundInvoice', 'reject', copy, { reason: '号码与影像不符' })
  expect(await dealer.info('outboundInvoice', sn)).toMatchObject({
    check_state: 'returned',
    answer_reason: '号码与影像不符',
  })
  await dealer.done('outboundInvoice', 'unreview', sn)
  expect(await dealer.info('outboundInvoice', sn)).toMatchObject({ check_state: 'unsent', answer_reason: null })
  expect((await hospital.info('inboundInvoice', copy)).state).toBe('cancelled')
  expect(await openedBy(scan, dealer, hospital)).toEqual([200, 404])
  await dealer.done('outboundInvoice', 'manual', sn, { invoice_no: number(9), invoice_date: day() })
  await dealer.done('outboundInvoice', 'review', sn)
  const corrected = (await createdBy(9)).sn
  await hospital.done('inboundInvoice', 'review', corrected)
  expect((await dealer.info('outboundInvoice', sn)).check_state).toBe('passed')
  await hospital.done('inboundInvoice', 'record', corrected, { accounting_period: '2026-01', voucher_no: '记-1' })
  expect((await dealer.info('outboundInvoice', sn)).check_state).toBe('recorded')
  expectMessage(await dealer.do('outboundInvoice', 'unreview', sn), `对方已处理（进项发票${corrected}），不能反审核`)
  expectMessage(
    await dealer.do('outboundInvoice', 'redReverse', sn, { reason: '价格' }),
    `对方已处理（进项发票${corrected}），不能红冲`,
  )
  // The customer agrees by withdrawing its own invoice first.
  await hospital.done('inboundInvoice', 'unrecord', corrected, { reason: '退票' })
  await hospital.done('inboundInvoice', 'redReverse', corrected, { reason: '退票' })
  await dealer.done('outboundInvoice', 'redReverse', sn, { reason: '退票' })
  expect((await owed(dealer, h)).receivable_invoiced).toBe(before.receivable_invoiced)
})

test('the invoice for a delivery received in two parts covers both receipts', async () => {
  const { hospital } = scene
  const odo = await delivered('10')
  const [first, second] = [await receive(odo, '4'), await receive(odo, '6')]
  await issued(bill(odo, 10))
  const doc = await hospital.info('inboundInvoice', (await createdBy(10)).sn)
  expect(doc.lines.map((line: Record<string, string>) => [line.source_sn, line.quantity, line.taxed_amount])).toEqual([
    [first, '4.000', '452.00'],
    [second, '6.000', '678.00'],
  ])
  await hospital.done('inboundInvoice', 'review', doc.sn)
  for (const grn of [first, second])
    expect(await hospital.info('purchaseGrn', grn)).toMatchObject({ invoice_state: '3' })
})

test('invoiced before receipt, it waits, and finds its receipt when it is checked', async () => {
  const { hospital } = scene
  const odo = await delivered('8')
  const early = await receive(odo, '3')
  await issued(bill(odo, 11))
  const { sn } = await createdBy(11)
  expectMessage(
    await hospital.do('inboundInvoice', 'review', sn),
    /第2行【一次性使用球囊充压装置】货物尚未入库，收货入库后再核对发票/,
  )
  const [two, three] = [await receive(odo, '2'), await receive(odo, '3')]
  await hospital.done('inboundInvoice', 'review', sn)
  const doc = await hospital.info('inboundInvoice', sn)
  expect(doc.lines.map((line: Record<string, string>) => [line.source_sn, line.quantity])).toEqual([
    [early, '3.000'],
    [two, '2.000'],
    [three, '3.000'],
  ])
  expect(doc).toMatchObject({ taxed_amount: '904.00', line_count: 3 })
})

test('our red invoice is the customer’s red invoice, covering what the blue one had taken', async () => {
  const { dealer, hospital } = scene
  const odo = await delivered('10')
  const grn = await receive(odo)
  await issued(bill(odo, 12))
  await hospital.done('inboundInvoice', 'review', (await createdBy(12)).sn)
  const red = { is_red: true, blue_invoice_no: number(12), lines: [{ source_line_no: 1, quantity: '-4' }] }
  const sn = await issued(bill(odo, 13, red))
  expect(await dealer.info('outboundInvoice', sn)).toMatchObject({ taxed_amount: '-452.00' })
  const copy = await createdBy(13)
  expect(copy).toMatchObject({ is_red: true, blue_invoice_no: number(12), taxed_amount: '-452.00' })
  await hospital.done('inboundInvoice', 'review', copy.sn)
  expect((await hospital.info('purchaseGrn', grn)).lines[0].invoiced_quantity).toBe('6.000')
})

test('once paid, it cannot be reversed', async () => {
  const { dealer } = scene
  const sn = await issued(bill(await delivered('1'), 14))
  const receipt = await dealer.add('receipt', { source_type: 11, source_sn: sn })
  await dealer.pass('receipt', receipt)
  expect(await dealer.info('outboundInvoice', sn)).toMatchObject({
    state: 'completed',
    state_name: '已收款',
    pay_state: '3',
  })
  expectMessage(await dealer.do('outboundInvoice', 'unreview', sn), `发票已申请付款或收款，不能反审核（${receipt}）`)
})

test('unpaid past its term, it blocks the customer’s next order, or gives a warning', async () => {
  const { dealer, d, h, inflator } = scene
  await issued(bill(await delivered('1'), 90))
  const order = await dealer.add('salesOrder', {
    counterparty_sn: h,
    lines: [{ specification_sn: inflator, quantity: '1' }],
  })
  await dealer.done('salesOrder', 'submit', order)
  const review = async () => {
    const { version } = await dealer.info('salesOrder', order)
    return dealer.client.post('/v1/business/salesOrder/review', { sn: order, version })
  }
  await scene.one('update org_relation set payment_days = 30 where org_id = $1 and partner_id = $2 returning 1', d, h)
  await scene.one(
    `update document set reviewed_at = reviewed_at - interval '30 days' where org_id = $1
      and kind = 'outboundInvoice' and fields->>'invoice_no' = $2 returning 1`,
    d,
    number(90),
  )
  await scene.rule(d, 'credit_check', 'refuse')
  // The last day of the payment term belongs to the term.
  const { version: first } = await dealer.info('salesOrder', order)
  const tried = await dealer.client.post('/v1/business/salesOrder/rehearse', {
    sn: order,
    version: first,
    action: 'review',
  })
  expect(tried.info.refusals).toEqual([])
  await scene.one(
    `update document set reviewed_at = reviewed_at - interval '1 day' where org_id = $1
      and kind = 'outboundInvoice' and fields->>'invoice_no' = $2 returning 1`,
    d,
    number(90),
  )
  const late = `客户存在逾期应收款113.00元（最早${day(-1)}到期）`
  expectMessage(await review(), `${late}，不能审核`)
  // A user who submits another order gets the message at once.
  const lines = [{ specification_sn: inflator, quantity: '1' }]
  expectMessage(await attempt(dealer, 'salesOrder', { counterparty_sn: h, lines }), `${late}，不能提交`)
  // 销售导航 shows it too, to the customer's own salesperson: another salesperson's customers are not in their figures.
  const owed = async (who: typeof dealer, mine: string) =>
    (await who.client.get('/v1/business/flow/sales', { mine })).info.figures
  expect(await owed(dealer, '1')).toMatchObject({ overdue_amount: '113.00' })
  expect(compare((await owed(dealer, '1')).receivable_amount, '113')).toBe(1)
  expect(await owed(scene.dealer2, '1')).toMatchObject({ overdue_amount: '0.00', receivable_amount: '0.00' })
  await scene.rule(d, 'credit_check', 'warn')
  expect(JSON.stringify((await review()).info)).toContain('客户存在逾期应收款113.00元')
  await scene.rule(d, 'credit_check', 'off')
  expect((await review()).code).toBe(0)
})

test('an invoice at another price than the delivery asks at both organisations, and says why it is right', async () => {
  const { dealer, hospital, h, d } = scene
  const odo = await delivered('2')
  await receive(odo)
  const [theirs, ours] = [await owed(dealer, h), await owed(hospital, d)]
  const sn = await dealer.add('outboundInvoice', bill(odo, 60, { lines: [{ source_line_no: 1, price: '150' }] }))
  await dealer.done('outboundInvoice', 'submit', sn)
  expectMessage(await dealer.do('outboundInvoice', 'review', sn), '请填写差异原因')
  await dealer.done('outboundInvoice', 'review', sn, { reason: '按新合同价' })
  const question = new RegExp(`第1行【.+】开票单价150元，销售出库单${odo}为113元，金额相差74元`)
  expect((await dealer.info('outboundInvoice', sn)).history.at(-1)).toMatchObject({
    reason: '按新合同价',
    confirmed: [expect.stringMatching(question)],
  })
  const billed = await owed(dealer, h)
  expect(subtract(billed.receivable, theirs.receivable, 2)).toBe('74.00')
  expect(subtract(billed.receivable_invoiced, theirs.receivable_invoiced, 2)).toBe('300.00')
  const created = (await createdBy(60)).sn
  // Its differences are shown from its arrival on, and it waits for a second person like one that was registered here.
  expect(await hospital.info('inboundInvoice', created)).toMatchObject({ match_state: 'beyond' })
  const confirmed = { reason: '合同价已变更' }
  expectMessage(await hospital.do('inboundInvoice', 'review', created, confirmed), /须由第二人差异审核$/)
  const second = await scene.colleague('hospital')
  await second.done('inboundInvoice', 'approveMatch', created, { reason: '已核实合同' })
  expectMessage(await hospital.do('inboundInvoice', 'review', created), '请填写差异原因')
  await hospital.done('inboundInvoice', 'review', created, { reason: '合同价已变更' })
  expect(await hospital.info('inboundInvoice', created)).toMatchObject({ check_result: 'confirmed' })
  const checked = await owed(hospital, d)
  expect(subtract(checked.payable, ours.payable, 2)).toBe('74.00')
  expect(subtract(checked.payable_invoiced, ours.payable_invoiced, 2)).toBe('300.00')
})

test('the tax typed on our invoice is the tax that the customer has to check', async () => {
  const odo = await delivered('2')
  await receive(odo)
  const sn = await issued(bill(odo, 61, { lines: [{ source_line_no: 1, tax_amount: '26.03' }] }))
  const [line] = (await scene.dealer.info('outboundInvoice', sn)).lines
  expect(line).toMatchObject({ taxed_amount: '226.00', tax_amount: '26.03', untaxed_amount: '199.97' })
  const copy = await scene.hospital.info('inboundInvoice', (await createdBy(61)).sn)
  expect(copy.lines[0]).toMatchObject({ taxed_amount: '226.00', tax_amount: '26.03', untaxed_amount: '199.97' })
})

test('a red invoice at another price than the goods asks like a blue one', async () => {
  const { dealer } = scene
  const odo = await delivered('4')
  await issued(bill(odo, 62))
  const red = { is_red: true, blue_invoice_no: number(62) }
  const body = bill(odo, 63, { ...red, lines: [{ source_line_no: 1, quantity: '-1', price: '200' }] })
  const sn = await dealer.add('outboundInvoice', body)
  const { version } = await dealer.info('outboundInvoice', sn)
  const asked = await dealer.client.post('/v1/business/outboundInvoice/submit', { sn, version })
  expect(asked.code).toBe(2200)
  expect(asked.info.questions[0].msg).toContain(`开票单价200元，销售出库单${odo}为113元，金额相差87元`)
  const right = await issued(bill(odo, 64, { ...red, lines: [{ source_line_no: 1, quantity: '-1' }] }))
  expect(await dealer.info('outboundInvoice', right)).toMatchObject({ taxed_amount: '-113.00' })
})
