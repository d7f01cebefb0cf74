import { subtract, sum } from '#kernel/values/decimal.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { afterThisTest, attempt, lotOf, openScene, owed, expectMessage, type Scene } from '#tests/support/fixture.ts'
import { uploadPicture } from '#tests/support/picture.ts'
import { proves } from '#tests/support/proves.ts'
import { day } from '#tests/support/story.ts'

/**
 * 进项发票: the supplier's invoice over received goods. The estimated payable becomes one under the invoice, and may be
 * paid.
 */
let scene: Scene
const number = (nth: number): string => `26312000000000000${String(nth).padStart(3, '0')}`

/** Goods of the dealer, delivered and received at 145 per piece; returns the receipt's number. */
async function received(quantity: string, lot_no = 'JX1'): Promise<string> {
  const { dealer, hospital, shop, inflator, h } = scene
  const sn = await dealer.add('saleOdo', {
    counterparty_sn: h,
    warehouse_model_inner_sn: shop,
    lines: [{ specification_sn: inflator, lot_no, quantity }],
  })
  await dealer.pass('saleOdo', sn)
  const grn = (await hospital.from('purchaseGrn', sn)).sn
  await hospital.pass('purchaseGrn', grn)
  return grn
}
const bill = (grn: string, nth: number, more: object = {}) => ({
  source_type: 9,
  source_sn: grn,
  invoice_no: number(nth),
  invoice_date: day(),
  ...more,
})
const draft = (body: object) => scene.hospital.add('inboundInvoice', body)
async function passed(body: object): Promise<string> {
  const sn = await draft(body)
  await scene.hospital.pass('inboundInvoice', sn)
  return sn
}
/** 差异审核 by a colleague. */
async function agreed(sn: string): Promise<void> {
  const second = await scene.colleague('hospital')
  await second.done('inboundInvoice', 'approveMatch', sn, { reason: '已与供应商核实' })
}
const debt = () => owed(scene.hospital, scene.d)

beforeAll(async () => {
  scene = await openScene({ figures: true })
  const { dealer, shop, inflator } = scene
  await scene.shelve(dealer, shop, [
    lotOf(inflator, 'JX1', { quantity: '500' }),
    lotOf(inflator, 'JX2', { quantity: '100' }),
  ])
})
afterAll(() => scene?.close())

test('a number of 20 digits, or 8 with a code of 10 or 12; unique in the organisation; no future date', async () => {
  const grn = await received('1')
  const wrong = '发票号码格式错误：数电发票为20位数字，纸质发票为10或12位代码加8位号码'
  for (const more of [
    { invoice_no: '123' },
    { invoice_no: '12345678' },
    { invoice_no: '12345678', invoice_code: '123456789' },
    { invoice_no: number(1), invoice_code: '3200000000' },
  ])
    expectMessage(await attempt(scene.hospital, 'inboundInvoice', bill(grn, 1, more)), wrong)
  expectMessage(
    await attempt(scene.hospital, 'inboundInvoice', bill(grn, 1, { invoice_date: day(1) })),
    '开票日期不能晚于今天',
  )
  expectMessage(await attempt(scene.hospital, 'inboundInvoice', bill(grn, 1, { invoice_no: null })), '请填写发票号码')
  const doc = await passed(bill(grn, 1, { invoice_no: '12345678', invoice_code: '3200000000' }))
  const { info: printed } = await scene.hospital.client.get('/v1/business/purchaseGrn/print', { sn: grn })
  expect(printed).toMatchObject({ invoice_nos: '12345678', order_sns: null })
  const other = await received('1')
  const again = { invoice_no: '12345678', invoice_code: '3200000000' }
  expectMessage(
    await attempt(scene.hospital, 'inboundInvoice', bill(other, 1, again)),
    `发票号码12345678已存在（${doc}）`,
  )
  await passed(bill(other, 1, { invoice_no: '12345678', invoice_code: '320000000012' }))
})

