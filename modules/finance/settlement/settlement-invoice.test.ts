import { compare, isPositive, subtract, sum } from '#kernel/values/decimal.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { attempt, lotOf, openScene, owed, expectMessage, type Scene } from '#tests/support/fixture.ts'
import { day } from '#tests/support/story.ts'

/** 结算发票核对: the supplier invoices what was settled; the hospital compares, accepts it as a payable, or sends it back. */
let scene: Scene
const number = (nth: number): string => `26332000000000000${String(nth).padStart(3, '0')}`
let piece = 0

/** This many pieces used, settled and confirmed by the supplier; returns the settlement. */
async function settled(pieces: number): Promise<string> {
  const { hospital, dealer, ward, department, d } = scene
  const unit_codes = Array.from({ length: pieces }, () => `SI-${++piece}`)
  const use = await hospital.add('departmentUse', {
    warehouse_model_inner_sn: ward,
    department_inner_sn: department,
    patient_name: '苏听松',
    admission_no: 'ZY01',
    lines: [{ unit_codes }],
  })
  await hospital.pass('departmentUse', use)
  const period = { counterparty_sn: d, begin_date: day(-30), end_date: day(1) }
  const { info } = await hospital.client.post('/v1/business/settlement/generate', period)
  await hospital.done('settlement', 'submit', info.sn)
  await dealer.done('settlement', 'confirm', info.sn)
  await hospital.done('settlement', 'review', info.sn)
  return info.sn
}
async function received(settlement: string): Promise<string> {
  const sn = await scene.hospital.add('settlementGrn', { source_type: 101, source_sn: settlement })
  await scene.hospital.pass('settlementGrn', sn)
  return sn
}
/** The supplier's invoice over a settlement receipt, sent to the hospital; returns both numbers. */
async function billed(grn: string, nth: number, more: object = {}): Promise<{ ours: string; theirs: string }> {
  const source = { source_type: 118, source_sn: grn, source_org_sn: scene.h, invoice_no: number(nth) }
  const theirs = await scene.dealer.add('outboundInvoice', { ...source, invoice_date: day(), ...more })
  await scene.dealer.pass('outboundInvoice', theirs)
  const [created] = await scene.hospital.list('inboundInvoice', { invoice_no: number(nth) })
  return { ours: created.sn, theirs }
}
const states = async (code: string) =>
  (await scene.hospital.list('settlementLine', { unit_code: code })).map(row => row.state)
const checks = () =>
  scene.hospital.list('inboundInvoice', { source_type: '118', state: 'submitted,rejected,reviewed,partial,completed' })

beforeAll(async () => {
  scene = await openScene()
  const unit_codes = Array.from({ length: 40 }, (_, at) => `SI-${at + 1}`)
  await scene.shelve(scene.hospital, scene.ward, [lotOf(scene.balloon, 'SI1', { unit_codes, owner_org_sn: scene.d })])
})
afterAll(() => scene?.close())

test('goods must be received before invoicing: a pending settlement has no follow-up document', async () => {
  const { hospital, dealer, ward, department, d } = scene
  const use = await hospital.add('departmentUse', {
    warehouse_model_inner_sn: ward,
    department_inner_sn: department,
    patient_name: '苏听松',
    lines: [{ unit_codes: [`SI-${++piece}`] }],
  })
  await hospital.pass('departmentUse', use)
  const period = { counterparty_sn: d, begin_date: day(-30), end_date: day(1) }
  const { sn } = (await hospital.client.post('/v1/business/settlement/generate', period)).info
  await hospital.done('settlement', 'submit', sn)
  const early = { source_type: 101, source_sn: sn }
  expectMessage(await hospital.client.post('/v1/business/settlementGrn/add', early), `结算单${sn}尚未经供应商确认`)
  await dealer.done('settlement', 'confirm', sn)
  await hospital.done('settlement', 'review', sn)
  const grn = await hospital.add('settlementGrn', early)
  expectMessage(
    await hospital.client.post('/v1/business/inboundInvoice/add', { source_type: 118, source_sn: grn }),
    `结算单${sn}尚未结算入库`,
  )
  await hospital.pass('settlementGrn', grn)
})

