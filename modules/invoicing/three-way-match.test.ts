import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectMessage, lotOf, openScene, type Scene } from '../../tests/support/fixture.ts'
import { day } from '../../tests/support/story.ts'

/** 三单匹配 by quantity: what one line of an order was invoiced for in all, against what was ordered. */
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

test('without a tolerance, and where all is within the order, nothing is compared or asked', async () => {
  const { hospital, h } = scene
  await scene.rule(h, 'over_receive', '20')
  const [all] = await received('120')
  const sn = await submitted(all!)
  expect(await invoice(sn)).toMatchObject({ match_state: 'within' })
  await hospital.done('inboundInvoice', 'review', sn)
})