test('covers one supplier’s receipts, never beyond the uninvoiced amount; many to many is allowed', async () => {
  const [first, second] = [await received('10'), await received('4')]
  const part = await passed(bill(first, 2, { lines: [{ source_line_no: 1, quantity: '6' }] }))
  expect((await scene.hospital.info('inboundInvoice', part)).lines[0]).toMatchObject({ taxed_amount: '870.00' })
  const much = await draft(bill(first, 3, { lines: [{ source_line_no: 1, quantity: '5' }] }))
  expectMessage(await scene.hospital.do('inboundInvoice', 'submit', much), '开票数量超过未开票数量4')
  const rest = [
    { source_sn: first, source_line_no: 1 },
    { source_sn: second, source_line_no: 1 },
  ]
  const both = await passed({ invoice_no: number(4), counterparty_sn: scene.d, lines: rest })
  expect(await scene.hospital.info('inboundInvoice', both)).toMatchObject({ taxed_amount: '1160.00', line_count: 2 })
  for (const grn of [first, second])
    expect(await scene.hospital.info('purchaseGrn', grn)).toMatchObject({ invoice_state: '3' })
  const { list } = await scene.hospital.client.get('/v1/business/inboundInvoice/sources', { for: 'grn' })
  expect(list.map(row => row.source_sn)).not.toContain(first)
  const open = [await received('1'), await received('1')]
  const offered = await scene.hospital.client.get('/v1/business/inboundInvoice/sources', { for: 'grn' })
  expect(offered.list.map(row => row.source_sn).filter(sn => open.includes(sn))).toEqual(open.toReversed())
  expectMessage(
    await scene.hospital.client.post(
      '/v1/business/inboundInvoice/add',
      bill(open[0]!, 9, { counterparty_sn: scene.v }),
    ),
    `请选择同一供应商的来源单（${open[0]}）`,
  )
  const bare = {
    counterparty_sn: scene.d,
    invoice_no: number(9),
    lines: [{ specification_sn: scene.inflator, quantity: '1' }],
  }
  expectMessage(await attempt(scene.hospital, 'inboundInvoice', bare), '第1行：发票明细请选择入库单或结算入库单')
})

test('the 尾差 within 5 fen posts automatically; beyond it, or if tax does not match the rate, refused', async () => {
  proves('invoice.tolerance')
  const grn = await received('10')
  const before = await debt()
  expectMessage(
    await attempt(scene.hospital, 'inboundInvoice', bill(grn, 5, { invoice_amount: '1450.06' })),
    '发票金额与入库金额差异0.06元，超出允许尾差0.05元',
  )
  expectMessage(
    await attempt(
      scene.hospital,
      'inboundInvoice',
      bill(grn, 5, { lines: [{ source_line_no: 1, quantity: '10', tax_amount: '170.00' }] }),
    ),
    /第1行：税额与税率不符，应约为/,
  )
  const sn = await passed(bill(grn, 5, { invoice_amount: '1450.03' }))
  const after = await debt()
  expect(subtract(after.payable_invoiced, before.payable_invoiced, 2)).toBe('1450.03')
  expect(subtract(after.payable, before.payable, 2)).toBe('0.03')
  const [rounding] = await scene.server.database.owner`
    select e.amount from account_entry e join document d on d.org_id = e.org_id and d.id = e.document_id
      where d.sn = ${sn} and d.org_id = ${scene.h} and e.account = 'rounding'`
  expect(rounding).toMatchObject({ amount: '0.03' })
})

test('due after the supplier’s term from review; waits for a payment request; then cannot be changed', async () => {
  const { hospital, h, d } = scene
  await scene.one('update org_relation set payment_days = 45 where org_id = $1 and partner_id = $2 returning 1', h, d)
  const sn = await passed(bill(await received('2'), 6))
  expect(await hospital.info('inboundInvoice', sn)).toMatchObject({ due_date: day(45), pay_state: '1' })
  const application = await hospital.add('paymentApplication', { source_type: 10, source_sn: sn })
  await hospital.done('paymentApplication', 'submit', application)
  expect(await hospital.info('inboundInvoice', sn)).toMatchObject({ pay_state: '2' })
  expectMessage(
    await hospital.do('inboundInvoice', 'unreview', sn),
    `发票已申请付款或收款，不能反审核（${application}）`,
  )
  expectMessage(
    await hospital.do('inboundInvoice', 'redReverse', sn, { reason: '错' }),
    `发票已申请付款或收款，不能红冲（${application}）`,
  )
  await hospital.done('paymentApplication', 'unsubmit', application)
  await hospital.client.post('/v1/business/paymentApplication/del', {
    sn: application,
    version: (await hospital.info('paymentApplication', application)).version,
  })
  await hospital.done('inboundInvoice', 'unreview', sn)
  await hospital.done('inboundInvoice', 'review', sn)
})