test('3 pieces at 168: the supplier’s invoice awaits checking, passes, and the uses are 已开票', async () => {
  const { hospital, dealer, d } = scene
  const grn = await received(await settled(3))
  const before = await owed(hospital, d)
  const { ours, theirs } = await billed(grn, 1)
  expect((await checks()).map(row => row.sn)).toContain(ours)
  expect(await hospital.info('inboundInvoice', ours)).toMatchObject({
    state: 'submitted',
    taxed_amount: '504.00',
    source_sn: grn,
  })
  await hospital.done('inboundInvoice', 'review', ours)
  const after = await owed(hospital, d)
  expect([subtract(after.payable_invoiced, before.payable_invoiced, 2), after.payable]).toEqual([
    '504.00',
    before.payable,
  ])
  expect(await states(`SI-${piece}`)).toEqual(['invoiced'])
  expect(await hospital.info('inboundInvoice', ours)).toMatchObject({ check_result: 'agrees', pay_state: '1' })
  expect((await dealer.info('outboundInvoice', theirs)).check_state).toBe('passed')
  // The supplier's usage report shows it.
  const [report] = await dealer.list('departmentUse', { unit_code: `SI-${piece}`, role: 'counterparty' })
  expect(report.settled_stage).toBe('invoiced')
  expectMessage(
    await hospital.do('settlementGrn', 'redReverse', grn, { reason: '错' }),
    `已关联发票，不能红冲（${ours}）`,
  )
})

test('a settlement invoiced in parts: each invoice says what of the whole is invoiced, and what is left', async () => {
  const { dealer } = scene
  const grn = await received(await settled(3))
  const part = (nth: number, quantity: string) =>
    billed(grn, nth, { lines: [{ source_line_no: 1, quantity, source_sn: grn }] })
  const row = async (sn: string) => (await dealer.list('outboundInvoice', { sn }))[0]
  const first = await part(31, '1')
  expect(await row(first.theirs)).toMatchObject({
    taxed_amount: '168.00',
    settlement_amount: '504.00',
    settlement_invoiced: '168.00',
    settlement_uninvoiced: '336.00',
  })
  await part(32, '2')
  expect(await row(first.theirs)).toMatchObject({ settlement_invoiced: '504.00', settlement_uninvoiced: '0.00' })
})

test('a difference of 3 fen passes with a reason; 6 fen does not', async () => {
  const { hospital, dealer } = scene
  const grn = await received(await settled(1))
  const source = { source_type: 118, source_sn: grn, source_org_sn: scene.h, invoice_date: day() }
  const much = await dealer.add('outboundInvoice', { ...source, invoice_no: number(2), invoice_amount: '168.06' })
  expectMessage(await dealer.do('outboundInvoice', 'submit', much), '发票金额与结算金额差额0.06超出容差')
  const { ours } = await billed(grn, 3, { invoice_amount: '168.03' })
  const { version } = await hospital.info('inboundInvoice', ours)
  const asked = await hospital.client.post('/v1/business/inboundInvoice/review', { sn: ours, version })
  expect([asked.code, asked.info.questions[0].msg]).toEqual([
    2200,
    '发票金额与结算金额差额0.03元，在容差内，确认通过？',
  ])
  await hospital.done('inboundInvoice', 'review', ours, { reason: '开票系统四舍五入' })
  expect(await hospital.info('inboundInvoice', ours)).toMatchObject({
    check_result: 'confirmed',
    difference_reason: '开票系统四舍五入',
  })
  // The sheet of the check says the same line by line; a total within 5 fen is rounding.
  const { info } = await hospital.client.get('/v1/business/inboundInvoice/print', { sn: ours })
  expect(info).toMatchObject({
    title: '结算发票核对单',
    difference_total: '0.03',
    lines: [{ source_amount: '168.00', invoice_amount: '168.03', difference_amount: '0.03', difference_note: '尾差' }],
  })
})

