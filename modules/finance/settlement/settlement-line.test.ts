import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectMessage, lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { day } from '#tests/support/story.ts'

/** 结算记录: what waits for settlement is listed by its owner, put off, priced again, and settled by type. */
let scene: Scene
let piece = 0
beforeAll(async () => {
  scene = await openScene()
  const { hospital, ward, balloon, stent, inflator, d } = scene
  const codes = (letter: string) => Array.from({ length: 30 }, (_, at) => `${letter}-${at + 1}`)
  await scene.shelve(hospital, ward, [
    lotOf(balloon, 'SL1', { unit_codes: codes('SL'), owner_org_sn: d }),
    lotOf(stent, 'SL2', { unit_codes: codes('SM'), owner_org_sn: d }),
    lotOf(inflator, 'SL3', { quantity: '40', owner_org_sn: d }),
    lotOf(inflator, 'SL4', { quantity: '40' }),
  ])
})
afterAll(() => scene?.close())

const onPatient = { patient_no: 'P9', patient_name: '苏听松', admission_no: 'ZY01' }
async function used(lines: object[], kind = 'departmentUse'): Promise<string> {
  const { hospital, ward, department, surgeon } = scene
  const operation = { doctor_inner_sn: surgeon, surgery_name: '支架植入', theatre: '3号手术间', implant_site: '前降支' }
  const sn = await hospital.add(kind, {
    warehouse_model_inner_sn: ward,
    department_inner_sn: department,
    ...onPatient,
    ...(kind === 'surgeryUse' ? operation : {}),
    lines,
  })
  await hospital.pass(kind, sn)
  return sn
}
const balloons = (count: number) => [{ unit_codes: Array.from({ length: count }, () => `SL-${++piece}`) }]
const sources = async (query: Record<string, string>) =>
  (await scene.hospital.client.get('/v1/business/settlement/sources', { pageSize: '500', ...query })).list
const records = (query: Record<string, string>) => scene.hospital.list('settlementLine', query)
const recordsOf = async (sn: string) => records({ source_no: sn, sort: 'unit_code' })
const call = (name: string, sns: readonly string[], more: object = {}) =>
  scene.hospital.client.post(`/v1/business/settlementLine/${name}`, { sns, ...more })
const keysOf = (rows: readonly { settlement_line_sn: string }[]) => rows.map(row => row.settlement_line_sn)
const made = (reply: { info?: { said?: string } }) => [...JSON.stringify(reply).matchAll(/JS\d+/g)].map(([sn]) => sn)
const settle = async (sn: string) => {
  await scene.hospital.done('settlement', 'submit', sn)
  await scene.dealer.done('settlement', 'confirm', sn)
  await scene.hospital.done('settlement', 'review', sn)
}

test('uses are offered to settlements by what waits of them: by owner and price, never what we own', async () => {
  const { hospital, d, inflator } = scene
  const sn = await used([
    ...balloons(2),
    { specification_sn: inflator, lot_no: 'SL3', quantity: '3' },
    { specification_sn: inflator, lot_no: 'SL4', quantity: '5' },
  ])
  const offered = (await sources({ for: 'use', counterparty_sn: d })).filter(row => row.source_sn === sn)
  expect(offered.map(row => [row.source_line_no, row.counterparty_sn, row.left, row.price, row.taxed_amount])).toEqual([
    [1, d, '2.000', '168.0000', '336.00'],
    [2, d, '3.000', '145.0000', '435.00'],
  ])
  expect((await sources({ for: 'use' })).filter(row => row.source_sn === sn)).toHaveLength(2)
  const other = await scene.org('D02')
  expect((await sources({ for: 'use', counterparty_sn: other })).filter(row => row.source_sn === sn)).toEqual([])
  const settlement = await hospital.add('settlement', {
    counterparty_sn: d,
    begin_date: day(-1),
    end_date: day(),
    lines: offered.map(({ source_sn, source_line_no }) => ({ source_sn, source_line_no })),
  })
  const doc = await hospital.info('settlement', settlement)
  expect(doc.lines.map((line: Record<string, string>) => [line.quantity, line.price, line.taxed_amount])).toEqual([
    ['2.000', '168.0000', '336.00'],
    ['3.000', '145.0000', '435.00'],
  ])
  await hospital.done('settlement', 'submit', settlement)
  expect((await sources({ for: 'use' })).filter(row => row.source_sn === sn)).toEqual([])
  await settle(await hospital.done('settlement', 'unsubmit', settlement).then(() => settlement))
})

