import { goodsOf, storeOf } from '#server/demo/simulation/levels.ts'
import { orgId, someone, storeId, type World } from '#server/demo/simulation/world.ts'

/** Who found, lost and destroyed something in the last weeks, and of whose goods (those of the first supplier for hospitals). */
const houses = [
  ['H01', 'D02'],
  ['H02', 'D02'],
  ['D01', 'D01'],
  ['D02', 'D02'],
  ['D03', 'D03'],
  ['V01', 'V01'],
  ['V02', 'V02'],
  ['V03', 'V03'],
  ['V04', 'V04'],
] as const

/** The oldest lot of goods without codes that lies in a store. */
async function anything(world: World, org: string, store: string) {
  const { hands } = world
  const shelf = await hands.shelf(orgId(world, org), storeId(world, store))
  return goodsOf(world, org).find(good => !good.isCoded && (shelf.get(good.id) ?? 0) > 20)
}

/** Losses, finds and scrapped goods: some finished, some waiting for another's signature. */
export function planLosses(world: World): void {
  const { hands } = world
  for (const [at, [org]] of houses.entries()) {
    const store = storeOf(org)
    world.plan(world.calendar.ago(3 + (at % 3)), 15, `losses ${org}`, async () => {
      const good = await anything(world, org, store)
      if (!good) return
      const [keeper, head] = [someone(world, org, 'keeper'), someone(world, org, 'head')]
      const header = { warehouse_model_inner_sn: storeId(world, store) }
      const line = { specification_sn: good.id, quantity: '1' }
      const lost = { ...header, loss_type: 'missing', loss_reason: '盘点时未找到实物' }
      await hands.pass(keeper, head, 'loss', await hands.add(keeper, 'loss', { ...lost, lines: [line] }))
      await hands.act(keeper, 'loss', 'submit', await hands.add(keeper, 'loss', { ...lost, lines: [line] }))
      await hands.add(keeper, 'loss', { ...lost, loss_reason: '搬运时散落，数量待核对', lines: [line] })
      const [known] = await hands.lots(orgId(world, org), header.warehouse_model_inner_sn, good.id)
      if (!known) return
      const found = { ...header, overflow_reason: '货架后找到' }
      const found1 = { ...line, ...known }
      await hands.pass(keeper, head, 'overflow', await hands.add(keeper, 'overflow', { ...found, lines: [found1] }))
      await hands.act(keeper, 'overflow', 'submit', await hands.add(keeper, 'overflow', { ...found, lines: [found1] }))
      const unfit = { ...found1, quality_state: 'unqualified', remark: '外包装破损' }
      await hands.pass(
        keeper,
        head,
        'overflow',
        await hands.add(keeper, 'overflow', { ...found, overflow_reason: '拆箱发现多一件，外包装破损', lines: [{ ...unfit, quantity: '2' }] }),
      )
      const scrapped = { ...header, scrap_type: 'unqualified', scrap_reason: '外包装破损，无菌屏障失效' }
      const unfitLine = { ...line, lot_no: known.lot_no, quality_state: 'unqualified' }
      await hands.pass(keeper, head, 'scrap', await hands.add(keeper, 'scrap', { ...scrapped, lines: [unfitLine] }))
      await hands.act(keeper, 'scrap', 'submit', await hands.add(keeper, 'scrap', { ...scrapped, lines: [unfitLine] }))
    })
  }
}
