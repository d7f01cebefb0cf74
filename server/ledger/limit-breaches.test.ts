import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkLedgers } from '#server/ledger/check/check.ts'
import { closeMonths } from '#server/ledger/month-close.ts'
import { lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { day } from '#tests/support/story.ts'

/** Goods of the wards' stores beyond their limits, followed through the sealed months and from there to now. */
let scene: Scene
let wards: { id: string; department_id: string }[]
beforeAll(async () => {
  scene = await openScene()
  wards = await scene.server.database.owner`
    select id, department_id from warehouse
     where org_id = ${scene.h} and model = 'ward' and status = 'enabled' and department_id is not null order by id`
  await stored(0, '15', 100)
  await limit(0, 90)
  await stored(1, '15', 100)
  await stored(1, '30', 40)
  await limit(1, 90)
  await closeMonths(scene.server.database.owner)
})
afterAll(() => scene?.close())

/** Goods in a ward's store, there for so many days. */
async function stored(at: number, quantity: string, days: number): Promise<void> {
  const lot = `LB-${at}-${days}`
  await scene.shelve(scene.hospital, wards[at]!.id, [lotOf(scene.inflator, lot, { quantity })])
  await scene.one(
    `update stock_move m set at = at - make_interval(days => $3) from lot l
      where m.org_id = $1 and l.id = m.lot_id and l.lot_no = $2 returning 1`,
    scene.h,
    lot,
    days,
  )
}
/** At least 20 and at most 40 of them, for so many days. */
const limit = (at: number, days: number) =>
  scene.one(
    `insert into warehouse_product (org_id, warehouse_id, specification_id, min_quantity, reorder_point, max_quantity,
       limits_since)
     values ($1, $2, $3, 20, 20, 40, now() - make_interval(days => $4)) returning 1`,
    scene.h,
    wards[at]!.id,
    scene.inflator,
    days,
  )
const kept = (at: number) =>
  scene.server.database.owner`
    select side, on_hand::int as on_hand, round(extract(epoch from now() - begun_at) / 86400)::int as begun,
      round(extract(epoch from now() - ended_at) / 86400)::int as ended
      from limit_breach where org_id = ${scene.h} and warehouse_id = ${wards[at]!.id} order by begun_at`
type Row = Record<string, string | null>
async function low(at: number, begin: number, end: number): Promise<Row[]> {
  const { list } = await scene.hospital.client.get('/v1/report/restockAbnormal', {
    begin_date: day(-begin),
    end_date: day(-end),
    abnormality: 'low',
    warehouse_model_inner_sn: wards[at]!.id,
  })
  return list
}

test('a breach goes on through the months, in one row, and ends when it ended', async () => {
  expect(await kept(1)).toEqual([
    { side: 'low', on_hand: 15, begun: 90, ended: 40 },
    { side: 'over', on_hand: 45, begun: 40, ended: null },
  ])
  expect(await low(1, 70, 60)).toMatchObject([{ hours: '1200.0', stock: '15.000', is_open: false }])
  expect(await low(1, 5, 0)).toEqual([])
})

test('what lasts is followed from the last sealed month to now, in every period in which it stood', async () => {
  const said = async () => [...(await low(0, 3, 0)), ...(await low(0, 60, 50))]
  expect(await kept(0)).toEqual([{ side: 'low', on_hand: 15, begun: 90, ended: null }])
  const before = await said()
  expect(before).toMatchObject([
    { hours: '2160.0', is_open: true },
    { hours: '2160.0', is_open: true },
  ])
  const { hospital, central, inflator } = scene
  const sn = await hospital.add('requisition', {
    warehouse_model_inner_sn: central,
    to_warehouse_model_inner_sn: wards[0]!.id,
    department_inner_sn: wards[0]!.department_id,
    lines: [{ specification_sn: inflator, quantity: '30' }],
  })
  await hospital.done('requisition', 'submit', sn)
  expect((await said()).map(row => [row.row_key, row.is_open])).toEqual(before.map(row => [row.row_key, false]))
})

test('the ledger check follows everything from the first move, and finds a row that is not so', async () => {
  const { owner } = scene.server.database
  const found = async () => (await checkLedgers(owner)).filter(({ check }) => check === 'limitBreaches')
  expect(await found()).toEqual([])
  const shift = (hours: number) => owner`
    update limit_breach set ended_at = ended_at + make_interval(hours => ${hours})
     where org_id = ${scene.h} and warehouse_id = ${wards[1]!.id} and side = 'low'`
  await shift(1)
  expect(await found()).toHaveLength(1)
  await shift(-1)
})
