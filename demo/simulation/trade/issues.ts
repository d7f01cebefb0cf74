import { sourceTypes } from '#kernel/definition/source-type.ts'
import { goodsOf, storeOf } from '#demo/simulation/levels.ts'
import { giftBody, givers } from '#demo/simulation/trade/gifts.ts'
import { orgId, someone, storeId, type World } from '#demo/simulation/world.ts'

/** The gifts from which a loan is made were booked this many days ago. */
const GIFT = 91

/** Every organisation recently lent something and waits for its return; some gave something away. */
export function planIssues(world: World): void {
  for (const [at, org] of givers.entries())
    world.plan(world.calendar.ago(2), 15.5, `issues ${org}`, () => lend(world, org, at))
  for (const [giver, receiver] of [
    ['V01', 'D01'],
    ['D01', 'H01'],
    ['H01', 'D02'],
  ] as const)
    world.plan(world.calendar.ago(1), 15.5, `issues ${giver}`, () => give(world, giver, receiver))
}

/** The borrower among an organisation's partners: dealers lend to a hospital, hospitals and makers to a dealer. */
const borrowers: Readonly<Record<string, string>> = { H: 'D01', D: 'H01', V: 'D01', V03: 'D03', V04: 'D02' }
const borrowerOf = (org: string): string => borrowers[org] ?? borrowers[org[0]!]!

async function lend(world: World, org: string, at: number): Promise<void> {
  const { hands } = world
  const [keeper, head] = [someone(world, org, 'keeper'), someone(world, org, 'head')]
  const { warehouse_model_inner_sn, lines } = giftBody(world, org, at, GIFT)
  const shelf = await hands.shelf(keeper.org.id, warehouse_model_inner_sn)
  const inStock = lines.findLast(each => (shelf.get(each.specification_sn) ?? 0) > 0)
  if (!inStock) return
  const { specification_sn, ...rest } = inStock
  const codes = 'unit_codes' in rest ? rest.unit_codes.slice(0, 1) : null
  // Any lot on hand: the ward may have used up the gift's own lot.
  const line = { specification_sn, ...(codes ? { unit_codes: codes } : { quantity: '1' }) }
  const borrower = { counterparty_sn: orgId(world, borrowerOf(org)), receiver: '设备科' }
  const loan = { odo_type: 'loan', purpose_note: '外院会诊借用', return_due: world.calendar.ago(-20), ...borrower }
  const sn = await hands.add(keeper, 'otherOdo', { warehouse_model_inner_sn, ...loan, lines: [line] })
  await hands.pass(keeper, head, 'otherOdo', sn)
  if (at % 2 === 0) await hands.act(keeper, 'otherOdo', 'giveBack', sn)
  const sample = { odo_type: 'sample', purpose_note: '送样展示', receiver: '市场部' }
  await hands.add(keeper, 'otherOdo', { warehouse_model_inner_sn, ...sample, lines: [line] })
}

/** One piece of the free stock, given for trial. */
async function give(world: World, giver: string, receiver: string): Promise<void> {
  const { hands } = world
  const [keeper, head] = [someone(world, giver, 'keeper'), someone(world, giver, 'head')]
  const store = storeId(world, giver.startsWith('H') ? `${giver}-W01` : storeOf(giver))
  const shelf = await hands.shelf(keeper.org.id, store)
  const goods = giver.startsWith('H')
    ? world.catalogue.stocked.filter(item => item.store === `${giver}-W01`).map(item => item.good)
    : goodsOf(world, giver)
  const good = goods.find(each => !each.isUnitCoded && (shelf.get(each.id) ?? 0) > 3)
  if (!good) return
  const sn = await hands.add(keeper, 'giveOdo', {
    counterparty_sn: orgId(world, receiver),
    warehouse_model_inner_sn: store,
    give_type: giver.startsWith('H') ? 'support' : 'trial',
    give_reason: '临床试用评价',
    lines: [{ specification_sn: good.id, quantity: '2' }],
  })
  if (giver.startsWith('H')) return
  await hands.pass(keeper, head, 'giveOdo', sn)
  world.plan(world.calendar.ago(0), 9.5, `gift back ${receiver}`, () => giveBack(world, receiver, keeper.org.id, sn))
}

/** Returns one piece of trial goods that does not fit; the giver has not received it yet. */
async function giveBack(world: World, org: string, giver: string, gift: string): Promise<void> {
  const { hands } = world
  const [keeper, head] = [someone(world, org, 'keeper'), someone(world, org, 'head')]
  const created = await hands.created(keeper.org.id, 'otherGrn', gift, giver)
  if (created === null) return
  const store = storeId(world, org.startsWith('H') ? `${org}-W01` : storeOf(org))
  await hands.edit(keeper, 'otherGrn', created, { warehouse_model_inner_sn: store })
  await hands.pass(keeper, head, 'otherGrn', created)
  const back = { source_type: sourceTypes.GIFT, source_sn: created, purpose_note: '规格不适用，退回' }
  const sn = await hands.add(keeper, 'otherOdo', { ...back, lines: [{ source_line_no: 1, quantity: '1' }] })
  await hands.pass(keeper, head, 'otherOdo', sn)
}
