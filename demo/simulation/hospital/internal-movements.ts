import { addDays } from '#kernel/values/date.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { idOf } from '#demo/rows.ts'
import { orgId, someone, storeId, type World } from '#demo/simulation/world.ts'

/** Goods without codes of which a store has this many pieces to spare, as lines of a few each. */
export async function spareLines(
  world: World,
  org: string,
  store: string,
  quantity: number,
  lines = 1,
): Promise<{ specification_sn: string; quantity: string }[]> {
  const shelf = await world.hands.shelf(orgId(world, org), storeId(world, store))
  return [...world.catalogue.goods.values()]
    .filter(good => !good.isUnitCoded && (shelf.get(good.id) ?? 0) >= quantity * 3)
    .slice(0, lines)
    .map(good => ({ specification_sn: good.id, quantity: String(quantity) }))
}

/** The two stores of an organisation between which goods move. */
const between: readonly (readonly [org: string, from: string, to: string])[] = [
  ['H01', 'H01-W01', 'H01-W02'],
  ['H02', 'H02-W01', 'H02-W02'],
  ['D01', 'D01-W01', 'D01-W04'],
  ['D03', 'D03-W04', 'D03-W01'],
  ['V01', 'V01-W01', 'V01-W03'],
]
/** Departments that lend to each other. */
const lending: readonly (readonly [org: string, from: string, to: string])[] = [
  ['H01', 'H01-W11', 'H01-W12'],
  ['H02', 'H02-W11', 'H02-W12'],
]

/** Internal movements of an organisation: goods are transferred, counted, blocked and corrected. */
export function planIndoors(world: World): void {
  for (const [at, way] of between.entries())
    world.plan(world.calendar.ago(6 + (at % 3)), 16, `indoors ${way[0]}`, () => transfers(world, ...way))
  for (const [at, [org, store]] of between.entries())
    world.plan(world.calendar.ago(3 + (at % 2)), 17, `counts ${org}`, () => counts(world, org, store))
  for (const [org, store] of between.filter(([code]) => !code.startsWith('H')))
    world.plan(world.calendar.ago(7), 10, `care ${org}`, () => care(world, org, store))
  for (const [org, store] of between)
    world.plan(world.calendar.ago(1), 14, `stops ${org}`, () => stops(world, org, store))
  for (const way of lending) world.plan(world.calendar.ago(9), 17, `indoors ${way[0]}`, () => loans(world, ...way))
}

/** One transfer received, one in transit, one draft; one move between locations. */
async function transfers(world: World, org: string, from: string, to: string): Promise<void> {
  const { hands } = world
  const [keeper, head] = [someone(world, org, 'keeper'), someone(world, org, 'head')]
  const lines = await spareLines(world, org, from, 2, 2)
  if (lines.length === 0) return
  const way = { warehouse_model_inner_sn: storeId(world, from), to_warehouse_model_inner_sn: storeId(world, to) }
  const write = (header: object) => hands.add(keeper, 'transfer', { ...way, ...header, lines })
  const received = await write({ transfer_reason: '补充周转库存', transport: '自有车辆' })
  await hands.pass(keeper, head, 'transfer', received)
  await hands.act(keeper, 'transfer', 'receive', received)
  await lostOnTheWay(world, org, await write({ transfer_reason: '补充急救备货' }))
  const refused = await write({ transfer_reason: '库位调整' })
  await hands.pass(keeper, head, 'transfer', refused)
  await hands.act(keeper, 'transfer', 'refuse', refused, { reason: '库位已满，暂不接收' })
  await hands.pass(keeper, head, 'transfer', await write({ transfer_reason: '次日手术备货' }))
  await write({ transfer_reason: '月底集中存放' })
  const inside = { transfer_type: 'move', to_warehouse_model_inner_sn: way.warehouse_model_inner_sn }
  const placeOf = (specification: string) =>
    [...world.catalogue.goods.values()].find(good => good.id === specification)?.place
  const places = lines.flatMap(line => {
    const to_location = placeOf(line.specification_sn)
    return to_location ? [{ ...line, to_location }] : []
  })
  const moved = await hands.add(keeper, 'transfer', {
    ...way,
    ...inside,
    transfer_reason: '近效期货品移到前排',
    lines: places,
  })
  await hands.pass(keeper, head, 'transfer', moved)
}

/**
 * One piece of the first line never arrived: the receiving store reports it, and the sender books the loss in
 * transit.
 */
async function lostOnTheWay(world: World, org: string, sn: string): Promise<void> {
  const { hands } = world
  const [keeper, head] = [someone(world, org, 'keeper'), someone(world, org, 'head')]
  await hands.pass(keeper, head, 'transfer', sn)
  const lines = [{ line_no: 1, quantity: '1' }]
  await hands.act(keeper, 'transfer', 'receive', sn, { reason: '途中跌落破损一件', lines: JSON.stringify(lines) })
  const loss = await hands.add(keeper, 'loss', {
    source_type: sourceTypes.ALLOT_LOST,
    source_sn: sn,
    loss_reason: '运送途中跌落破损',
    lines: [{ source_line_no: 1, quantity: '1' }],
  })
  await hands.pass(keeper, head, 'loss', loss)
}