test('a red invoice names its blue one and reverses no more than remains, and nothing already paid', async () => {
  const { hospital } = scene
  const grn = await received('10')
  const blue = await passed(bill(grn, 7))
  const before = await debt()
  const red = (quantity: string, more: object = {}) =>
    bill(grn, 8, { is_red: true, blue_invoice_no: number(7), lines: [{ source_line_no: 1, quantity }], ...more })
  expectMessage(
    await attempt(hospital, 'inboundInvoice', red('-1', { blue_invoice_no: null })),
    '红字发票请填写对应的蓝字发票号码',
  )
  expectMessage(
    await attempt(hospital, 'inboundInvoice', red('-1', { blue_invoice_no: number(99) })),
    `没有找到已审核的蓝字发票${number(99)}，请核对号码`,
  )
  expectMessage(await attempt(hospital, 'inboundInvoice', red('1')), '红字发票的金额应为负数')
  expectMessage(
    await attempt(hospital, 'inboundInvoice', red('-11')),
    `红字发票金额不能大于原发票：${blue}可红冲1450.00元`,
  )
  const sn = await passed(red('-2'))
  expect(subtract((await debt()).payable_invoiced, before.payable_invoiced, 2)).toBe('-290.00')
  expect((await debt()).payable).toBe(before.payable)
  expect((await hospital.info('purchaseGrn', grn)).lines[0].invoiced_quantity).toBe('8.000')
  expectMessage(
    await attempt(hospital, 'inboundInvoice', red('-9', { invoice_no: number(10) })),
    `红字发票金额不能大于原发票：${blue}可红冲1160.00元`,
  )
  // The red invoice is offset against the blue one: both together apply for what is left.
  const application = await hospital.add('paymentApplication', {
    counterparty_sn: scene.d,
    lines: [
      { source_sn: blue, source_line_no: 1 },
      { source_sn: sn, source_line_no: 1 },
    ],
  })
  expect((await hospital.info('paymentApplication', application)).taxed_amount).toBe('1160.00')
  await hospital.pass('paymentApplication', application)
  const payment = await hospital.add('payment', { source_type: 115, source_sn: application })
  await hospital.done('payment', 'submit', payment)
  await scene.finance.done('payment', 'review', payment)
  for (const doc of [blue, sn]) expect((await hospital.info('inboundInvoice', doc)).pay_state).toBe('3')
  expectMessage(
    await attempt(hospital, 'inboundInvoice', red('-1', { invoice_no: number(10) })),
    '发票已付款，请先办理退款或转预付',
  )
})

test('finance certifies special invoices only, for the issue month or later; undone, the tax is reversed', async () => {
  const { hospital } = scene
  const plain = await passed(bill(await received('1'), 11, { invoice_type: 'e_normal' }))
  expectMessage(
    await hospital.do('inboundInvoice', 'certify', plain, { certify_state: 'chosen' }),
    '只有专用发票需要勾选认证',
  )
  const sn = await passed(bill(await received('1'), 12))
  expectMessage(await hospital.do('inboundInvoice', 'certify', sn, { certify_state: 'certified' }), '请填写认证所属期')
  const early = { certify_state: 'certified', certify_period: day(-40).slice(0, 7) }
  expectMessage(await hospital.do('inboundInvoice', 'certify', sn, early), '认证所属期不能早于开票月份')
  await hospital.done('inboundInvoice', 'certify', sn, {
    certify_state: 'certified',
    certify_period: day().slice(0, 7),
  })
  const { red_sn } = await hospital.done('inboundInvoice', 'redReverse', sn, { reason: '开票有误' })
  expect(await hospital.info('inboundInvoice', red_sn)).toMatchObject({
    tax_transfer_out: true,
    taxed_amount: '-145.00',
  })
})

test('recorded under a voucher it cannot change, until it is removed from the books', async () => {
  const { hospital } = scene
  const sn = await passed(bill(await received('1'), 13))
  await hospital.done('inboundInvoice', 'record', sn, { accounting_period: '2026-01', voucher_no: '记-0001' })
  expect(await hospital.info('inboundInvoice', sn)).toMatchObject({ record_state: '2', voucher_no: '记-0001' })
  expectMessage(await hospital.do('inboundInvoice', 'unreview', sn), '发票已记账，不能反审核')
  expectMessage(await hospital.do('inboundInvoice', 'record', sn), '发票已记账')
  expectMessage(await hospital.do('inboundInvoice', 'unrecord', sn), '请填写取消记账原因')
  await hospital.done('inboundInvoice', 'unrecord', sn, { reason: '凭证有误' })
  await hospital.done('inboundInvoice', 'unreview', sn)
  const drafted = await passed(bill(await received('1'), 14))
  await hospital.done('inboundInvoice', 'record', drafted)
  expect(await hospital.info('inboundInvoice', drafted)).toMatchObject({
    accounting_period: day().slice(0, 7),
    voucher_no: `记-草稿${day().slice(0, 7).replace('-', '')}`,
  })
})

