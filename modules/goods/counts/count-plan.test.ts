import { afterAll, beforeAll, expect, test } from 'vitest'
import { clock } from '#kernel/values/date.ts'
import { countByPlan } from '#modules/goods/counts/count-plan.server.ts'
import { attempt, expectMessage, lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import type { Person } from '#tests/support/story.ts'

/** 循环盘: a plan classes the goods of a store by their movement, and creates counts of the due ones. */
let scene: Scene
let second: Person
let plan = ''
beforeAll(async () => {
  scene = await openScene()
  second = await scene.colleague('dealer')
  const { dealer, shop, inflator, stent, balloon, h } = scene
  await scene.shelve(dealer, shop, [
    lotOf(inflator, 'JH1', { quantity: '100', price: '100' }),
    lotOf(balloon, 'JH2', { unit_codes: ['JH-1', 'JH-2'], price: '100' }),
    lotOf(stent, 'JH3', { unit_codes: ['JH-3'], price: '100' }),
  ])
  const sell = async (line: object) => {
    const sn = await dealer.add('saleOdo', { counterparty_sn: h, warehouse_model_inner_sn: shop, lines: [line] })
    await dealer.pass('saleOdo', sn)
  }
  await sell({ specification_sn: inflator, lot_no: 'JH1', quantity: '10' })
  await sell({ unit_codes: ['JH-1'] })
  const body = { name: '一号库循环盘', warehouse_model_inner_sn: shop, take_method: 'open', calendar: 'daily' }
  const added = await dealer.client.post('/v1/business/countPlan/add', body)
  expect(added.msg).toBe('')
  plan = added.info.sn
})
afterAll(() => scene?.close())

const planned = async () => (await scene.dealer.list('countPlan', {}))[0]
const run = () => countByPlan(scene.server.database.owner)
/** Counts everything of a count as the ledger has it. */
async function countAll(sn: string) {
  const { dealer } = scene
  await dealer.done('stockTake', 'start', sn)
  const { lines } = await dealer.info('stockTake', sn)
  const codes = lines.flatMap((line: { expected_codes: string[] }) => line.expected_codes)
  if (codes.length > 0) await dealer.client.post('/v1/business/stockTake/scan', { sn, codes: JSON.stringify(codes) })
  const isLoose = (line: { expected_codes: string[] }) => line.expected_codes.length === 0
  if (lines.some(isLoose)) await dealer.done('stockTake', 'fillBook', sn)
  await dealer.done('stockTake', 'submit', sn)
  await second.done('stockTake', 'review', sn)
  return lines as { specification_sn: string }[]
}

test('a plan classes goods by the value that left the store, and has what is due counted on its days', async () => {
  const { dealer, inflator, balloon, stent } = scene
  expect(await planned()).toMatchObject({ goods_a: 1, goods_b: 1, goods_c: 1, due_goods: 3 })
  await dealer.done('countPlan', 'edit', plan, { most_goods: '2' })
  expect(await run()).toBe(1)
  expect(await run()).toBe(0)
  const { last_count_no } = await planned()
  expect(await dealer.info('stockTake', last_count_no)).toMatchObject({
    take_type: 'cycle',
    take_method: 'open',
    count_plan_sn: plan,
    lines: [],
  })
  // The next day no count is created while the last one is under way.
  const nextDay = (days: number) => (clock.at = new Date(Date.now() + days * 86_400_000))
  try {
    nextDay(1)
    expect(await run()).toBe(0)
    clock.at = null
    const lines = await countAll(last_count_no)
    expect(new Set(lines.map(line => line.specification_sn))).toEqual(new Set([inflator, balloon]))
    expect(await planned()).toMatchObject({ due_goods: 1 })
    nextDay(1)
    expect(await run()).toBe(1)
    const rest = await countAll((await planned()).last_count_no)
    expect(rest.map(line => line.specification_sn)).toEqual([stent])
    expect(await planned()).toMatchObject({ due_goods: 0 })
    expectMessage(await dealer.do('countPlan', 'generate', plan), '没有到期需要盘点的品规，或上次生成的盘点单尚未审核')
    // Each class by its own interval.
    nextDay(30)
    expect((await planned()).due_goods).toBe(1)
    nextDay(90)
    expect((await planned()).due_goods).toBe(2)
    nextDay(181)
    expect((await planned()).due_goods).toBe(3)
  } finally {
    clock.at = null
  }
})

test('a cycle count is made by a plan and not by hand', async () => {
  const { dealer, shop } = scene
  const sn = await dealer.add('stockTake', { warehouse_model_inner_sn: shop, take_type: 'cycle' })
  expectMessage(
    await dealer.do('stockTake', 'start', sn),
    '循环盘由盘点计划生成，请在库存查询的“盘点计划”中维护，或改用抽盘',
  )
})

test('a plan on weekdays, of a store that is known, with shares that leave a rest', async () => {
  const { dealer, shop } = scene
  const body = { name: '坏计划', warehouse_model_inner_sn: shop, share_a: '80', share_b: '20' }
  expectMessage(await dealer.client.post('/v1/business/countPlan/add', body), 'A类与B类占比之和应小于100')
  const count = { warehouse_model_inner_sn: shop, take_type: 'sample', count_plan_sn: plan }
  expect((await attempt(dealer, 'stockTake', count)).code).not.toBe(0)
})
