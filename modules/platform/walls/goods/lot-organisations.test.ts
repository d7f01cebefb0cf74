import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Decimal, plain } from '#kernel/values/decimal.ts'
import { lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { day, type Person } from '#tests/support/story.ts'

/** 批次机构分布: the platform sees every organisation of a lot with its share; a hospital itself and whom it dealt with. */
let scene: Scene
const LOT = 'FB1'
beforeAll(async () => {
  scene = await openScene()
  const { dealer, hospital, shop, inflator, h } = scene
  await scene.shelve(dealer, shop, [lotOf(inflator, LOT, { quantity: '10' })])
  const lines = [{ specification_sn: inflator, lot_no: LOT, quantity: '8' }]
  const sale = await dealer.add('saleOdo', { counterparty_sn: h, warehouse_model_inner_sn: shop, lines })
  await dealer.pass('saleOdo', sale)
  const { sn } = await hospital.from('purchaseGrn', sale)
  await hospital.pass('purchaseGrn', sn)
})
afterAll(() => scene?.close())

async function nodes(who: Person, query: Record<string, string> = {}) {
  const reply = await who.client.get('/v1/business/wall/screenBatch', { lot_no: LOT, ...query })
  expect(reply.code, reply.msg).toBe(0)
  const { rows } = reply.info.cards.organisations.nodes as { rows: Record<string, string>[] }
  return rows.map(({ node, quantity, share }) => `${node} ${quantity} ${plain(share as Decimal)}`).toSorted()
}

test('for the platform each organisation is a node, whichever hospital it looks at; used pieces stay where they were', async () => {
  const { hospital, h, central, department, inflator } = scene
  const platform = await scene.person('platform')
  const named = async (id: string) => (await scene.one('select name from organisation where id = $1', id)).name
  const [hospitalName, dealerName] = [await named(h), await named(scene.d)]
  const all = [`${hospitalName} 8.000 0.8`, `${dealerName} 2.000 0.2`].toSorted()
  expect(await nodes(platform)).toEqual(all)
  expect(await nodes(platform, { org: h })).toEqual(all)
  const use = await hospital.add('departmentUse', {
    warehouse_model_inner_sn: central,
    department_inner_sn: department,
    use_type: 'consume',
    lines: [{ specification_sn: inflator, lot_no: LOT, quantity: '3' }],
  })
  await hospital.pass('departmentUse', use)
  expect(await nodes(platform)).toEqual(all)
  // A hospital sees nothing of what its supplier kept.
  const seen = (pieces: string) => [`${hospitalName} ${pieces} 1`, `来自${dealerName} ${pieces} 1`].toSorted()
  expect(await nodes(hospital)).toEqual(seen('8.000'))
  // Returned goods belong to the supplier again.
  const [grn] = await hospital.list('purchaseGrn', { lot_no: LOT })
  await hospital.done('purchaseGrn', 'redReverse', grn.sn, {
    reason: '破损',
    lines: [{ line_no: 1, quantity: '4' }],
  })
  // A wall keeps its answer for a minute: other days are asked for anew.
  expect(await nodes(hospital, { begin_date: day(-1) })).toEqual(seen('4.000'))
})

test('a hospital that never had the lot sees no node of it', async () => {
  expect(await nodes(await scene.person('h02'))).toEqual([])
})
