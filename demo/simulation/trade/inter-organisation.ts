import { spareLines } from '#demo/simulation/hospital/internal-movements.ts'
import { orgId, someone, storeId, type World } from '#demo/simulation/world.ts'

/** Organisations that help each other out at cost: from which store to which. */
const ways: readonly (readonly [from: string, store: string, to: string, their: string])[] = [
  ['H01', 'H01-W01', 'H02', 'H02-W01'],
  ['H02', 'H02-W01', 'H01', 'H01-W01'],
  ['D01', 'D01-W01', 'D02', 'D02-W01'],
  ['D02', 'D02-W01', 'D01', 'D01-W01'],
]

/**
 * Goods move between organisations: received; received in part with the rest refused and returned or closed by the
 * sender; in transit; draft.
 */
export function planAcross(world: World): void {
  for (const [at, way] of ways.entries())
    world.plan(world.calendar.ago(8 - at), 15, `across ${way[0]}`, () => helps(world, ...way))
}

/** Goods that both organisations keep, if any. */
async function commonLines(world: World, from: string, store: string, to: string, their: string) {
  const lines = await spareLines(world, from, store, 2, 40)
  const known = await world.hands.shelf(orgId(world, to), storeId(world, their))
  const common = lines.filter(line => known.has(line.specification_sn))
  return (common.length > 0 ? common : lines).slice(0, 2)
}

async function helps(world: World, from: string, store: string, to: string, their: string): Promise<void> {
  const { hands } = world
  const [keeper, head] = [someone(world, from, 'keeper'), someone(world, from, 'head')]
  const lines = await commonLines(world, from, store, to, their)
  if (lines.length === 0) return
  const write = (transfer_reason: string) =>
    hands.add(keeper, 'transfer', {
      transfer_type: 'across',
      counterparty_sn: orgId(world, to),
      warehouse_model_inner_sn: storeId(world, store),
      transfer_reason,
      transport: '自有车辆',
      lines,
    })
  const send = async (reason: string) => {
    const sn = await write(reason)
    await hands.pass(keeper, head, 'transfer', sn)
    return { sn, arrived: await hands.created(orgId(world, to), 'transferArrival', sn, orgId(world, from)) }
  }
  const [taker, signer] = [someone(world, to, 'keeper'), someone(world, to, 'head')]
  const takeIn = async (sn: string, said: object) => {
    await hands.edit(taker, 'transferArrival', sn, { warehouse_model_inner_sn: storeId(world, their), ...said })
    await hands.pass(taker, signer, 'transferArrival', sn)
  }
  const whole = await send('对方临时缺货，应急调剂')
  if (whole.arrived) await takeIn(whole.arrived, {})
  const part = await send('对方手术备货')
  if (part.arrived) {
    const refusing = { line_no: 1, quantity: '1', refused_quantity: '1', refuse_reason: '外包装破损' }
    await takeIn(part.arrived, { lines: lines.map((_, at) => (at === 0 ? refusing : { line_no: at + 1 })) })
    await hands.round()
    const home = await hands.created(orgId(world, from), 'transferReturn', part.sn)
    if (home) await hands.pass(keeper, head, 'transferReturn', home)
  }
  const ended = await send('对方新开术式试用')
  if (ended.arrived) {
    const some = { line_no: 1, quantity: '1', difference_reason: '先收一件' }
    await takeIn(ended.arrived, { lines: lines.map((_, at) => (at === 0 ? some : { line_no: at + 1 })) })
    await hands.act(head, 'transfer', 'stop', ended.sn, { reason: '对方不再需要，余下收回' })
  }
  await send('近期用量增加，调剂周转')
  await write('下周调剂，待装箱')
}
