import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deliverPending } from '#server/documents/intercompany/deliver.ts'
import { expectMessage, lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { day, type Person } from '#tests/support/story.ts'

/** 已完成 of a settlement: all of it is paid, by whatever, and both sides read the same state. */
let scene: Scene
let [nth, serial] = [0, 0]
const code = () => `JP-${++nth}`
beforeAll(async () => {
  scene = await openScene()
  const unit_codes = Array.from({ length: 60 }, (_, at) => `JP-${at + 1}`)
  await scene.shelve(scene.hospital, scene.ward, [lotOf(scene.balloon, 'JP1', { unit_codes, owner_org_sn: scene.d })])
})
afterAll(() => scene?.close())

async function used(count: number): Promise<string> {
  const { hospital, ward, department } = scene
  const sn = await hospital.add('departmentUse', {
    warehouse_model_inner_sn: ward,
    department_inner_sn: department,
    patient_name: '苏听松',
    admission_no: 'ZY02',
    lines: [{ unit_codes: Array.from({ length: count }, code) }],
  })
  await hospital.pass('departmentUse', sn)
  return sn
}
/** A settlement of all that waits, reviewed. */
async function settled(): Promise<string> {
  const { hospital, dealer, d } = scene
  const period = { counterparty_sn: d, begin_date: day(-30), end_date: day() }
  const { info } = await hospital.client.post('/v1/business/settlement/generate', period)
  await hospital.done('settlement', 'submit', info.sn)
  await dealer.done('settlement', 'confirm', info.sn)
  await hospital.done('settlement', 'review', info.sn)
  return info.sn
}
async function received(settlement: string): Promise<string> {
  const { hospital } = scene
  const grn = await hospital.add('settlementGrn', { source_type: 101, source_sn: settlement })
  await hospital.pass('settlementGrn', grn)
  return grn
}
/** The supplier's invoice over a receipt, checked at the hospital. */
async function invoiced(source_sn: string, more: object = {}): Promise<string> {
  const { hospital, dealer, h } = scene
  const invoice_no = `2634200000000000${String(++serial).padStart(4, '0')}`
  const body = { source_type: 118, source_sn, source_org_sn: h, invoice_no, invoice_date: day(), ...more }
  await dealer.pass('outboundInvoice', await dealer.add('outboundInvoice', body))
  const [ours] = await hospital.list('inboundInvoice', { invoice_no })
  await hospital.done('inboundInvoice', 'review', ours.sn)
  return ours.sn
}
/** Reviewed applications for these amounts of an invoice, one each. */
async function applied(invoice: string, amounts: readonly (string | null)[]): Promise<string[]> {
  const { hospital, d } = scene
  const made: string[] = []
  for (const amount of amounts) {
    const line = { source_sn: invoice, source_line_no: 1, ...(amount ? { taxed_amount: amount } : {}) }
    const sn = await hospital.add('paymentApplication', { counterparty_sn: d, lines: [line] })
    await hospital.pass('paymentApplication', sn)
    made.push(sn)
  }
  return made
}
async function drafted(application: string, more: object = {}): Promise<string> {
  const sn = await scene.hospital.add('payment', { source_type: 115, source_sn: application, ...more })
  await scene.hospital.done('payment', 'submit', sn)
  return sn
}
const paid = async (application: string): Promise<string> => {
  const sn = await drafted(application)
  await scene.finance.done('payment', 'review', sn)
  return sn
}
/** The state, which both sides read. */
async function stateOf(sn: string): Promise<string> {
  const { database } = scene.server
  await deliverPending(database.app, database.owner)
  const of = async (who: Person) => (await who.info('settlement', sn)).state
  const [ours, theirs] = [await of(scene.hospital), await of(scene.dealer)]
  expect(theirs).toBe(ours)
  return ours
}

test('partly executed from its receipt on, completed when the last yuan is paid, open again when it comes back', async () => {
  const { hospital, finance } = scene
  await used(2)
  const sn = await settled()
  expect(await stateOf(sn)).toBe('reviewed')
  const grn = await received(sn)
  expect(await stateOf(sn)).toBe('partial')
  expectMessage(
    await hospital.do('settlement', 'stop', sn, { reason: '不再结算' }),
    `结算单${sn}已全部结算入库，没有可终止的部分，付清后自动完成`,
  )
  const invoice = await invoiced(grn)
  expect(await stateOf(sn)).toBe('partial')
  const [first, rest] = await applied(invoice, ['100', '236'])
  await paid(first!)
  expect(await stateOf(sn)).toBe('partial')
  expect((await hospital.list('settlement', { sn }))[0]).toMatchObject({ payment_state: '2' })
  const last = await paid(rest!)
  expect(await stateOf(sn)).toBe('completed')
  expect((await hospital.list('settlement', { sn }))[0]).toMatchObject({ payment_state: '3', settle_state: '3' })
  await finance.done('payment', 'redReverse', last, { reason: '付错账户' })
  expect(await stateOf(sn)).toBe('partial')
  await paid(rest!)
  expect(await stateOf(sn)).toBe('completed')
})

test('two who pay its last parts at once complete it', async () => {
  const { finance } = scene
  await used(2)
  const sn = await settled()
  const invoice = await invoiced(await received(sn))
  const payments: string[] = []
  for (const application of await applied(invoice, ['100', '236'])) payments.push(await drafted(application))
  const second = await scene.colleague('finance')
  await Promise.all(payments.map((payment, at) => (at === 0 ? finance : second).done('payment', 'review', payment)))
  expect(await stateOf(sn)).toBe('completed')
})

test('an allowance and money paid in advance complete it as money does', async () => {
  const { hospital, finance, d } = scene
  await used(2)
  const sn = await settled()
  const invoice = await invoiced(await received(sn))
  const [application] = await applied(invoice, ['100'])
  const { lines } = await hospital.info('paymentApplication', application!)
  const payment = await drafted(application!, {
    lines: [{ source_line_no: lines[0].line_no, taxed_amount: '90', allowance_amount: '10' }],
  })
  await finance.done('payment', 'review', payment)
  expect(await stateOf(sn)).toBe('partial')
  const advance = await hospital.add('prepayment', {
    counterparty_sn: d,
    purpose_text: '预付货款',
    lines: [{ taxed_amount: '236' }],
  })
  await hospital.pass('prepayment', advance)
  const transfer = await hospital.add('payment', { source_sn: advance, bank_serial_no: 'YF-JP-1' })
  await hospital.done('payment', 'submit', transfer)
  await finance.done('payment', 'review', transfer)
  const offset = await hospital.add('prepaymentOffset', {
    counterparty_sn: d,
    lines: [{ source_sn: invoice, source_line_no: 1, advance_sn: advance, advance_line_no: 1, taxed_amount: '236' }],
  })
  await hospital.pass('prepaymentOffset', offset)
  expect(await stateOf(sn)).toBe('completed')
  await hospital.done('prepaymentOffset', 'redReverse', offset, { reason: '改为转账' })
  expect(await stateOf(sn)).toBe('partial')
})

test('one of nothing is over once it is received; a negative one when its red invoice was offset', async () => {
  const { hospital, finance, d } = scene
  const use = await used(4)
  const first = await settled()
  const blue = await invoiced(await received(first))
  const takenBack = (codes: readonly string[]) =>
    hospital.done('departmentUse', 'redReverse', use, { reason: '未拆封', lines: [{ line_no: 1, unit_codes: codes }] })
  const codes = (await hospital.info('departmentUse', use)).lines[0].unit_codes as string[]
  await takenBack(codes.slice(0, 1))
  await used(1)
  const nothing = await settled()
  expect(await hospital.info('settlement', nothing)).toMatchObject({ taxed_amount: '0.00', line_count: 2 })
  const receipt = await received(nothing)
  expect(await stateOf(nothing)).toBe('completed')
  await hospital.done('settlementGrn', 'redReverse', receipt, { reason: '重做' })
  expect(await stateOf(nothing)).toBe('reviewed')
  await received(nothing)
  expect(await stateOf(nothing)).toBe('completed')
  await takenBack(codes.slice(1, 2))
  const negative = await settled()
  const grn = await received(negative)
  expect(await stateOf(negative)).toBe('partial')
  const { invoice_no } = await hospital.info('inboundInvoice', blue)
  const red = await invoiced(grn, { is_red: true, blue_invoice_no: invoice_no })
  expect(await stateOf(negative)).toBe('partial')
  const lines = [blue, red].map(source_sn => ({ source_sn, source_line_no: 1 }))
  const application = await hospital.add('paymentApplication', { counterparty_sn: d, lines })
  await hospital.pass('paymentApplication', application)
  const payment = await drafted(application)
  await finance.done('payment', 'review', payment)
  // It covers the line that came back, and gives nothing back of what was invoiced before.
  expect((await hospital.info('inboundInvoice', red)).lines).toMatchObject([
    { source_sn: grn, taxed_amount: '-168.00' },
  ])
  expect([await stateOf(first), await stateOf(negative)]).toEqual(['completed', 'completed'])
})

test('settlements from before are moved to where they stand now, with the copies of their suppliers', async () => {
  await used(2)
  const receivedOnly = await settled()
  await received(receivedOnly)
  await used(2)
  const whole = await settled()
  const [application] = await applied(await invoiced(await received(whole)), [null])
  await paid(application!)
  const all = [receivedOnly, whole]
  const before = [await stateOf(receivedOnly), await stateOf(whole)]
  expect(before).toEqual(['partial', 'completed'])
  const { owner } = scene.server.database
  await owner`update document set state = 'completed' where kind = 'settlement' and role = 'own' and sn = any(${all})`
  await owner`
    update document set state = 'submitted' where kind = 'settlement' and role = 'counterparty' and sn = any(${all})`
  await owner.unsafe(await readFile('server/migrations/1581-settlements-paid.sql', 'utf8'))
  expect([await stateOf(receivedOnly), await stateOf(whole)]).toEqual(before)
})
