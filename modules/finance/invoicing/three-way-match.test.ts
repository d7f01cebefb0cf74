import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectMessage, lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { proves } from '#tests/support/proves.ts'
import { day } from '#tests/support/story.ts'

/** 三单匹配 by quantity: the total invoiced for one line of an order against the ordered quantity. */
let scene: Scene
let nth = 0
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene?.close())

/** An order of 100, of which these are received one after another; their receipts. */
async function received(...parts: string[]): Promise<string[]> {
  const { hospital, central, inflator, d } = scene
  const order = await hospital.add('purchaseOrder', {
    counterparty_sn: d,
    warehouse_model_inner_sn: central,
    lines: [{ specification_sn: inflator, quantity: '100' }],
  })
  await hospital.pass('purchaseOrder', order)
  const receipts: string[] = []
  for (const quantity of parts) {
    const grn = await hospital.add('purchaseGrn', {
      source_type: 3,
      source_sn: order,
      warehouse_model_inner_sn: central,
      lines: [{ source_line_no: 1, ...lotOf(inflator, `SD${++nth}`, { quantity }), price: '145' }],
    })
    await hospital.pass('purchaseGrn', grn)
    receipts.push(grn)
  }
  return receipts
}
async function submitted(source_sn: string): Promise<string> {
  const sn = await scene.hospital.add('inboundInvoice', {
    source_type: 9,
    source_sn,
    invoice_no: `26361000000000000${String(++nth).padStart(3, '0')}`,
    invoice_date: day(),
  })
  await scene.hospital.done('inboundInvoice', 'submit', sn)
  return sn
}
const invoice = (sn: string) => scene.hospital.info('inboundInvoice', sn)

test('at the tolerance exactly nobody else is asked; one piece beyond it a second person must agree', async () => {
  proves('invoice.quantityGap')
  const { hospital, h } = scene
  await scene.rule(h, 'over_receive', '20')
  await scene.rule(h, 'invoice_quantity_gap', '10')
  const [whole, ten, one] = await received('100', '10', '1')
  const first = await submitted(whole!)
  await hospital.done('inboundInvoice', 'review', first)
  const exactly = await submitted(ten!)
  expect(await invoice(exactly)).toMatchObject({ match_state: 'within', match_note: null })
  await hospital.done('inboundInvoice', 'review', exactly)
  const beyond = await submitted(one!)
  expect(await invoice(beyond)).toMatchObject({
    match_state: 'beyond',
    match_note: expect.stringMatching(/^第1行【.+】累计开票111，订单CG\S+数量100，超出11%$/),
  })
  const second = await scene.colleague('hospital')
  expectMessage(await second.do('inboundInvoice', 'review', beyond), /超出11%，超出容差，须由第二人差异审核$/)
  expectMessage(
    await hospital.do('inboundInvoice', 'approveMatch', beyond, { reason: '多收' }),
    /^进项发票的制单人不能差异审核本单，请由他人差异审核/,
  )
  await second.done('inboundInvoice', 'approveMatch', beyond, { reason: '超订单收货已审批' })
  expectMessage(await second.do('inboundInvoice', 'review', beyond), '差异审核人不能再审核该发票，请由他人审核')
  await hospital.done('inboundInvoice', 'review', beyond)
  expect(await invoice(beyond)).toMatchObject({ state: 'reviewed', match_state: 'approved' })
})

test('a hair beyond the tolerance is beyond it, whatever rounding says', async () => {
  const { h } = scene
  await scene.rule(h, 'over_receive', '20')
  await scene.rule(h, 'invoice_quantity_gap', '9.996')
  const [all] = await received('110')
  expect(await invoice(await submitted(all!))).toMatchObject({ match_state: 'beyond' })
})

test('where the tolerance is 100, nothing is compared', async () => {
  const { hospital, h } = scene
  await scene.rule(h, 'over_receive', '20')
  await scene.rule(h, 'invoice_quantity_gap', '')
  const [all] = await received('120')
  const sn = await submitted(all!)
  expect(await invoice(sn)).toMatchObject({ match_state: 'within' })
  await hospital.done('inboundInvoice', 'review', sn)
})

