import { afterAll, beforeAll, expect, test } from 'vitest'
import { afterThisTest, expectMessage, lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { day } from '#tests/support/story.ts'

/** 采购订单预警: each line of an order that needs somebody's action, under its most severe reason. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
  await scene.shelve(scene.dealer, scene.shop, [lotOf(scene.inflator, 'POW1', { quantity: '500' })])
})
afterAll(() => scene?.close())

async function ordered(quantity: string, expected: string, more: object = {}): Promise<string> {
  const { hospital, d, central, inflator } = scene
  const sn = await hospital.add('purchaseOrder', {
    counterparty_sn: d,
    warehouse_model_inner_sn: central,
    business_date: day(-20),
    expected_date: expected,
    lines: [{ specification_sn: inflator, quantity }],
    ...more,
  })
  await hospital.pass('purchaseOrder', sn)
  return sn
}
async function warnings(query: Record<string, string> = {}) {
  const reply = await scene.hospital.client.get('/v1/report/purchaseOrderWarning', { pageSize: '500', ...query })
  expect(reply.code, reply.msg).toBe(0)
  return reply
}
const of = async (sn: string) => (await warnings()).list.find((row: { document_sn: string }) => row.document_sn === sn)
/** Has the dealer confirm and ship a quantity of an order, and the hospital receive it. */
async function received(po: string, quantity: string): Promise<void> {
  const { dealer, hospital } = scene
  const so = (await dealer.from('salesOrder', po)).sn
  await dealer.done('salesOrder', 'review', so)
  const odo = await dealer.add('saleOdo', {
    source_type: 4,
    source_sn: so,
    warehouse_model_inner_sn: scene.shop,
    lines: [{ source_line_no: 1, quantity }],
  })
  await dealer.pass('saleOdo', odo)
  await hospital.pass('purchaseGrn', (await hospital.from('purchaseGrn', odo)).sn)
}

test('a line says its most severe reason, and how many days it is late', async () => {
  const [late, soon, far] = [await ordered('100', day(-4)), await ordered('5', day(3)), await ordered('5', day(30))]
  expect(await of(late)).toMatchObject({
    warning: 'late',
    days_late: 4,
    open_quantity: '100.000',
    shipped_quantity: '0.000',
  })
  expect(await of(soon)).toMatchObject({ warning: 'soon', days_late: null })
  expect(await of(far)).toBeUndefined()
  await received(late, '70')
  expect(await of(late)).toMatchObject({
    warning: 'part_late',
    days_late: 4,
    confirmed_quantity: '100.000',
    received_quantity: '70.000',
    open_quantity: '30.000',
  })
})

test('a silent supplier is reported after a day, a confirmed order when it is due and nothing left', async () => {
  const { dealer, h } = scene
  const sn = await ordered('6', day(2))
  expect((await of(sn)).warning).toBe('soon')
  await scene.one(
    `update document set reviewed_at = reviewed_at - interval '25 hours'
      where org_id = $1 and sn = $2 and role = 'own' returning 1`,
    h,
    sn,
  )
  expect((await of(sn)).warning).toBe('unconfirmed')
  await dealer.done('salesOrder', 'review', (await dealer.from('salesOrder', sn)).sn)
  expect((await of(sn)).warning).toBe('unsent')
})

test('an expired certificate comes first; 催货 is counted; lines that are late are those of the page', async () => {
  const { hospital, inflator, h } = scene
  const sn = await ordered('3', day(-1))
  const ticked = async (who: typeof hospital, ...orders: string[]) => {
    const keys = await Promise.all(orders.map(async each => (await of(each)).row_key))
    return who.client.post('/v1/report/purchaseOrderWarning/remind', { query: '', sns: JSON.stringify(keys) })
  }
  expect((await ticked(hospital, sn)).info.said).toBe('已催货1张订单')
  expect(await of(sn)).toMatchObject({ warning: 'late', reminders: 1 })
  // A second order of the day is reminded of; the first is not told twice.
  const other = await ordered('3', day(-1))
  expect((await ticked(hospital, sn, other)).info.said).toBe(
    `已催货1张订单，1张未催：${sn}：今日已催办，每日限一次，请明日再催`,
  )
  expectMessage(await ticked(hospital, sn), `${sn}：今日已催办，每日限一次，请明日再催`)
  const reader = await scene.clerk('hospital', 'order.reader', ['page:/hospital/purchaseOrderWarnReport'])
  expect((await ticked(reader, other)).code).not.toBe(0)
  await scene.expire(inflator)
  expect((await of(sn)).warning).toBe('licence')
  const lines = await scene.one(
    `select count(*)::int as n from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
      where d.org_id = $1 and d.kind = 'purchaseOrder' and d.role = 'own' and d.state in ('reviewed', 'partial')
        and d.fields->>'expected_date' < $2`,
    h,
    day(),
  )
  expect((await warnings({ is_late: 'true' })).total).toBe(lines.n)
})

test('pieces on their way out bring the store below what it needs until they come', async () => {
  const { hospital, central, inflator, department } = scene
  await scene.shelve(hospital, central, [lotOf(inflator, 'POW2', { quantity: '20000' })])
  const sn = await ordered('9', day(3))
  expect((await of(sn)).risk).toBeNull()
  const use = await hospital.add('departmentUse', {
    warehouse_model_inner_sn: central,
    department_inner_sn: department,
    use_type: 'consume',
    lines: [{ specification_sn: inflator, lot_no: 'POW2', quantity: '18700' }],
  })
  await hospital.pass('departmentUse', use)
  afterThisTest(() => hospital.done('departmentUse', 'redReverse', use, { reason: '登记有误' }))
  expect(await of(sn)).toMatchObject({ risk: 'short', supply_days: 2 })
})

test('预计到货日 is the day that the supplier promised; a store that runs out before it is at risk', async () => {
  const { dealer } = scene
  const sn = await ordered('4', day(1))
  expect(await of(sn)).toMatchObject({ expected_date: day(1), arrives_on: day(1) })
  const so = (await dealer.from('salesOrder', sn)).sn
  const { version } = await dealer.info('salesOrder', so)
  await dealer.client.post('/v1/business/salesOrder/edit', { sn: so, version, promised_date: day(9) })
  await dealer.done('salesOrder', 'review', so)
  expect(await of(sn)).toMatchObject({ expected_date: day(1), arrives_on: day(9) })
  await dealer.done('salesOrder', 'unreview', so)
  expect(await of(sn)).toMatchObject({ arrives_on: day(1) })
})

test('订单跟踪 follows each line of an order from its confirmation to its return', async () => {
  const { hospital } = scene
  const sn = await ordered('10', day(3))
  const read = async (query: Record<string, string> = {}) =>
    (await hospital.client.get('/v1/report/orderTracking', { document_sn: sn, ...query })).list
  const nothing = { confirmed_quantity: '0.000', shipped_quantity: '0.000', received_quantity: '0.000' }
  expect(await read()).toMatchObject([{ ...nothing, quantity: '10.000', open_quantity: '10.000', state: 'reviewed' }])
  await received(sn, '6')
  const part = { confirmed_quantity: '10.000', shipped_quantity: '6.000', arrived_quantity: '6.000' }
  expect(await read()).toMatchObject([{ ...part, received_quantity: '6.000', open_quantity: '4.000' }])
  const [grn] = await hospital.list('purchaseGrn', { state: 'reviewed' })
  const lines = [{ source_line_no: 1, quantity: '2' }]
  const back = await hospital.add('purchaseReturn', { source_type: 9, source_sn: grn.sn, return_reason: '多送', lines })
  await hospital.pass('purchaseReturn', back)
  expect(await read()).toMatchObject([{ received_quantity: '6.000', returned_quantity: '2.000' }])
  expect(await read({ is_open: 'true' })).toHaveLength(1)
  await hospital.done('purchaseOrder', 'stop', sn, { reason: '不再需要' })
  expect(await read()).toMatchObject([{ open_quantity: '0.000', state: 'stopped' }])
  expect(await read({ is_open: 'true' })).toEqual([])
})