test('users cannot review their own unless the organisation allows it; batches review one by one', async () => {
  const { hospital, finance, h } = scene
  const [one, two] = [await draft(bill(await received('1'), 15)), await draft(bill(await received('1'), 16))]
  await scene.rule(h, 'allow_self_review', false)
  await hospital.done('inboundInvoice', 'submit', one)
  expectMessage(await hospital.do('inboundInvoice', 'review', one), '不能审核本人登记的发票')
  const items = await Promise.all(
    [one, two].map(async sn => ({ sn, version: (await hospital.info('inboundInvoice', sn)).version })),
  )
  const { list } = await finance.client.post('/v1/business/inboundInvoice/batch', { action: 'review', items })
  expect(list.map(row => [row.sn, row.code])).toEqual([
    [one, 0],
    [two, 2101],
  ])
  await scene.rule(h, 'allow_self_review', true)
  const page = await hospital.client.get('/v1/business/inboundInvoice/list', { state: 'reviewed', pageSize: '1' })
  const all = await hospital.list('inboundInvoice', { state: 'reviewed', pageSize: '500' })
  const total = sum(
    all.map(row => row.taxed_amount),
    2,
  )
  expect([page.total, page.summary.taxed_amount]).toEqual([all.length, total])
})

test('两票制, where on: an invoice for another manufacturer’s goods names the manufacturer’s invoice', async () => {
  proves('invoice.firstInvoice')
  const { hospital, h } = scene
  const [first, second] = [await received('1'), await received('1')]
  await scene.rule(h, 'two_invoice_system', true)
  await scene.rule(h, 'two_invoice_check', 'refuse')
  // A hospital without a setting requires it only for high-value goods.
  const dear =
    'update product set is_high_value = $2 where id = (select product_id from specification where id = $1) returning 1'
  await scene.one(dear, scene.inflator, false)
  await hospital.pass('inboundInvoice', await draft(bill(await received('1'), 71)))
  await scene.one(dear, scene.inflator, true)
  const sn = await draft(bill(first, 17))
  const edit = async (body: object) => {
    const { version } = await hospital.info('inboundInvoice', sn)
    return hospital.client.post('/v1/business/inboundInvoice/edit', { sn, version, ...body })
  }
  expectMessage(await hospital.do('inboundInvoice', 'submit', sn), '请填写第一票发票号码并上传')
  await edit({ first_invoice_no: number(70) })
  expectMessage(await hospital.do('inboundInvoice', 'submit', sn), '请填写第一票发票号码并上传')
  await edit({ attachments: [await uploadPicture(hospital)] })
  await hospital.pass('inboundInvoice', sn)
  // 提醒: the user is asked, and the history shows who confirmed.
  await scene.rule(h, 'two_invoice_check', 'warn')
  const bare = await draft(bill(second, 18))
  await hospital.done('inboundInvoice', 'submit', bare)
  const { version } = await hospital.info('inboundInvoice', bare)
  const asked = await hospital.client.post('/v1/business/inboundInvoice/review', { sn: bare, version })
  const question = '没有生产厂家的第一票发票号码或图片，是否继续？'
  expect(asked).toMatchObject({ code: 2200, info: { questions: [{ rule: 'twoInvoice', msg: question }] } })
  await hospital.done('inboundInvoice', 'review', bare)
  expect((await hospital.info('inboundInvoice', bare)).history.at(-1).confirmed).toEqual([question])
  await scene.rule(h, 'two_invoice_system', false)
})

test('默认账期: without terms agreed with the supplier, the organisation’s default days apply', async () => {
  proves('invoice.dueByTerm')
  const { hospital, h, d } = scene
  await scene.rule(h, 'default_payment_days', 75)
  const agreed = await scene.one(
    'select max(payment_days) as days from org_relation where org_id = $1 and partner_id = $2',
    h,
    d,
  )
  await scene.server.database.owner`update org_relation set payment_days = 0 where org_id = ${h} and partner_id = ${d}`
  const bare = await passed(bill(await received('1'), 19))
  expect(await hospital.info('inboundInvoice', bare)).toMatchObject({ due_date: day(75) })
  await scene.server.database.owner`update org_relation set payment_days = 20 where org_id = ${h} and partner_id = ${d}`
  const known = await passed(bill(await received('1'), 20))
  expect(await hospital.info('inboundInvoice', known)).toMatchObject({ due_date: day(20) })
  await scene.server.database
    .owner`update org_relation set payment_days = ${agreed.days} where org_id = ${h} and partner_id = ${d}`
})

