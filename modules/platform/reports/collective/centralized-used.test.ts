import { afterAll, beforeAll, expect, test } from 'vitest'
import { afterThisTest, lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { day } from '#tests/support/story.ts'

/** 集采耗材使用报表: agreed, bought and used against time, what others of the kind were used, and prices above. */
let scene: Scene
let other = ''
beforeAll(async () => {
  scene = await openScene()
  const { h, inflator, hospital, one } = scene
  other = await scene.specification('P009-02')
  const leaf = await one(
    "insert into custom_type (org_id, tree, name, code) values ($1, 'purchase', '集采试类', 'JCS') returning id",
    h,
  )
  for (const specification of [inflator, other]) {
    await one(
      "delete from typed_product where org_id = $1 and tree = 'purchase' and specification_id = $2 returning 1",
      h,
      specification,
    )
    await one(
      `insert into typed_product (org_id, tree, custom_type_id, specification_id, valid_from, by_name)
         values ($1, 'purchase', $2, $3, '2020-01-01', '试') returning 1`,
      h,
      leaf.id,
      specification,
    )
  }
  // Half of the agreement's days are over today.
  const { version, ...row } = await hospital.info('hospitalProduct', (await catalogue()).hospital_product_sn)
  expect(row.hospital_product_sn).toBeTruthy()
  const written = await hospital.client.post('/v1/business/hospitalProduct/edit', {
    sn: row.hospital_product_sn,
    version,
    collective_batch: '集采试批',
    collective_from: day(-4),
    collective_to: day(5),
    collective_price: '140',
    agreed_quantity: '1200',
  })
  expect(written.msg).toBe('')
})
afterAll(() => scene?.close())

const catalogue = async () => (await scene.hospital.list('hospitalProduct', { specification_sn: scene.inflator }))[0]
const ask = async (report: string, more: object = {}, who = scene.hospital) =>
  (
    await who.client.get(`/v1/report/${report}`, {
      end_date: day(),
      batch: '集采试批',
      ...more,
    } as Record<string, string>)
  ).list as Record<string, string | null>[]

test('completion against time, its gap and state, the share of the winner, and receipts above its price', async () => {
  const { hospital, central, ward, department, inflator, d } = scene
  const came = async (quantity: string, price: string, lot_no: string) => {
    const sn = await hospital.add('purchaseGrn', {
      counterparty_sn: d,
      warehouse_model_inner_sn: central,
      lines: [lotOf(inflator, lot_no, { quantity, price })],
    })
    await hospital.pass('purchaseGrn', sn)
    return sn
  }
  await came('400', '139', 'JC1')
  const dear = await came('100', '145', 'JC2')
  const back = await hospital.add('purchaseReturn', {
    source_type: 9,
    source_sn: dear,
    return_reason: '多送',
    lines: [{ source_line_no: 1, quantity: '20' }],
  })
  await hospital.pass('purchaseReturn', back)
  await scene.shelve(hospital, ward, [
    lotOf(inflator, 'JC3', { quantity: '450' }),
    lotOf(other, 'JC4', { quantity: '50' }),
  ])
  const use = await hospital.add('departmentUse', {
    warehouse_model_inner_sn: ward,
    department_inner_sn: department,
    lines: [
      { specification_sn: inflator, lot_no: 'JC3', quantity: '450' },
      { specification_sn: other, lot_no: 'JC4', quantity: '50' },
    ],
  })
  await hospital.pass('departmentUse', use)
  const [row, alert, ...rest] = await ask('centralizedUsed')
  expect(row).toMatchObject({
    agreed_quantity: '1200.000',
    bought_quantity: '480.000',
    purchase_rate: '0.4000',
    used_quantity: '450.000',
    use_rate: '0.3750',
    time_rate: '0.5000',
    gap: '-0.1000',
    completion: 'late',
    other_quantity: '50.000',
    won_share: '0.9000',
    // 480 in five days: 720 more in seven and a half.
    expected_on: day(8),
    alert: null,
  })
  expect(alert).toMatchObject({ alert: 'above', grn_sn: dear, grn_price: '145.0000', agreed_quantity: null })
  expect(rest).toEqual([])
  expect(await ask('centralizedUsed', { completion: 'done' })).toEqual([])
  expect((await ask('centralizedUsed', { completion: 'late' })).length).toBe(2)
  expect(await ask('centralizedUsed', { end_date: day(-5) })).toEqual([])
  const trend = await ask('centralizedTrend')
  expect(
    trend.map(line => [line.month, line.department_name === null, line.bought_quantity, line.used_quantity]),
  ).toEqual([
    [day().slice(0, 7), true, '480.000', '0.000'],
    [day().slice(0, 7), false, '0.000', '450.000'],
  ])
})

test('a day ahead is refused, and prices are for those who may see them', async () => {
  const { hospital } = scene
  const ahead = await hospital.client.get('/v1/report/centralizedUsed', { end_date: day(1) })
  expect(ahead.msg).toBe('截止日期不能大于当前日期')
  expect((await ask('centralizedUsed'))[0]).toMatchObject({ collective_price: '140.0000' })
  const role = "name = '采购员' and org_id = $1 returning 1"
  await scene.one(`update role set flags = array_remove(flags, 'price') where ${role}`, scene.h)
  afterThisTest(() => scene.one(`update role set flags = flags || '{price}'::text[] where ${role}`, scene.h))
  const rows = await ask('centralizedUsed', {}, await scene.person('buyer'))
  expect(rows.length).toBeGreaterThan(0)
  for (const row of rows) expect([row.collective_price, row.grn_price]).toEqual([undefined, undefined])
})
