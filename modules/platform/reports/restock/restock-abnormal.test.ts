import { afterAll, beforeAll, expect, test } from 'vitest'
import { attempt, expectMessage, lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { day } from '#tests/support/story.ts'

/**
 * 补货异常: what went wrong in supplying a ward's store, and whose part of the work it was. Each test works in a store of
 * its own.
 */
let scene: Scene
let wards: { id: string; department_id: string }[]
beforeAll(async () => {
  scene = await openScene()
  wards = await scene.server.database.owner`
    select id, department_id from warehouse
     where org_id = ${scene.h} and model = 'ward' and status = 'enabled' and department_id is not null order by id`
  expect(wards.length).toBeGreaterThan(5)
  await scene.shelve(scene.hospital, scene.central, [lotOf(scene.inflator, 'BH1', { quantity: '1000' })])
})
afterAll(() => scene?.close())

const range = { begin_date: day(-3), end_date: day(), pageSize: '500' }
type Row = Record<string, string | null>
/** The report's rows of one store. */
async function abnormal(at: number, query: Record<string, string> = {}): Promise<Row[]> {
  const reply = await scene.hospital.client.get('/v1/report/restockAbnormal', {
    ...range,
    warehouse_model_inner_sn: wards[at]!.id,
    ...query,
  })
  expect(reply.code, JSON.stringify(reply)).toBe(0)
  return reply.list
}
const kinds = async (at: number) => (await abnormal(at)).map(row => row.abnormality).toSorted()

/** The limits of a store, which have held for so many hours. */
const limit = (at: number, low: number, high: number, hours: number) =>
  scene.one(
    `insert into warehouse_product (org_id, warehouse_id, specification_id, min_quantity, reorder_point, max_quantity,
       limits_since)
     values ($1, $2, $3, $4, $4, $5, now() - make_interval(hours => $6)) returning 1`,
    scene.h,
    wards[at]!.id,
    scene.inflator,
    low,
    high,
    hours,
  )
/** Goods in a ward's store, there for so many hours. */
async function stored(at: number, quantity: string, hours: number): Promise<void> {
  await scene.shelve(scene.hospital, wards[at]!.id, [lotOf(scene.inflator, `BH1-${at}`, { quantity })])
  await scene.one(
    `update stock_move set at = at - make_interval(hours => $3) where org_id = $1 and warehouse_id = $2 returning 1`,
    scene.h,
    wards[at]!.id,
    hours,
  )
}
async function asked(at: number, quantity: string, more: object = {}): Promise<string> {
  const sn = await scene.hospital.add('requisition', {
    warehouse_model_inner_sn: scene.central,
    to_warehouse_model_inner_sn: wards[at]!.id,
    department_inner_sn: wards[at]!.department_id,
    lines: [{ specification_sn: scene.inflator, quantity }],
    ...more,
  })
  await scene.hospital.done('requisition', 'submit', sn)
  return sn
}
async function granted(sn: string, quantity: string): Promise<string> {
  const reply = await attempt(
    scene.hospital,
    'grantOdo',
    { source_type: 104, source_sn: sn, lines: [{ source_line_no: 1, quantity }] },
    'review',
  )
  expect(reply.msg).toBe('')
  return (await scene.hospital.list('grantOdo', { source_sn: sn }))[0].sn
}
async function received(grant: string, line: object = {}): Promise<void> {
  const { sn, version } = await scene.hospital.from('wardReceipt', grant)
  if (Object.keys(line).length > 0) {
    const body = { sn, version, lines: [{ line_no: 1, ...line }] }
    expect((await scene.hospital.client.post('/v1/business/wardReceipt/edit', body)).msg).toBe('')
  }
  await scene.hospital.done('wardReceipt', 'review', sn)
}

test('below the lower limit for more than a day with nothing on the way and nothing asked for, until it is', async () => {
  await stored(0, '15', 60)
  await limit(0, 20, 60, 30)
  const [open] = await abnormal(0)
  expect(open).toMatchObject({
    abnormality: 'low',
    cause: 'department',
    stock: '15.000',
    coming_quantity: '0.000',
    hours: '30.0',
    ended_at: null,
    is_open: true,
  })
  await asked(0, '40')
  const rows = await abnormal(0)
  expect(rows).toMatchObject([{ abnormality: 'low', hours: '30.0', is_open: false }])
  expect(rows[0]!.ended_at).not.toBeNull()
  // It is also in a period that was over when the report was read.
  expect(await abnormal(0, { end_date: day(-1) })).toMatchObject(rows)
})

test('not below it for a day yet, or with enough on the way, is nothing abnormal', async () => {
  await stored(1, '15', 60)
  await limit(1, 20, 60, 23)
  expect(await kinds(1)).toEqual([])
  await granted(await passed(1, '10'), '10')
  await scene.one(
    `update warehouse_product set limits_since = now() - interval '50 hours' where org_id = $1 and warehouse_id = $2
      returning 1`,
    scene.h,
    wards[1]!.id,
  )
  // The goods were low for two days, then requested, and are on their way now.
  expect(await abnormal(1)).toMatchObject([{ abnormality: 'low', is_open: false }])
})

async function passed(at: number, quantity: string, more: object = {}): Promise<string> {
  const sn = await asked(at, quantity, more)
  await scene.hospital.done('requisition', 'review', sn)
  return sn
}

test('more than the upper limit on receipt; asked for twice within a day; urgent without need', async () => {
  await stored(2, '5', 60)
  await limit(2, 2, 8, 5)
  const first = await passed(2, '6')
  await asked(2, '1', { is_urgent: true, urgent_reason: '备用' })
  expect(await kinds(2)).toEqual(['repeated', 'urgent'])
  await received(await granted(first, '6'))
  const over = (await abnormal(2, { abnormality: 'over' }))[0]
  expect(over).toMatchObject({
    cause: 'department',
    stock: '11.000',
    claim_sn: first,
    received_quantity: '6.000',
    is_open: true,
  })
})

test('granted less than approved and closed: by whoever had none; and received other than granted', async () => {
  await limit(3, 0, 100, 5)
  const sn = await passed(3, '10')
  await received(await granted(sn, '4'), { received_quantity: '3', difference_reason: 'short' })
  expect(await abnormal(3)).toMatchObject([
    { abnormality: 'difference', cause: 'store', granted_quantity: '4.000', received_quantity: '3.000', hours: null },
  ])
  await scene.hospital.done('requisition', 'stop', sn, { reason: '库房不再发' })
  const short = (await abnormal(3, { abnormality: 'short' }))[0]
  expect(short).toMatchObject({ cause: 'store', asked_quantity: '10.000', granted_quantity: '4.000' })
})

test('nothing in the supplying store makes it the buyers’ part, a late order the supplier’s', async () => {
  const { hospital, balloon, d, central } = scene
  const lacking = { lines: [{ specification_sn: balloon, quantity: '2' }] }
  const short = async (sn: string) => {
    await hospital.done('requisition', 'stop', sn, { reason: '无货' })
    return (await abnormal(4, { abnormality: 'short' })).find(row => row.claim_sn === sn)?.cause
  }
  expect(await short(await passed(4, '2', lacking))).toBe('purchasing')
  const order = await hospital.add('purchaseOrder', {
    counterparty_sn: d,
    warehouse_model_inner_sn: central,
    business_date: day(-9),
    expected_date: day(-5),
    lines: [{ specification_sn: balloon, quantity: '5' }],
  })
  await hospital.pass('purchaseOrder', order)
  expect(await short(await passed(4, '2', lacking))).toBe('supplier')
})

test('later than the rules allow: open until it is delivered, counted from when it was due', async () => {
  const sn = await passed(5, '3')
  expect(await kinds(5)).toEqual([])
  await scene.one(
    `update document set fields = fields || jsonb_build_object('due_at', to_char(
       (now() - interval '3 hours') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) where org_id = $1 and sn = $2
       returning 1`,
    scene.h,
    sn,
  )
  expect(await abnormal(5)).toMatchObject([{ abnormality: 'late', cause: 'store', hours: '3.0', is_open: true }])
  await received(await granted(sn, '3'))
  expect(await abnormal(5)).toMatchObject([{ abnormality: 'late', hours: '3.0', is_open: false }])
})

test('what was done about it needs words and stays; a requisition is drafted up to the upper limits', async () => {
  const { hospital } = scene
  await stored(6, '1', 60)
  await limit(6, 10, 40, 30)
  const call = (name: string, body: object) =>
    hospital.client.post(`/v1/report/restockAbnormal/${name}`, body as Record<string, unknown>)
  const query = new URLSearchParams({ ...range, warehouse_model_inner_sn: wards[6]!.id }).toString()
  const [row] = await abnormal(6)
  const sns = JSON.stringify([row!.row_key])
  expectMessage(await call('handle', { query, note: '已核实' }), '请先勾选表格中的复选框，再进行该操作。')
  expect((await call('handle', { query, sns })).errors?.[0]?.msg).toBe('请填写处理说明')
  expectMessage(
    await call('handle', { query, sns: '["low-1-1-1"]', note: '已核实' }),
    '所选的行已有变化，请刷新后重新勾选',
  )
  expect((await call('handle', { query, sns, note: '已提醒护士长' })).info.said).toBe('已登记1条异常的处理')
  expect(await abnormal(6, { handling: 'handled' })).toMatchObject([{ note: '已提醒护士长', handling: 'handled' }])
  expect(await abnormal(6, { handling: 'open' })).toEqual([])
  const { info } = await call('toClaim', { query, sns })
  const draft = await hospital.info('requisition', info.made.sn)
  expect([draft.state, draft.lines[0].quantity]).toEqual(['draft', '39.000'])
  const clerk = await scene.clerk('hospital', 'restock.reader', ['page:/hospital/restockAbnormalReport'])
  const refused = await clerk.client.post('/v1/report/restockAbnormal/handle', { query, sns, note: '无权' })
  expect(refused.code).not.toBe(0)
  expect((await abnormal(6))[0]!.note).toBe('已提醒护士长')
})

test('the statistic counts occurrences, goods, hours and what was handled', async () => {
  await stored(7, '1', 60)
  await limit(7, 10, 40, 48)
  const { list } = await scene.hospital.client.get('/v1/report/restockAbnormalStat', {
    ...range,
    warehouse_model_inner_sn: wards[7]!.id,
    group_by: 'abnormality',
  })
  expect(list).toMatchObject([
    { abnormality: 'low', occurrence_count: '1', goods_count: '1', mean_hours: '48.0', handled_rate: '0.0000' },
  ])
})

test('an old occurrence begins where it began, whatever the period; and is the same one in each', async () => {
  await stored(8, '15', 24 * 200)
  await limit(8, 20, 60, 24 * 150)
  const [row] = await abnormal(8)
  expect(row).toMatchObject({ abnormality: 'low', hours: '3600.0', stock: '15.000', is_open: true })
  const [earlier] = await abnormal(8, { begin_date: day(-40), end_date: day(-30) })
  expect(earlier!.row_key).toBe(row!.row_key)
  // Asked for long ago: it began again when that was stopped.
  const sn = await asked(8, '3')
  await scene.hospital.done('requisition', 'review', sn)
  await scene.hospital.done('requisition', 'stop', sn, { reason: '不再需要' })
  const past = (days: number) => `now() - make_interval(days => ${days})`
  await scene.one(
    `update document set submitted_at = ${past(149)}, reviewed_at = ${past(149)}, business_date = current_date - 149
      where org_id = $1 and sn = $2 returning 1`,
    scene.h,
    sn,
  )
  await scene.server.database.owner.unsafe(
    `update document_history h set at = ${past(130)} from document d
      where d.org_id = $1 and d.sn = $2 and h.org_id = d.org_id and h.document_id = d.id`,
    [scene.h, sn],
  )
  const rows = (await abnormal(8)).filter(each => each.abnormality === 'low')
  expect(rows).toMatchObject([{ hours: '3120.0', is_open: true }])
})

test('each day is judged by the limits of that day: raised, lowered, or set aside', async () => {
  await stored(9, '15', 24 * 20)
  await limit(9, 20, 60, 24 * 9)
  expect(await abnormal(9)).toMatchObject([
    { abnormality: 'low', hours: '216.0', is_open: true, min_quantity: '20.000' },
  ])
  const { hospital } = scene
  const [kept] = await hospital.list('warehouseProduct', { warehouse_model_inner_sn: wards[9]!.id })
  const set = (least: string) =>
    hospital.client.post('/v1/business/warehouseProduct/setLimit', {
      sns: JSON.stringify([kept.warehouse_product_sn]),
      least,
      point: least,
      most: '60',
    })
  expect((await set('5')).code).toBe(0)
  // The goods were low by the limits of those days, until the limits were lowered.
  expect(await abnormal(9)).toMatchObject([
    { abnormality: 'low', hours: '216.0', is_open: false, min_quantity: '20.000' },
  ])
  // Raised again, it is not low for a day yet.
  expect((await set('30')).code).toBe(0)
  expect(await abnormal(9)).toMatchObject([{ hours: '216.0', is_open: false }])
  const [now] = await hospital.list('warehouseProduct', { warehouse_model_inner_sn: wards[9]!.id })
  const { code } = await hospital.client.post('/v1/business/warehouseProduct/disable', {
    sn: now.warehouse_product_sn,
    version: now.version,
  })
  expect(code).toBe(0)
  expect(await abnormal(9)).toMatchObject([{ hours: '216.0', is_open: false }])
  const past = await scene.server.database.owner<{ min: string }[]>`
    select min_quantity::int::text as min from past_limit where warehouse_id = ${wards[9]!.id} order by id`
  expect(past.map(({ min }) => min)).toEqual(['20', '5', '30'])
})