/** A partial count of a store with a difference found, and another count just begun. */
async function counts(world: World, org: string, store: string): Promise<void> {
  const { hands } = world
  const [keeper, head] = [someone(world, org, 'keeper'), someone(world, org, 'head')]
  const spare = await spareLines(world, org, store, 2, 9)
  const productOf = (specification: string) =>
    [...world.catalogue.goods.values()].find(each => each.id === specification)!.product
  const one = spare[0]
  if (!one) return
  const other = spare.find(line => productOf(line.specification_sn) !== productOf(one.specification_sn))
  const begin = async (specification: string, more: object) => {
    const sn = await hands.add(keeper, 'stockTake', {
      warehouse_model_inner_sn: storeId(world, store),
      take_type: 'sample',
      scope_product_sn: idOf(world.masters.products, productOf(specification)),
      ...more,
    })
    await hands.act(keeper, 'stockTake', 'start', sn)
    return sn
  }
  const sn = await begin(one.specification_sn, {})
  const booked = await hands.booked(orgId(world, org), sn)
  const short = booked.find(line => !line.isCoded && line.book > 1)
  const lines = booked.map(line => ({
    line_no: line.line_no,
    ...(line === short ? { first_quantity: String(line.book - 1), line_reason: '未登记领用' } : {}),
  }))
  await hands.edit(keeper, 'stockTake', sn, { lines })
  await hands.act(keeper, 'stockTake', 'fillBook', sn)
  await hands.pass(keeper, head, 'stockTake', sn)
  if (other) await begin(other.specification_sn, { take_method: 'blind' })
}

/** A lot or two checked and signed by the quality keeper; another plan not yet begun. */
async function care(world: World, org: string, store: string): Promise<void> {
  const { hands } = world
  const [keeper, head] = [someone(world, org, 'keeper'), someone(world, org, 'head')]
  const found = await spareLines(world, org, store, 1, 3)
  if (found.length === 0) return
  const lines = found.map(line => ({
    ...line,
    condition: 'normal',
    appearance: 'good',
    packing: 'good',
    label: 'good',
  }))
  const conditions = { temperature: '21.5', humidity: '52', storage_ok: 'yes', protection_ok: 'yes', hygiene_ok: 'yes' }
  const write = (header: object) =>
    hands.add(keeper, 'storageCheck', { warehouse_model_inner_sn: storeId(world, store), lines, ...header })
  await hands.pass(keeper, head, 'storageCheck', await write({ ...conditions, check_date: world.calendar.ago(7) }))
  await write({ check_type: 'key', plan_date: world.calendar.ago(0) })
}

/** One block in effect, one checked and waiting for its audit, one waiting for its check. */
async function stops(world: World, org: string, store: string): Promise<void> {
  const { hands } = world
  const [keeper, head] = [someone(world, org, 'keeper'), someone(world, org, 'head')]
  const lines = await spareLines(world, org, store, 1)
  if (lines.length === 0) return
  const write = async (header: object) => {
    const sn = await hands.add(keeper, 'stopSale', {
      warehouse_model_inner_sn: storeId(world, store),
      lines,
      ...header,
    })
    await hands.act(keeper, 'stopSale', 'submit', sn)
    return sn
  }
  const held = await write({ stop_reason: 'quality', description: '外包装有水渍，疑似受潮' })
  await hands.act(head, 'stopSale', 'check', held, { conclusion: 'open', disposal: 'hold' })
  await hands.act(head, 'stopSale', 'review', held)
  const checked = await write({ stop_reason: 'complaint', description: '科室反映包装易破' })
  await hands.act(head, 'stopSale', 'check', checked, { conclusion: 'good', disposal: 'release' })
  await write({ stop_reason: 'recall', notice_no: 'ZH-2026-01', description: '厂家主动召回，待核对批号' })
}

/** One loan partly returned and overdue, one in transit. */
async function loans(world: World, org: string, from: string, to: string): Promise<void> {
  const { hands } = world
  const [nurse, head] = [someone(world, org, 'ward'), someone(world, org, 'head')]
  const lines = await spareLines(world, org, from, 1, 2)
  if (lines.length === 0) return
  const borrow = (reason: string, days: number) =>
    hands.add(nurse, 'transfer', {
      transfer_type: 'borrow',
      borrow_type: 'give_back',
      warehouse_model_inner_sn: storeId(world, from),
      to_warehouse_model_inner_sn: storeId(world, to),
      transfer_reason: reason,
      due_date: addDays(world.calendar.ago(9), days),
      lines,
    })
  const loan = await borrow('急诊手术备用', 3)
  await hands.pass(nurse, head, 'transfer', loan)
  await hands.act(nurse, 'transfer', 'receive', loan)
  await hands.act(nurse, 'transfer', 'giveBack', loan)
  const back = await hands.created(orgId(world, org), 'transfer', loan)
  if (back) {
    await hands.edit(nurse, 'transfer', back, { lines: [{ line_no: 1, quantity: '1' }] })
    await hands.pass(nurse, head, 'transfer', back)
  }
  await hands.pass(nurse, head, 'transfer', await borrow('本科室缺货', 14))
}
