import { subtract } from '#kernel/values/decimal.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import type { Person } from '#tests/support/story.ts'

/** The home page's figures mean the same at every organisation. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene?.close())

const cameIn = async (who: Person): Promise<string> => {
  const { info } = await who.client.get('/v1/business/workbench')
  return info.figures.find((figure: { title: string }) => figure.title === '本月采购入库净额（含税）').value
}

test('本月采购入库净额 is what was bought this month with tax, at hospital and dealer alike, without openings', async () => {
  const { hospital, dealer, central, shop, inflator, d, v } = scene
  const before = { hospital: await cameIn(hospital), dealer: await cameIn(dealer) }
  await scene.shelve(hospital, central, [lotOf(inflator, 'WB1', { quantity: '5' })])
  await scene.shelve(dealer, shop, [lotOf(inflator, 'WB1', { quantity: '5' })])
  const receive = async (who: Person, warehouse: string, supplier: string, regime: string) => {
    const sn = await who.add('purchaseGrn', {
      counterparty_sn: supplier,
      warehouse_model_inner_sn: warehouse,
      regime,
      lines: [lotOf(inflator, `WB-${regime}`, { quantity: '2', price: '100', tax_rate: 13 })],
    })
    await who.pass('purchaseGrn', sn)
    return sn
  }
  const receipts = [await receive(hospital, central, d, 'purchased'), await receive(dealer, shop, v, 'purchased')]
  await receive(hospital, central, d, 'consigned')
  expect(subtract(await cameIn(hospital), before.hospital, 2)).toBe('200.00')
  expect(subtract(await cameIn(dealer), before.dealer, 2)).toBe('200.00')
  await hospital.done('purchaseGrn', 'redReverse', receipts[0]!, { reason: '录错' })
  expect(await cameIn(hospital)).toBe(before.hospital)
})