test('made out to another organisation, it is returned with the reason, visible to the supplier', async () => {
  const { hospital, dealer } = scene
  const grn = await received(await settled(1))
  const { ours, theirs } = await billed(grn, 4, { buyer_name: '另一家医院' })
  expectMessage(await hospital.do('inboundInvoice', 'review', ours), '发票购买方【另一家医院】与本机构名称不一致')
  expectMessage(await hospital.do('inboundInvoice', 'reject', ours), '请填写退回原因')
  await hospital.done('inboundInvoice', 'reject', ours, { reason: '购买方有误' })
  expect(await dealer.info('outboundInvoice', theirs)).toMatchObject({
    check_state: 'returned',
    answer_reason: '购买方有误',
  })
  await dealer.done('outboundInvoice', 'unreview', theirs)
  await dealer.done('outboundInvoice', 'unsubmit', theirs)
  const { version } = await dealer.info('outboundInvoice', theirs)
  const edited = { sn: theirs, version, buyer_name: null, buyer_tax_no: '911100000000000000' }
  expect((await dealer.client.post('/v1/business/outboundInvoice/edit', edited)).code).toBe(0)
  await dealer.pass('outboundInvoice', theirs)
  const [again] = await hospital.list('inboundInvoice', { invoice_no: number(4), state: 'submitted' })
  expectMessage(
    await hospital.do('inboundInvoice', 'review', again.sn),
    '发票购买方税号911100000000000000与本机构税号不一致',
  )
})

test('sent to the check, taken back while it waits there, and sent again; once checked the hospital must agree', async () => {
  const { hospital, dealer } = scene
  const grn = await received(await settled(1))
  const source = { source_type: 118, source_sn: grn, source_org_sn: scene.h, invoice_no: number(50) }
  const theirs = await dealer.add('outboundInvoice', { ...source, invoice_date: day() })
  const check = async () => (await dealer.info('outboundInvoice', theirs)).check_state
  const waiting = () => hospital.list('inboundInvoice', { invoice_no: number(50), state: 'submitted' })
  expect(await check()).toBe('unsent')
  await dealer.pass('outboundInvoice', theirs)
  expect(await check()).toBe('sent')
  expectMessage(await dealer.do('outboundInvoice', 'send', theirs), '已送医院核对，不用再送')
  await dealer.done('outboundInvoice', 'withdraw', theirs)
  expect(await dealer.info('outboundInvoice', theirs)).toMatchObject({ state: 'reviewed', check_state: 'unsent' })
  expect(await waiting()).toEqual([])
  expectMessage(await dealer.do('outboundInvoice', 'withdraw', theirs), '尚未送医院核对，不用撤回')
  await dealer.done('outboundInvoice', 'send', theirs)
  expect(await check()).toBe('sent')
  const [ours] = await waiting()
  await hospital.done('inboundInvoice', 'review', ours.sn)
  expect(await check()).toBe('passed')
  expectMessage(await dealer.do('outboundInvoice', 'withdraw', theirs), '医院已核对，不能撤回')
  for (const action of ['unreview', 'redReverse'])
    expectMessage(
      await dealer.do('outboundInvoice', action, theirs, { reason: '开错' }),
      new RegExp(`^对方已处理（进项发票${ours.sn}），不能`),
    )
  await hospital.done('inboundInvoice', 'redReverse', ours.sn, { reason: '同意重开' })
  await dealer.done('outboundInvoice', 'redReverse', theirs, { reason: '开错' })
})