test('自动匹配: receipts oldest first until they make up the invoice exactly, or nothing', async () => {
  const { hospital } = scene
  const other = await scene.org('D02')
  const receive = async (quantity: string) => {
    const line = { ...lotOf(scene.inflator, 'JX9'), quantity, price: '100' }
    const grn = { counterparty_sn: other, warehouse_model_inner_sn: scene.central, lines: [line] }
    const sn = await hospital.add('purchaseGrn', grn)
    await hospital.pass('purchaseGrn', sn)
    return sn
  }
  const [first, second] = [await receive('3'), await receive('2')]
  await receive('4')
  const match = (invoice_amount: string) =>
    hospital.client.post('/v1/business/inboundInvoice/autoMatch', {
      counterparty_sn: other,
      invoice_no: number(90),
      invoice_date: day(),
      invoice_amount,
    })
  expectMessage(await match('450'), '未找到金额匹配的入库明细')
  expectMessage(await match('100000'), '未找到金额匹配的入库明细')
  const { info } = await match('500')
  const doc = await hospital.info('inboundInvoice', info.sn)
  expect(doc).toMatchObject({ taxed_amount: '500.00', invoice_amount: '500.00', invoice_no: number(90) })
  expect(doc.lines.map((line: Record<string, string>) => line.source_sn)).toEqual([first, second])
  await hospital.pass('inboundInvoice', info.sn)
})

test('an invoice at another price than the receipt asks, needs a reason, and leaves no estimated debt behind', async () => {
  const { hospital } = scene
  const grn = await received('2')
  const before = await debt()
  const dear = bill(grn, 100, { lines: [{ source_line_no: 1, quantity: '2', price: '150' }] })
  const sn = await draft(dear)
  const question = new RegExp(
    `第1行【.+】开票单价150元，采购入库单${grn}为145元，金额相差10元，是否确认差异并按发票入账？`,
  )
  const { version } = await hospital.info('inboundInvoice', sn)
  const asked = await hospital.client.post('/v1/business/inboundInvoice/submit', { sn, version })
  expect([asked.code, asked.info.questions[0].msg]).toEqual([2200, expect.stringMatching(question)])
  await hospital.done('inboundInvoice', 'submit', sn)
  await agreed(sn)
  expectMessage(await hospital.do('inboundInvoice', 'review', sn), '请填写差异原因')
  await hospital.done('inboundInvoice', 'review', sn, { reason: '供应商已通知涨价' })
  const doc = await hospital.info('inboundInvoice', sn)
  expect(doc).toMatchObject({
    check_result: 'confirmed',
    difference_reason: '供应商已通知涨价',
    taxed_amount: '300.00',
  })
  expect(doc.lines[0]).toMatchObject({ source_amount: '290.00', taxed_amount: '300.00' })
  expect(doc.history.at(-1).confirmed).toEqual([expect.stringMatching(question)])
  const after = await debt()
  expect(subtract(after.payable_invoiced, before.payable_invoiced, 2)).toBe('300.00')
  expect(subtract(after.payable, before.payable, 2)).toBe('10.00')
  await hospital.done('inboundInvoice', 'redReverse', sn, { reason: '价格有误' })
  expect(await debt()).toMatchObject({ payable: before.payable, payable_invoiced: before.payable_invoiced })
  // The receipt is open again, at its own price, and can be taken back: its invoice was reversed.
  await hospital.done('purchaseGrn', 'unreview', grn)
  await hospital.done('purchaseGrn', 'review', grn)
  const again = await draft(bill(grn, 101))
  expect(await hospital.info('inboundInvoice', again)).toMatchObject({ taxed_amount: '290.00' })
  await hospital.pass('inboundInvoice', again)
  expect(await hospital.info('inboundInvoice', again)).toMatchObject({ check_result: 'agrees' })
})