test('operations and losses are offered by owner as well, without what the hospital bought', async () => {
  const { hospital, d, stent, inflator } = scene
  const sn = await used(
    [{ unit_codes: ['SM-1'] }, { specification_sn: inflator, lot_no: 'SL4', quantity: '1' }],
    'surgeryUse',
  )
  const offered = await sources({ for: 'surgeryUse', counterparty_sn: d })
  expect(offered.filter(row => row.source_sn === sn).map(row => row.specification_sn)).toEqual([stent])
  expect((await sources({ for: 'surgeryUse' })).map(row => row.lot_no)).not.toContain('SL4')
  const [line] = await recordsOf(sn)
  await scene.one(
    "update settlement_line set state = 'waiting' where org_id = $1 and id = $2 returning 1",
    scene.h,
    line.settlement_line_sn,
  )
  const loss = await hospital.add('loss', {
    warehouse_model_inner_sn: scene.ward,
    loss_type: 'missing',
    bearer: 'hospital',
    loss_reason: '清点缺失',
    lines: [{ specification_sn: inflator, lot_no: 'SL3', quantity: '1', owner_org_sn: d }],
  })
  await hospital.done('loss', 'submit', loss)
  await (await scene.colleague('hospital')).done('loss', 'review', loss)
  const lost = (await sources({ for: 'loss', counterparty_sn: d })).filter(row => row.source_sn === loss)
  expect(lost.map(row => [row.counterparty_sn, row.left, row.price])).toEqual([[d, '1.000', '145.0000']])
  const [surgery] = made(await call('settle', [line.settlement_line_sn]))
  expect(await hospital.info('settlement', surgery!)).toMatchObject({ settlement_type: 'surgery', source_type: 127 })
})

test('生成 separates the types of settlements: high value, the rest, and operations', async () => {
  const { hospital, d, inflator } = scene
  await scene.one(
    `update product set is_high_value = true
      where id = (select product_id from specification where id = $1) returning 1`,
    scene.balloon,
  )
  await scene.one(
    `update product set is_high_value = false
      where id = (select product_id from specification where id = $1) returning 1`,
    inflator,
  )
  await used([...balloons(1), { specification_sn: inflator, lot_no: 'SL3', quantity: '1' }])
  await used([{ unit_codes: ['SM-2'] }], 'surgeryUse')
  const period = { counterparty_sn: d, begin_date: day(-30), end_date: day(1) }
  const { info } = await hospital.client.post('/v1/business/settlement/generate', period)
  const types = info.settlements.map((one: { settlement_type: string }) => one.settlement_type)
  expect(types).toEqual(expect.arrayContaining(['high_value', 'low_value', 'surgery']))
  expect(new Set(types).size).toBe(types.length)
  for (const { sn, settlement_type } of info.settlements)
    expect(await hospital.info('settlement', sn)).toMatchObject({ settlement_type })
})

test('暂缓 needs a reason and leaves a record out until it is released', async () => {
  const { hospital, d } = scene
  const sn = await used(balloons(2))
  const [first, second] = keysOf(await recordsOf(sn))
  expectMessage(await call('hold', [first!]), '请填写暂缓原因')
  expect((await call('hold', [first!], { held_reason: '价格待核' })).code).toBe(0)
  expect((await recordsOf(sn))[0]).toMatchObject({ state: 'held', held_reason: '价格待核' })
  expect((await sources({ for: 'use' })).find(row => row.source_sn === sn)).toMatchObject({ left: '1.000' })
  expectMessage(await call('settle', [first!]), '记录1为暂缓，不能结算')
  const settlement = await hospital.add('settlement', {
    counterparty_sn: d,
    begin_date: day(-1),
    end_date: day(),
    lines: [{ source_sn: sn, source_line_no: 1 }],
  })
  const doc = await hospital.info('settlement', settlement)
  expect(doc.lines).toMatchObject([{ quantity: '1.000', taxed_amount: '168.00' }])
  await hospital.done('settlement', 'submit', settlement)
  expect((await recordsOf(sn)).map(row => row.state)).toEqual(['held', 'settling'])
  expectMessage(await call('settle', [second!]), `记录1已在结算单${settlement}中`)
  expectMessage(await call('release', [second!]), `记录1已在结算单${settlement}中`)
  expect((await call('release', [first!])).code).toBe(0)
  expect((await recordsOf(sn))[0]).toMatchObject({ state: 'waiting', held_reason: null })
})