test('where the hospital checks it at the same moment, taking it back is refused by what the hospital did', async () => {
  const { hospital, dealer, one, d } = scene
  const { ours, theirs } = await billed(await received(await settled(1)), 51)
  await hospital.done('inboundInvoice', 'review', ours)
  // The answer is on its way: here it still waits.
  await one(
    `update document set fields = fields || '{"check_state": "sent"}' where org_id = $1 and sn = $2 returning 1`,
    d,
    theirs,
  )
  expectMessage(await dealer.do('outboundInvoice', 'withdraw', theirs), '医院已核对，不能撤回')
  expect((await hospital.info('inboundInvoice', ours)).state).toBe('reviewed')
})

test('an invoice that settles nothing has no check of its own to take back', async () => {
  const { dealer, shop, inflator, h } = scene
  await scene.shelve(dealer, shop, [lotOf(inflator, 'SIX', { quantity: '1' })])
  const odo = await dealer.add('saleOdo', {
    counterparty_sn: h,
    warehouse_model_inner_sn: shop,
    lines: [{ specification_sn: inflator, lot_no: 'SIX', quantity: '1' }],
  })
  await dealer.pass('saleOdo', odo)
  const sn = await dealer.add('outboundInvoice', { source_type: 7, source_sn: odo, invoice_no: number(52) })
  await dealer.pass('outboundInvoice', sn)
  expectMessage(await dealer.do('outboundInvoice', 'withdraw', sn), '只有医院结算发票可以撤回送核')
})

test('one invoice for two settlements; one settlement on two invoices, its uses 已开票 with the last', async () => {
  const { hospital, dealer } = scene
  const [one, two] = [await received(await settled(1)), await received(await settled(2))]
  const first = `SI-${piece}`
  const lines = [
    { source_sn: one, source_org_sn: scene.h, source_line_no: 1 },
    { source_sn: two, source_org_sn: scene.h, source_line_no: 1, quantity: '1' },
  ]
  const both = await dealer.add('outboundInvoice', {
    source_type: 118,
    counterparty_sn: scene.h,
    lines,
    invoice_no: number(5),
  })
  await dealer.pass('outboundInvoice', both)
  const [created] = await hospital.list('inboundInvoice', { invoice_no: number(5) })
  expect(created).toMatchObject({ taxed_amount: '336.00', line_count: 2 })
  await hospital.done('inboundInvoice', 'review', created.sn)
  expect(await states(first)).toEqual(['received'])
  expect(await hospital.info('settlementGrn', two)).toMatchObject({ invoice_state: '2' })
  const much = { source_type: 118, source_sn: two, source_org_sn: scene.h, invoice_no: number(6) }
  const bad = await attempt(
    dealer,
    'outboundInvoice',
    { ...much, lines: [{ source_line_no: 1, quantity: '2' }] },
    'review',
  )
  expectMessage(bad, '开票数量超过未开票数量1')
  const { ours } = await billed(two, 7)
  await hospital.done('inboundInvoice', 'review', ours)
  expect(await states(first)).toEqual(['invoiced'])
  await hospital.done('inboundInvoice', 'unreview', ours)
  expect(await states(first)).toEqual(['received'])
})

test('a settlement’s price was confirmed by both: another one is neither sent nor registered', async () => {
  const { hospital, dealer } = scene
  const grn = await received(await settled(1))
  const dear = { source_type: 118, source_sn: grn, lines: [{ source_line_no: 1, quantity: '1', price: '198' }] }
  const words = new RegExp(
    `^发票金额与结算金额差额30.00超出容差。第1行【.+】开票单价198元，结算入库单${grn}为168元，金额相差30元，请按结算价重新开票$`,
  )
  const theirs = { ...dear, source_org_sn: scene.h, invoice_no: number(8), invoice_date: day() }
  expectMessage(await attempt(dealer, 'outboundInvoice', theirs, 'submit'), words)
  const ours = { ...dear, invoice_no: number(9), invoice_date: day() }
  expectMessage(await attempt(hospital, 'inboundInvoice', ours, 'submit'), words)
  const rate = { source_line_no: 1, quantity: '1', tax_rate: 6 }
  const sn = await hospital.add('inboundInvoice', { ...ours, lines: [rate] })
  await hospital.done('inboundInvoice', 'submit', sn)
  expectMessage(await hospital.do('inboundInvoice', 'review', sn), '请填写差异原因')
  await hospital.done('inboundInvoice', 'review', sn, { reason: '供应商为小规模纳税人' })
  expect(await hospital.info('inboundInvoice', sn)).toMatchObject({ check_result: 'confirmed' })
})

