import { afterAll, beforeAll, expect, test } from 'vitest'
import { lotOf, openScene, says, type Scene } from '../../tests/support/scene.ts'
import { day } from '../../tests/support/story.ts'

/** 库存综合检索: where the goods of the house lie, also those with customers. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
  const { dealer, hospital, shop, h, balloon } = scene
  const codes = { unit_codes: ['WHERE-1', 'WHERE-2', 'WHERE-3'] }
  const near = { expiry_date: day(90) }
  await scene.shelve(dealer, shop, [lotOf(balloon, 'WHERE', { quantity: '3', ...codes, ...near })])
  const line = { specification_sn: balloon, lot_no: 'WHERE', quantity: '2', unit_codes: ['WHERE-1', 'WHERE-2'] }
  const odo = await dealer.add('saleOdo', {
    counterparty_sn: h,
    warehouse_model_inner_sn: shop,
    regime: 'consigned',
    lines: [line],
  })
  await dealer.pass('saleOdo', odo)
  const { sn } = await hospital.from('purchaseGrn', odo)
  await hospital.pass('purchaseGrn', sn)
}, 60_000)
afterAll(() => scene?.close())

test('the owner finds it in his store and with the customer, by what is typed and by what is scanned', async () => {
  const { dealer, vendor, h, d } = scene
  const places = async (q: string) =>
    (await dealer.list('stockLocator', { q })).map(row => [row.place_kind, row.keeper_org_sn, row.quantity, row.pieces])
  expect(await places('WHERE')).toEqual(
    expect.arrayContaining([
      ['own', d, '1.000', 1],
      ['consigned_out', h, '2.000', 0],
    ]),
  )
  expect(await places('WHERE-3')).toHaveLength(2)
  expect(await vendor.list('stockLocator', { q: 'WHERE' })).toEqual([])
  says(await dealer.client.get('/v1/business/stockLocator/list', { q: '(01)09999999999994(10)X' }), /^未识别的条码：/)
})