test('a part invoiced at another price leaves the rest at the price of the receipt', async () => {
  const { hospital } = scene
  const grn = await received('2')
  const part = await draft(bill(grn, 102, { lines: [{ source_line_no: 1, quantity: '1', price: '150' }] }))
  await hospital.done('inboundInvoice', 'submit', part)
  await agreed(part)
  await hospital.done('inboundInvoice', 'review', part, { reason: '按合同调价' })
  const rest = await draft(bill(grn, 103))
  expect(await hospital.info('inboundInvoice', rest)).toMatchObject({ taxed_amount: '145.00' })
})

test('another tax rate than the receipt’s asks; the tax of the invoice may be typed per line', async () => {
  const { hospital } = scene
  const [grn, other] = [await received('2'), await received('2')]
  const line = (await hospital.info('purchaseGrn', grn)).lines[0]
  const rate = line.tax_rate === 13 ? 6 : 13
  const sn = await draft(bill(grn, 104, { lines: [{ source_line_no: 1, quantity: '2', tax_rate: rate }] }))
  await hospital.done('inboundInvoice', 'submit', sn)
  const { version } = await hospital.info('inboundInvoice', sn)
  const asked = await hospital.client.post('/v1/business/inboundInvoice/review', { sn, version })
  expect([asked.code, asked.info.questions.map(({ msg }: { msg: string }) => msg)]).toEqual([
    2200,
    [expect.stringMatching(new RegExp(`第1行【.+】发票税率${rate}%，采购入库单${grn}为${line.tax_rate}%`))],
  ])
  await hospital.done('inboundInvoice', 'review', sn, { reason: '供应商按简易计税开票' })
  expect(await hospital.info('inboundInvoice', sn)).toMatchObject({ check_result: 'confirmed' })
  const tax = subtract(line.tax_amount, '0.02', 2)
  const typed = await passed(bill(other, 105, { lines: [{ source_line_no: 1, quantity: '2', tax_amount: tax }] }))
  expect((await hospital.info('inboundInvoice', typed)).lines[0]).toMatchObject({
    taxed_amount: '290.00',
    tax_amount: tax,
    untaxed_amount: subtract('290.00', tax, 2),
  })
})

test('a typed line amount within the tolerance stands as typed; the cents are 尾差, not estimated debt', async () => {
  const grn = await received('2')
  const before = await debt()
  const sn = await draft(bill(grn, 106, { lines: [{ source_line_no: 1, quantity: '2', taxed_amount: '290.04' }] }))
  await scene.hospital.done('inboundInvoice', 'submit', sn)
  await agreed(sn)
  await scene.hospital.done('inboundInvoice', 'review', sn)
  expect(await scene.hospital.info('inboundInvoice', sn)).toMatchObject({ taxed_amount: '290.04' })
  const after = await debt()
  expect(subtract(after.payable_invoiced, before.payable_invoiced, 2)).toBe('290.04')
  expect(subtract(after.payable, before.payable, 2)).toBe('0.04')
})

test('three invoices of one receipt add up to it with tax, without tax, and in tax', async () => {
  const { hospital, inflator } = scene
  // Only units for measuring allow fractions.
  const { unit_name } = await scene.one('select unit_name from specification where id = $1', inflator)
  const measured = (unit: string) =>
    scene.one('update specification set unit_name = $2 where id = $1 returning 1', inflator, unit)
  await measured('kg')
  afterThisTest(() => measured(unit_name))
  const line = { ...lotOf(inflator, 'JX9'), quantity: '7.777', price: '12.3456', tax_rate: 13 }
  const supplier = await scene.org('D02')
  const grn = await hospital.add('purchaseGrn', {
    counterparty_sn: supplier,
    warehouse_model_inner_sn: scene.central,
    lines: [line],
  })
  await hospital.pass('purchaseGrn', grn)
  const whole = (await hospital.info('purchaseGrn', grn)).lines[0]
  const price = whole.price
  const sns = [
    await passed(bill(grn, 107, { lines: [{ source_line_no: 1, quantity: '2.593' }] })),
    await passed(bill(grn, 108, { lines: [{ source_line_no: 1, quantity: '2.593' }] })),
    // A page sends the price that it shows; the last part nevertheless takes the rest.
    await passed(bill(grn, 109, { lines: [{ source_line_no: 1, quantity: '2.591', price }] })),
  ]
  const invoices = await Promise.all(sns.map(sn => hospital.info('inboundInvoice', sn)))
  for (const name of ['taxed_amount', 'untaxed_amount', 'tax_amount'])
    expect([
      name,
      sum(
        invoices.map(doc => doc[name]),
        2,
      ),
    ]).toEqual([name, whole[name]])
  for (const doc of invoices) expect(doc.check_result).toBe('agrees')
})
