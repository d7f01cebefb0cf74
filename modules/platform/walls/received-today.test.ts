import { afterAll, beforeAll, expect } from 'vitest'
import { overviewWall } from '#modules/platform/walls/overview/overview.wall.ts'
import { lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { story } from '#tests/support/steps.ts'
import { day } from '#tests/support/story.ts'

/** The figures of the front wall out of the documents of two days. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene?.close())

/** Bought goods that the hospital receives of the dealer, at 100 yuan a piece with tax. */
async function received(lot_no: string, quantity: string): Promise<string> {
  const { hospital, central, d, inflator } = scene
  const sn = await hospital.add('purchaseGrn', {
    counterparty_sn: d,
    warehouse_model_inner_sn: central,
    lines: [lotOf(inflator, lot_no, { quantity, price: '100', tax_rate: 13 })],
  })
  await hospital.pass('purchaseGrn', sn)
  return sn
}

/**
 * The cards of the wall for this choice of days: cards are cached by their days (the month's until
 * today, if none are chosen), so each choice is read anew.
 */
const wall = async (query: Record<string, string>) =>
  (await scene.hospital.client.get(`/v1/business/wall/${overviewWall.kind}`, query)).info.cards

story('receipts of today on the front wall', step => {
  step('are those of the day less what went back, against those of yesterday', async () => {
    const { hospital, h } = scene
    const yesterday = await received('WALL1', '100')
    await scene.one(
      "update document set reviewed_at = reviewed_at - interval '1 day' where org_id = $1 and sn = $2 returning 1",
      h,
      yesterday,
    )
    const today = await received('WALL2', '120')
    const back = await hospital.add('purchaseReturn', {
      source_sn: today,
      source_type: 9,
      return_reason: '包装破损',
      lines: [{ source_line_no: 1, quantity: '5' }],
    })
    await hospital.pass('purchaseReturn', back)
    const { received: card, suppliers } = await wall({})
    expect(card.today).toMatchObject({
      rows: [{ amount: '11500.00', quantity: '115.000' }],
      before: { previous: [{ amount: '10000.00', quantity: '100.000' }] },
    })
    expect(suppliers.suppliers.rows).toMatchObject([{ amount: expect.stringMatching(/^(11500|21500)\.00$/) }])
    const list = await hospital.client.get('/v1/report/receivedLines', card.today.asked)
    expect(list).toMatchObject({ total: 2, summary: { amount: '11500.00', quantity: '115.000' } })
  })

  step('are drafts no receipts, and stock is own and consigned apart', async () => {
    const { hospital, central, inflator } = scene
    await scene.shelve(hospital, central, [lotOf(inflator, 'WALL3', { quantity: '10', price: '7', tax_rate: 0 })])
    const { stock, received: card } = await wall({ begin_date: day(-1), end_date: day() })
    expect(card.today.rows).toMatchObject([{ amount: '11500.00' }])
    const own = stock.stock.rows.find((row: { ownership: string }) => row.ownership === 'own')
    const list = await hospital.client.get('/v1/report/inventoryDetail', { end_date: day(), ownership: 'own' })
    expect([own.quantity, own.amount]).toEqual([list.summary.quantity, list.summary.amount])
  })
})
