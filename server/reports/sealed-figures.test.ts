import { afterAll, beforeAll, expect, test } from 'vitest'
import { add } from '#kernel/values/decimal.ts'
import { changedFigures, sealFigures } from '#server/reports/sealed-figures.ts'
import type { Sql } from '#server/plugins/database.ts'
import { openScene, type Scene } from '#tests/support/fixture.ts'
import { day } from '#tests/support/story.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene?.close())

async function changed(owner: Sql): Promise<unknown[]> {
  const all: unknown[] = []
  for await (const each of changedFigures(owner)) all.push(each)
  return all
}

test('a closed month keeps what it was sealed with, and what is another figure now is listed beside it', async () => {
  const { hospital, central, inflator, d, h } = scene
  const { owner } = scene.server.database
  const lines = [
    { specification_sn: inflator, lot_no: 'FC1', quantity: '3', price: '33.34', tax_rate: 13, expiry_date: day(700) },
  ]
  const grn = await hospital.add('purchaseGrn', {
    counterparty_sn: d,
    warehouse_model_inner_sn: central,
    lines: lines.map(line => ({ ...line, production_date: day(-60) })),
  })
  await hospital.pass('purchaseGrn', grn)
  const month = day().slice(0, 7)
  await scene.one(
    `insert into accounting_period (org_id, id, state) values ($1, $2, 'closed')
       on conflict (org_id, id) do update set state = 'closed' returning 1`,
    h,
    month.replace('-', ''),
  )
  expect([await sealFigures(owner), await sealFigures(owner)]).toEqual([1, 0])
  expect(await changed(owner)).toEqual([])
  // 3 × 33.34 = 100.02, as a version would have sealed it that counted a cent more.
  const [row] = await owner`
    update sealed_figure set amount = amount + 0.01 where org_id = ${h} and measure = 'purchased' returning amount`
  expect(row!.amount).toBe(add('100.02', '0.01', 2))
  expect(await changed(owner)).toMatchObject([
    { month, figure: '采购入库净额（含税）', before: '100.03', after: '100.02' },
  ])
  await scene.one("update accounting_period set state = 'open' where org_id = $1 returning 1", h)
})