test('the chosen records are settled, one settlement a supplier and type, and no other', async () => {
  const { hospital } = scene
  const sn = await used(balloons(3))
  const [first, , third] = keysOf(await recordsOf(sn))
  const [settlement] = made(await call('settle', [first!, third!]))
  const doc = await hospital.info('settlement', settlement!)
  expect(doc).toMatchObject({ total_quantity: '2.000', taxed_amount: '336.00' })
  await hospital.done('settlement', 'submit', settlement!)
  expect((await recordsOf(sn)).map(row => row.state)).toEqual(['settling', 'waiting', 'settling'])
})

test('a settlement says what its records say: another quantity is refused', async () => {
  const { hospital } = scene
  const sn = await used([{ specification_sn: scene.inflator, lot_no: 'SL3', quantity: '4' }])
  const [settlement] = made(await call('settle', keysOf(await recordsOf(sn))))
  const { version, lines } = await hospital.info('settlement', settlement!)
  const edited = { sn: settlement, version, lines: [{ line_no: lines[0].line_no, quantity: '3' }] }
  expect((await hospital.client.post('/v1/business/settlement/edit', edited)).code).toBe(0)
  expectMessage(
    await hospital.do('settlement', 'submit', settlement!),
    '第1行：结算记录为数量4、金额580元，请按记录结算或重新生成',
  )
})

test('重取结算价 shows old and new, and writes it only when asked', async () => {
  const { h, inflator } = scene
  const sn = await used([{ specification_sn: inflator, lot_no: 'SL3', quantity: '2' }])
  const keys = keysOf(await recordsOf(sn))
  const same = await call('reprice', keys)
  expect(JSON.stringify(same)).toContain('所选记录的结算价没有变化')
  const price = (to: string) =>
    scene.one(
      `update price_agreement set price = $3 where org_id = $1 and specification_id = $2 and status = 'enabled'
        returning 1`,
      h,
      inflator,
      to,
    )
  await price('140')
  const shown = await call('reprice', keys)
  expect(JSON.stringify(shown)).toMatch(/1条结算价有变化，尚未保存：.+ 145→140/)
  expect((await recordsOf(sn))[0]).toMatchObject({ price: '145.0000', amount: '290.00' })
  expect(JSON.stringify(await call('reprice', keys, { save: true }))).toMatch(/已更新1条结算价：.+ 145→140/)
  expect((await recordsOf(sn))[0]).toMatchObject({ price: '140.0000', amount: '280.00' })
  await price('145')
})