test('an organisation that set nothing: one piece beyond the order needs a second person', async () => {
  const { h } = scene
  await scene.rule(h, 'over_receive', '20')
  const [all, none] = await received('100', '1')
  const within = await submitted(all!)
  expect(await invoice(within)).toMatchObject({ match_state: 'within' })
  await scene.hospital.done('inboundInvoice', 'review', within)
  expect(await invoice(await submitted(none!))).toMatchObject({
    match_state: 'beyond',
    match_note: expect.stringMatching(/累计开票101，订单CG\S+数量100，超出1%$/),
  })
})

/** A receipt of the whole order, billed at another amount; returns the invoice. */
async function billed(quantity: string, line: object, price = '145'): Promise<string> {
  const { hospital, central, inflator, d } = scene
  const grn = await hospital.add('purchaseGrn', {
    counterparty_sn: d,
    warehouse_model_inner_sn: central,
    lines: [{ ...lotOf(inflator, `SD${++nth}`, { quantity }), price }],
  })
  await hospital.pass('purchaseGrn', grn)
  const sn = await hospital.add('inboundInvoice', {
    source_type: 9,
    source_sn: grn,
    invoice_no: `26361000000000000${String(++nth).padStart(3, '0')}`,
    invoice_date: day(),
    difference_reason: '按供应商发票',
    lines: [{ source_line_no: 1, quantity, ...line }],
  })
  await hospital.done('inboundInvoice', 'submit', sn, { confirm: true })
  return sn
}

test('50 for what was received at 33: the author’s own confirmation is not enough', async () => {
  const { hospital } = scene
  const sn = await billed('10', { price: '50' }, '33')
  expect(await invoice(sn)).toMatchObject({
    match_state: 'beyond',
    match_note: expect.stringMatching(/^第1行【.+】开票单价50元，入库单价33元，相差51.52%$/),
  })
  const confirmed = { reason: '按发票', confirm: true }
  expectMessage(await hospital.do('inboundInvoice', 'review', sn, confirmed), /超出容差，须由第二人差异审核$/)
  const second = await scene.colleague('hospital')
  await second.done('inboundInvoice', 'approveMatch', sn, { reason: '已核实' })
  await hospital.done('inboundInvoice', 'review', sn, confirmed)
})

test('a cent on the amount of a line is rounding, two cents are a difference', async () => {
  const amount = (taxed_amount: string) => ({ price: '33', taxed_amount })
  expect(await invoice(await billed('10', amount('330.01'), '33'))).toMatchObject({ match_state: 'within' })
  expect(await invoice(await billed('10', amount('330.02'), '33'))).toMatchObject({
    match_state: 'beyond',
    match_note: expect.stringMatching(/开票金额330.02元，入库金额330元，相差/),
  })
})

test('what was received for nothing is not invoiced without a second person', async () => {
  expect(await invoice(await billed('1', { price: '50' }, '0'))).toMatchObject({
    match_state: 'beyond',
    match_note: expect.stringMatching(/开票单价50元，入库单价0元，相差50元$/),
  })
})

test('the parts of a receipt are within, the last with the cents that are left', async () => {
  const { hospital, central, inflator, d } = scene
  const grn = await hospital.add('purchaseGrn', {
    counterparty_sn: d,
    warehouse_model_inner_sn: central,
    lines: [{ ...lotOf(inflator, `SD${++nth}`, { quantity: '10' }), price: '0.333' }],
  })
  await hospital.pass('purchaseGrn', grn)
  for (let part = 0; part < 10; part += 1) {
    const sn = await hospital.add('inboundInvoice', {
      source_type: 9,
      source_sn: grn,
      invoice_no: `26361000000000000${String(++nth).padStart(3, '0')}`,
      invoice_date: day(),
      lines: [{ source_line_no: 1, quantity: '1' }],
    })
    await hospital.done('inboundInvoice', 'submit', sn)
    expect(await invoice(sn)).toMatchObject({ match_state: 'within' })
    await hospital.done('inboundInvoice', 'review', sn)
  }
})
