import { afterAll, beforeAll, expect, test } from 'vitest'
import { afterThisTest, expectMessage, lotOf, openScene, type Scene } from '#tests/support/fixture.ts'

/** A requisition proposed from par levels, or from a department's favourites. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene?.close())

const call = (name: string, body: object = {}) =>
  scene.hospital.client.post(`/v1/business/requisition/${name}`, body as Record<string, unknown>)

/** Sets the limits of the ward's store for the inflator. */
async function list(body: { point: string; most: string; pack?: string; by?: string }): Promise<void> {
  const { h, ward, inflator } = scene
  await scene.one(
    `insert into warehouse_product (org_id, warehouse_id, specification_id, min_quantity, reorder_point, max_quantity,
       pack_size, replenishment) values ($1, $2, $3, 0, $4, $5, $6, $7) returning 1`,
    h,
    ward,
    inflator,
    body.point,
    body.most,
    body.pack ?? null,
    body.by ?? 'levels',
  )
  afterThisTest(() =>
    scene.one('delete from warehouse_product where org_id = $1 and warehouse_id = $2 returning 1', h, ward),
  )
}
const drop = async (sn: string) => {
  const { version } = await scene.hospital.info('requisition', sn)
  await scene.hospital.client.post('/v1/business/requisition/del', { sn, version })
}

test('up to the par level, less what lies there and what is under way, in whole packs', async () => {
  const { hospital, ward, inflator } = scene
  await scene.shelve(hospital, ward, [lotOf(inflator, 'PAR1', { quantity: '7' })])
  const [{ quantity }] = await hospital.list('departmentInventory', {
    display: 'product',
    warehouse_model_inner_sn: ward,
    specification_sn: inflator,
  })
  expect(quantity).toBe('7.000')
  // 60 − 7 = 53: five packs of ten.
  await list({ point: '20', most: '60', pack: '10', by: 'packs' })
  const made = await call('fromPar', { to_warehouse_model_inner_sn: ward })
  expect(made.msg).toBe('')
  const draft = await hospital.info('requisition', made.info.sn)
  expect(draft).toMatchObject({ claim_type: 'refill', created_by_name: expect.stringMatching(/./) })
  expect(draft.lines).toMatchObject([{ specification_sn: inflator, quantity: '50.000' }])
  expectMessage(await call('fromPar', { to_warehouse_model_inner_sn: ward }), '没有低于补货点的科室库产品')
  await hospital.done('requisition', 'submit', made.info.sn)
  await hospital.done('requisition', 'reject', made.info.sn, { reason: '改量' })
  const lines = [{ line_no: 1, specification_sn: inflator, quantity: '12' }]
  await hospital.done('requisition', 'edit', made.info.sn, { lines })
  expectMessage(await hospital.do('requisition', 'submit', made.info.sn), '第1行：数量必须为定数10的整数倍')
  await drop(made.info.sn)
})

test('goods asked for by hand are not proposed, and nothing is above the reorder point', async () => {
  const { ward } = scene
  await list({ point: '99', most: '100', by: 'manual' })
  expectMessage(await call('fromPar', { to_warehouse_model_inner_sn: ward }), '没有低于补货点的科室库产品')
})

test('a department’s favourites become a requisition with everything usual', async () => {
  const { hospital, central, department, inflator, balloon } = scene
  const post = (kind: string, body: object) =>
    hospital.client.post(`/v1/business/${kind}/add`, body as Record<string, unknown>)
  await post('commonProduct', {
    name: '每日清单',
    department_inner_sn: department,
    warehouse_model_inner_sn: central,
    sharing: 'department',
  })
  const [favourite] = await hospital.list('commonProduct', { name: '每日清单' })
  const of = { common_product_sn: favourite.common_product_sn }
  await post('commonProductLine', { ...of, specification_sn: inflator, usual_quantity: '3' })
  await post('commonProductLine', { ...of, specification_sn: balloon, usual_quantity: '1' })
  const made = await call('fromCommon', of)
  expect(made.msg).toBe('')
  expect(
    (await hospital.info('requisition', made.info.sn)).lines.map((line: { quantity: string }) => line.quantity),
  ).toEqual(['3.000', '1.000'])
  expectMessage(await call('fromCommon', { common_product_sn: '1' }), /常用产品.*不存在/)
  expect((await call('fromCommon', {})).code).not.toBe(0)
})