test('a settlement and its receipt say how far they are invoiced and paid, on both sides', async () => {
  const { hospital, dealer, finance } = scene
  const sn = await used(balloons(2))
  const keys = keysOf(await recordsOf(sn))
  const [settlement] = made(await call('settle', keys))
  await settle(settlement!)
  const grn = await hospital.add('settlementGrn', { source_type: 101, source_sn: settlement })
  await hospital.pass('settlementGrn', grn)
  const invoice_no = '26332000000000000777'
  const bill = { source_type: 118, source_sn: grn, source_org_sn: scene.h, invoice_no, invoice_date: day() }
  await dealer.pass('outboundInvoice', await dealer.add('outboundInvoice', bill))
  const [check] = await hospital.list('inboundInvoice', { invoice_no, settlement_nos: settlement! })
  expect(check).toMatchObject({ settlement_nos: settlement, settled_amount: '336.00', invoice_checked_by: null })
  expect(check.invoice_sent_at).not.toBeNull()
  const [theirs] = await dealer.list('outboundInvoice', { invoice_no, settlement_nos: settlement! })
  const { begin_date, end_date } = await hospital.info('settlementGrn', grn)
  expect(theirs).toMatchObject({
    settlement_nos: settlement,
    settlement_period: `${begin_date} 至 ${end_date}`,
    settlement_amount: '336.00',
    settlement_invoiced: '336.00',
    settlement_uninvoiced: '0.00',
    delivery_way: 'platform',
  })
  await hospital.done('inboundInvoice', 'review', check.sn)
  const [checked] = await hospital.list('inboundInvoice', { invoice_no })
  expect(checked.invoice_checked_by).toBe(checked.reviewed_by_name)
  expect(checked.invoice_checked_at).toBe(checked.reviewed_at)
  const of = async (kind: string, number: string) => (await hospital.list(kind, { sn: number }))[0]
  expect(await of('settlement', settlement!)).toMatchObject({ use_count: 1, payment_state: '1' })
  expect(await of('settlementGrn', grn)).toMatchObject({ invoiced_amount: '336.00', payment_state: '1' })
  const application = await hospital.add('paymentApplication', { source_type: 10, source_sn: check.sn })
  await hospital.pass('paymentApplication', application)
  const payment = await hospital.add('payment', { source_type: 115, source_sn: application })
  await hospital.done('payment', 'submit', payment)
  await finance.done('payment', 'review', payment)
  expect(await of('settlement', settlement!)).toMatchObject({ payment_state: '3' })
  expect(await of('settlementGrn', grn)).toMatchObject({ payment_state: '3' })
  expect((await hospital.list('settlement', { payment_state: '3' })).map(row => row.sn)).toContain(settlement)
  expect((await recordsOf(sn))[0]).toMatchObject({
    state: 'paid',
    settlement_no: settlement,
    grn_no: grn,
    invoice_no,
    settlement_period: `${day()} 至 ${day()}`,
  })
})

test('goods that were bought are not settled: the answer says where their invoice is registered', async () => {
  const { hospital, ward, department, inflator, h } = scene
  const supplier = await scene.org('D02')
  const grn = await hospital.add('purchaseGrn', {
    counterparty_sn: supplier,
    warehouse_model_inner_sn: ward,
    lines: [lotOf(inflator, 'SL5', { quantity: '5', price: '100' })],
  })
  await hospital.pass('purchaseGrn', grn)
  await used([{ specification_sn: inflator, lot_no: 'SL5', quantity: '1' }])
  const period = { counterparty_sn: supplier, begin_date: day(-1), end_date: day(1) }
  expectMessage(
    await hospital.client.post('/v1/business/settlement/generate', period),
    /^【.+】此期间使用的是买断货物，入库时已计应付，不需结算：请直接按采购入库单登记发票；只有寄售货物经结算单和结算入库单结算$/,
  )
  expect([department, h]).toBeTruthy()
})

test('a price that arrives late does not free a record that was put off or settled meanwhile', async () => {
  const { hospital, d, h, inflator, server } = scene
  const sn = await used([{ specification_sn: inflator, lot_no: 'SL3', quantity: '1' }])
  const [key] = keysOf(await recordsOf(sn))
  const become = (state: string) =>
    scene.one('update settlement_line set state = $3 where org_id = $1 and id = $2 returning 1', h, key, state)
  for (const state of ['held', 'settling', 'netted']) {
    await become('unpriced')
    let generated: Promise<unknown> | undefined
    await server.database.owner.begin(async tx => {
      await tx`update settlement_line set state = ${state} where org_id = ${h} and id = ${key!}`
      // It reads the record in its committed state, and waits to write its price.
      generated = hospital.client.post('/v1/business/settlement/generate', {
        counterparty_sn: d,
        begin_date: day(-1),
        end_date: day(1),
      })
      for (let waits = 0; waits === 0; ) {
        await pause(50)
        waits = (
          await server.database.owner`select 1 from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock' and query ~ 'update settlement_line'`
        ).length
      }
    })
    await generated
    expect((await scene.one('select state from settlement_line where org_id = $1 and id = $2', h, key)).state).toBe(
      state,
    )
  }
  await become('held')
})
