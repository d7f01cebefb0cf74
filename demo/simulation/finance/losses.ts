import { codesOf, type Good } from '#demo/simulation/goods.ts'
import { giftBody, givers } from '#demo/simulation/trade/gifts.ts'
import { someone, type World } from '#demo/simulation/world.ts'

/** The gifts whose lots are counted here were booked this many days ago. */
const GIFT = 91
const FIRST_SERIAL = 9500

/** Recent gains, losses and destructions at every organisation: some finished, some waiting for another signature. */
export function planLosses(world: World): void {
  for (const [at, org] of givers.entries())
    world.plan(world.calendar.ago(3 + (at % 3)), 15, `losses ${org}`, () => count(world, org, at))
}

async function count(world: World, org: string, at: number): Promise<void> {
  const { hands } = world
  const [keeper, head] = [someone(world, org, 'keeper'), someone(world, org, 'head')]
  const { warehouse_model_inner_sn, lines } = giftBody(world, org, at, GIFT)
  const { specification_sn, lot_no, production_date, expiry_date } = lines[0]!
  const good = [...world.catalogue.goods.values()].find(each => each.id === specification_sn)!
  const lot = { specification_sn, lot_no }
  const pieces = piecesOf(good, lot_no, FIRST_SERIAL + at * 10)
  const write = (kind: string, header: object, line: object) =>
    hands.add(keeper, kind, { warehouse_model_inner_sn, ...header, lines: [{ ...lot, ...line }] })
  const signed = async (kind: string, sn: string) => hands.pass(keeper, head, kind, sn)
  const waiting = async (kind: string, sn: string) => hands.act(keeper, kind, 'submit', sn)

  const found = { production_date, expiry_date, remark: '按批次成本入账' }
  const reason = { overflow_reason: '货架后找到，账外实物' }
  const unfit = { quality_state: 'unqualified' }
  await signed('overflow', await write('overflow', reason, { ...found, ...pieces(1, 3) }))
  await signed('overflow', await write('overflow', reason, { ...found, ...unfit, ...pieces(4, 5) }))
  await waiting('overflow', await write('overflow', reason, { ...found, ...pieces(6, 6) }))
  const lost = { loss_type: 'missing', loss_reason: '盘点时未找到实物' }
  await signed('loss', await write('loss', lost, pieces(1, 1)))
  await waiting('loss', await write('loss', lost, pieces(2, 2)))
  await write('loss', { ...lost, loss_reason: '搬运时散落，数量待核对' }, pieces(3, 3))
  const scrapped = { scrap_type: 'unqualified', scrap_reason: '外包装破损，无菌屏障失效' }
  await signed('scrap', await write('scrap', scrapped, { ...unfit, ...pieces(4, 4) }))
  await waiting('scrap', await write('scrap', scrapped, { ...unfit, ...pieces(5, 5) }))
}

/** Some pieces of a lot: by their codes where they have them. */
const piecesOf = (good: Good, lot: string, first: number) => (from: number, to: number) =>
  good.isUnitCoded
    ? { unit_codes: codesOf(good, lot, to - from + 1, first + from) }
    : { quantity: String(to - from + 1) }