test('结算统计 counts each record up to the state it has reached, and its figures add up', async () => {
  const grn = await received(await settled(2))
  const { ours } = await billed(grn, 41)
  await scene.hospital.done('inboundInvoice', 'review', ours)
  const reply = await scene.hospital.client.get('/v1/report/settlementStatistics', {
    begin_date: day(-1),
    end_date: day(1),
    counterparty_sn: scene.d,
  })
  expect(reply.msg).toBe('')
  for (const row of reply.list as Record<string, string>[]) {
    const parts = [row.waiting_amount!, row.held_amount!, row.settling_amount!, row.settled_amount!]
    expect(row.used_amount).toBe(sum(parts, 2))
    const steps = [row.used_amount!, row.settled_amount!, row.received_amount!, row.invoiced_amount!, row.paid_amount!]
    expect(steps.every((amount, at) => at === 0 || compare(amount, steps[at - 1]!) <= 0)).toBe(true)
    expect(row.uninvoiced_amount).toBe(subtract(row.received_amount!, row.invoiced_amount!, 2))
  }
  const [row] = reply.list as Record<string, string>[]
  expect(isPositive(row!.invoiced_amount!)).toBe(true)
})

test('the voucher of a settlement receipt spends at once what it takes in: the goods are used', async () => {
  const grn = await received(await settled(2))
  const { list } = await scene.hospital.client.get('/v1/report/monthVoucher', {
    period: day().slice(0, 7),
    pageSize: '500',
  })
  const amount = (await scene.hospital.info('settlementGrn', grn)).taxed_amount
  const rows = (list as Record<string, string>[]).filter(row => row.document_no === grn)
  expect(rows.map(row => [row.account_code, row.debit, row.credit]).toSorted()).toEqual([
    ['1405', '0.00', amount],
    ['1405', amount, '0.00'],
    ['2202.02', '0.00', amount],
    ['5001', amount, '0.00'],
  ])
})

test('the supplier’s vouchers: what was used leaves dispatched goods at once, and is sold with its settlement', async () => {
  const vouchers = async () => {
    const query = { period: day().slice(0, 7), pageSize: '500' }
    return (await scene.dealer.client.get('/v1/report/monthVoucher', query)).list as Record<string, string>[]
  }
  const used = async () =>
    (await vouchers()).filter(row => row.account_code === '1406' && row.credit === '176.99').length
  const before = await used()
  const settlement = await settled(2)
  expect((await used()) - before).toBe(1)
  const grn = await received(settlement)
  const { untaxed_amount, tax_amount, taxed_amount } = await scene.hospital.info('settlementGrn', grn)
  const sale = (await vouchers()).filter(row => row.document_no === grn)
  // At the average of what was used of the lot so far, to a cent: other tests use pieces of it too.
  const cost = sale.find(row => row.account_code === '6401')?.debit
  expect(['176.99', '177.00']).toContain(cost)
  expect(sale.map(row => [row.account_code, row.debit, row.credit])).toEqual([
    ['1122.02', taxed_amount, '0.00'],
    ['6001', '0.00', untaxed_amount],
    ['2221.01', '0.00', tax_amount],
    ['6401', cost, '0.00'],
    ['1406.01', '0.00', cost],
  ])
})
