import { afterAll, beforeAll, expect, it } from 'vitest'
import { isLow } from '#kernel/rules/stock-limit.ts'
import { lotOf, openScene, type Scene } from '#tests/support/fixture.ts'

/** All pages answer alike whether stock is 低于下限. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
  const { hospital, dealer, ward, shop, inflator, one, h, d } = scene
  await scene.shelve(hospital, ward, [lotOf(inflator, 'LOW1', { quantity: '8' })])
  await scene.shelve(dealer, shop, [lotOf(inflator, 'LOW2', { quantity: '8' })])
  // The answer of the assistant is about these goods alone.
  await one('update hospital_product set minimum = null where specification_id <> $1 returning 1', inflator)
  for (const [store, org] of [
    [ward, h],
    [shop, d],
  ])
    await one(
      `insert into warehouse_product (org_id, warehouse_id, specification_id, min_quantity, reorder_point, max_quantity)
       values ($1, $2, $3, 8, 8, 90) on conflict (org_id, warehouse_id, specification_id)
         do update set min_quantity = 8, reorder_point = 8, max_quantity = 90, status = 'enabled' returning id`,
      org,
      store,
      inflator,
    )
})
afterAll(() => scene?.close())

const statesAt = async (limit: string) => {
  const { hospital, dealer, inflator, one, ward } = scene
  for (const table of ['hospital_product', 'dealer_product'])
    await one(`update ${table} set minimum = $1, maximum = 90 where specification_id = $2 returning 1`, limit, inflator)
  await one('update warehouse_product set min_quantity = $1 where specification_id = $2 returning 1', limit, inflator)
  const ofGoods = { specification_sn: inflator }
  const url = '/v1/llm/streamChatWithWeb'
  const said = await hospital.client.raw({ method: 'GET', url, query: { content: '哪些产品低于下限' } })
  const state = async (person: Scene['hospital'], kind: string, name: string, more = {}) =>
    (await person.list(kind, { ...ofGoods, ...more })).map(row => row[name])
  return {
    'the catalogue of the hospital': await state(hospital, 'hospitalProduct', 'stock_state'),
    'the catalogue of the dealer': await state(dealer, 'dealerProduct', 'stock_state'),
    'the balance of the ward': await state(hospital, 'stockBalance', 'level', { warehouse_model_inner_sn: ward }),
    'the balance of the dealer': await state(dealer, 'stockBalance', 'level'),
    'the stock of the department': await state(hospital, 'departmentInventory', 'stock_state', { display: 'product' }),
    'the assistant': [said.body.includes('库存低于下限的规格共') ? 'low' : 'normal'],
  }
}

it('stock at its lower limit is below it for every page, and one piece more for none', async () => {
  const [at, above] = [await statesAt('8'), await statesAt('7')]
  for (const [place, states] of Object.entries(at)) expect([...new Set(states)], place).toEqual(['low'])
  for (const [place, states] of Object.entries(above)) expect(states, place).not.toContain('low')
})

it.each([
  ['7.999', '8'],
  ['8', '8.000'],
  ['8.001', '8'],
  ['0', '0'],
  ['-1', '0'],
] as const)('%s of %s is the same for the program and the database', async (quantity, limit) => {
  const { low } = await scene.one('select is_low($1, $2) as low', quantity, limit)
  expect(low).toBe(isLow(quantity, limit))
})
