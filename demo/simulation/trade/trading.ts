import { addDays, type Day } from '#kernel/values/date.ts'
import type { Regime } from '#kernel/definition/document.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { subtract, wholePieces } from '#kernel/values/decimal.ts'
import { instantOf } from '#demo/simulation/calendar.ts'
import { type Good, mayTrade } from '#demo/simulation/goods.ts'
import { storeOf } from '#demo/simulation/levels.ts'
import type { DocumentLine } from '#demo/simulation/actions.ts'
import { makeOrder } from '#demo/simulation/trade/ordering.ts'
import { orgId, someone, storeId, type World } from '#demo/simulation/world.ts'

export type Demand = { readonly good: Good; readonly quantity: number; readonly price?: string }
export type Order = {
  readonly buyer: string
  readonly supplier: string
  readonly regime: Regime
  readonly store: string
  readonly demand: (on: Day) => Promise<Demand[]>
  /** Arrived and inspected before being received. */
  readonly inspected?: 'plain' | 'abnormal' | 'unqualified' | 'mistaken'
  /**
   * The stage at which an inspected delivery stops: before the quality decision, or before the inspection is reviewed.
   */
  readonly stays?: 'arrival' | 'inspection'
  readonly type?: string
  readonly remark?: string
  /** Delivered directly to this ward. */
  readonly ward?: string
  /** Started from an approved plan. */
  readonly planned?: boolean
}
/** Days from the order to the confirmation, the shipment and the receipt. */
type Pace = { readonly confirm: number; readonly ship: number; readonly receive: number }
export const QUICK: Pace = { confirm: 0, ship: 1, receive: 2 }

/** New prices were agreed on this day before the load day: an order and its receipt are on the same side of it. */
const NEW_PRICES = 81

/** One order with all its follow-ups until the goods are in. Steps beyond the load day stay open. */
export function planOrder(world: World, daysAgo: number, order: Order, pace: Pace = QUICK): void {
  const onTour = tourFrom(order.supplier, daysAgo - pace.ship)
  const arrivesAgo = onTour - (pace.receive - pace.ship)
  if (daysAgo > NEW_PRICES && arrivesAgo <= NEW_PRICES) return planOrder(world, NEW_PRICES, order, pace)
  const { ago } = world.calendar
  const lane = `${order.buyer}${order.supplier}${order.store}${order.regime}`
  const doc: { po?: string | null; so?: string | null; odo?: string | null; arrival?: string } = {}
  world.plan(ago(daysAgo), 9, lane, async () => {
    doc.po = await placeOrder(world, order, ago(daysAgo))
  })
  world.plan(ago(daysAgo - pace.confirm), 14, lane, async () => {
    if (doc.po) doc.so = await confirmOrder(world, order, doc.po)
  })
  world.plan(ago(onTour), 13, order.supplier, async () => {
    if (doc.so) doc.odo = await ship(world, order.supplier, doc.so)
  })
  if (!order.inspected)
    return world.plan(ago(arrivesAgo), 10.5, lane, async () => {
      if (doc.odo) await receive(world, order, doc.odo)
    })
  world.plan(ago(arrivesAgo), 9.5, lane, async () => {
    if (doc.odo) doc.arrival = await arrive(world, order, doc.odo, ago(arrivesAgo))
  })
  world.plan(ago(arrivesAgo), 11, lane, async () => {
    if (doc.arrival) await inspectAndReceive(world, order, doc.arrival, ago(arrivesAgo))
  })
}

/** An order that its supplier has confirmed and whose goods are drafted or picked, but not in transit. */
export function planPicked(world: World, daysAgo: number, order: Order, as: 'drafted' | 'picked'): void {
  const day = world.calendar.ago(daysAgo)
  const lane = `${order.buyer}${order.supplier}${order.store}${order.regime}`
  let so: string | null = null
  world.plan(day, 9, lane, async () => {
    const po = await placeOrder(world, order, day)
    so = po ? await confirmOrder(world, order, po) : null
  })
  world.plan(world.calendar.ago(daysAgo - 1), 16, order.supplier, async () => {
    if (so) await ship(world, order.supplier, so, as)
  })
}

/** Each supplier's lorry leaves every fourth day. */
const tours: Readonly<Record<string, number>> = { D01: 0, D02: 1, D03: 2, V03: 3, V01: 0, V02: 2, V04: 0 }
function tourFrom(supplier: string, daysAgo: number): number {
  const after = (daysAgo - (tours[supplier] ?? 0)) % 4
  return daysAgo - (after < 0 ? after + 4 : after)
}

async function placeOrder(world: World, order: Order, day: Day): Promise<string | null> {
  const demands = (await order.demand(day)).filter(demand => demand.quantity > 0 && mayTrade(demand.good, day))
  if (demands.length === 0) return null
  const writer = someone(world, order.buyer, 'buyer')
  const sn = await makeOrder(world, order, demands, addDays(day, 4))
  await world.hands.pass(writer, someone(world, order.buyer, 'head'), 'purchaseOrder', sn)
  return sn
}

async function confirmOrder(world: World, order: Order, po: string): Promise<string | null> {
  const so = await world.hands.created(orgId(world, order.supplier), 'salesOrder', po, orgId(world, order.buyer))
  if (so) await world.hands.act(someone(world, order.supplier, 'seller'), 'salesOrder', 'review', so)
  return so
}

/** Ships what is on hand of an order; with nothing on hand there is no delivery. */
export async function ship(
  world: World,
  supplier: string,
  so: string,
  stays: 'drafted' | 'picked' | null = null,
): Promise<string | null> {
  const org = orgId(world, supplier)
  const store = storeId(world, storeOf(supplier))
  const [lines, shelf] = await Promise.all([world.hands.lines(org, so), world.hands.shelf(org, store)])
  const goods = new Map([...world.catalogue.goods.values()].map(good => [good.id, good]))
  const pieces = await world.hands.pieces(
    org,
    store,
    lines.map(line => line.specification_id).filter(id => goods.get(id)?.isUnitCoded),
  )
  const picked = lines.flatMap(line => {
    const quantity = Math.min(wholePieces(line.base_quantity), shelf.get(line.specification_id) ?? 0)
    const codes = goods.get(line.specification_id)?.isUnitCoded
      ? (pieces.get(line.specification_id) ?? []).slice(0, quantity)
      : null
    if (codes)
      return codes.length > 0
        ? [{ source_line_no: line.line_no, unit_codes: codes, quantity: String(codes.length) }]
        : []
    return quantity > 0 ? [{ source_line_no: line.line_no, quantity: String(quantity) }] : []
  })
  if (picked.length === 0) return null
  const keeper = someone(world, supplier, 'keeper')
  const odo = await world.hands.add(keeper, 'saleOdo', {
    source_type: sourceTypes.ORDER_SO,
    source_sn: so,
    warehouse_model_inner_sn: store,
    transport: '自有车辆',
    carrier: '自送',
    package_count: 1 + (picked.length % 4),
    lines: picked,
  })
  if (stays === 'drafted') return odo
  await world.hands.act(keeper, 'saleOdo', 'submit', odo)
  if (stays !== 'picked') await world.hands.act(someone(world, supplier, 'head'), 'saleOdo', 'review', odo)
  return odo
}

async function receive(world: World, order: Order, odo: string): Promise<void> {
  const grn = await world.hands.created(orgId(world, order.buyer), 'purchaseGrn', odo, orgId(world, order.supplier))
  if (!grn) return
  const [keeper, head] = [someone(world, order.buyer, 'keeper'), someone(world, order.buyer, 'head')]
  if (order.regime === 'consigned' && !shortened.has(world)) await cutShort(world, order, grn)
  await world.hands.pass(keeper, head, 'purchaseGrn', grn)
}

/** Worlds in which one delivery was short. */
const shortened = new WeakSet<World>()

/** In one consignment delivery a piece arrived broken: the receipt says so, and the supplier sees it. */
async function cutShort(world: World, order: Order, grn: string): Promise<void> {
  const lines = await world.hands.lines(orgId(world, order.buyer), grn)
  const short = lines.find(line => line.unit_codes.length === 0 && wholePieces(line.base_quantity) > 1)
  if (!short) return
  shortened.add(world)
  await world.hands.edit(someone(world, order.buyer, 'keeper'), 'purchaseGrn', grn, {
    lines: lines.map(line =>
      line === short
        ? {
            line_no: line.line_no,
            quantity: subtract(line.base_quantity, '1', 3),
            reject_reason: '外箱破损，一件未收',
          }
        : { line_no: line.line_no },
    ),
  })
}

/** True if all goods of an arrival are frozen: goods that have no place in the stores of the demo. */
async function isFrozen(world: World, buyer: string, arrival: string): Promise<boolean> {
  const frozen = new Set([...world.catalogue.goods.values()].flatMap(good => (good.place === null ? [good.id] : [])))
  const lines = await world.hands.lines(orgId(world, buyer), arrival)
  return lines.length > 0 && lines.every(line => frozen.has(line.specification_id))
}

/** Counted on arrival against the delivery; abnormal goods go to quality first. */
export async function arrive(
  world: World,
  order: Pick<Order, 'buyer' | 'supplier' | 'store' | 'inspected'>,
  odo: string,
  day: Day,
): Promise<string> {
  const keeper = someone(world, order.buyer, 'keeper')
  const cold = order.supplier === 'D03' || order.supplier === 'V03'
  const sn = await world.hands.add(keeper, 'arrivalOrder', {
    source_type: sourceTypes.ODO,
    source_sn: odo,
    source_org_sn: orgId(world, order.supplier),
    warehouse_model_inner_sn: storeId(world, order.store),
    arrived_at: instantOf(day, '09:10'),
    carrier: '演示冷链物流',
    transport: cold ? '冷藏车' : '厢式货车',
    is_cold_chain: cold,
    ...(cold
      ? {
          departed_at: instantOf(day, '07:30'),
          departure_temperature: '4.6℃',
          temperature_record_no: `WD${day.replaceAll('-', '')}`,
          arrival_temperature: order.inspected === 'abnormal' ? '9.6℃' : '5.1℃',
        }
      : {}),
    ...(cold && order.inspected === 'abnormal' ? { is_abnormal: true, abnormal_type: 'temperature' } : {}),
  })
  if (cold && order.inspected !== 'abnormal' && (await isFrozen(world, order.buyer, sn)))
    await world.hands.edit(keeper, 'arrivalOrder', sn, {
      departure_temperature: '-19.4℃',
      arrival_temperature: '-18.2℃',
    })
  await world.hands.act(keeper, 'arrivalOrder', 'submit', sn)
  if (order.inspected !== 'abnormal') return sn
  await world.hands.act(
    keeper,
    'arrivalOrder',
    'sendQuality',
    sn,
    cold
      ? { abnormal_type: 'temperature', abnormal_note: '到货温度9.6℃，超过规定上限' }
      : { abnormal_type: 'packing', abnormal_note: '外箱一角压损，内包装完好' },
  )
  return sn
}

async function inspectAndReceive(world: World, order: Order, arrival: string, day: Day): Promise<void> {
  const { hands } = world
  const [keeper, head] = [someone(world, order.buyer, 'keeper'), someone(world, order.buyer, 'head')]
  if (order.stays === 'arrival') return
  if (order.inspected === 'abnormal')
    await hands.act(head, 'arrivalOrder', 'qualityPass', arrival, { quality_opinion: '开箱检查产品完好，准予放行' })
  await hands.act(head, 'arrivalOrder', 'review', arrival)
  const inspection = await hands.created(orgId(world, order.buyer), 'inspectionOrder', arrival)
  if (!inspection) return
  const isBad = order.inspected === 'unqualified' || order.inspected === 'mistaken'
  await hands.edit(keeper, 'inspectionOrder', inspection, {
    basis: '国家标准与注册产品技术要求',
    arrival_date: day,
    conclusion: isBad ? 'partly' : 'qualified',
    ...(isBad ? { lines: await withBadPieces(world, order, inspection) } : {}),
  })
  await hands.act(keeper, 'inspectionOrder', 'submit', inspection)
  if (order.stays === 'inspection') return
  await hands.act(head, 'inspectionOrder', 'review', inspection)
  if (order.inspected === 'mistaken') await takeAfterAll(world, order, inspection)
  const grn = await hands.created(orgId(world, order.buyer), 'purchaseGrn', inspection)
  if (grn) await hands.pass(keeper, head, 'purchaseGrn', grn)
  if (grn && isBad && staysHere(order)) await disposeOf(world, order, inspection)
}

/** Some organisations receive goods that failed inspection and decide later what to do with them. */
const staysHere = (order: Order): boolean => order.store === 'H02-W01' && order.inspected === 'unqualified'

/**
 * Goods that failed inspection and are on hand here go back to the supplier by a document that still needs a
 * signature.
 */
async function disposeOf(world: World, order: Order, inspection: string): Promise<void> {
  const lines = await world.hands.lines(orgId(world, order.buyer), inspection)
  if (!lines.some(mayBeBad)) return
  await world.hands.act(someone(world, order.buyer, 'head'), 'inspectionOrder', 'dispose', inspection, {
    disposal_method: 'return',
    disposal_note: '供应商同意退货，等待上门取货',
  })
}

/** Bad pieces are taken from lines without codes that have several pieces. */
const mayBeBad = (line: DocumentLine): boolean => line.unit_codes.length === 0 && wholePieces(line.base_quantity) >= 4

/** Refused by mistake: the supplier releases the goods, and they are inspected again and found good. */
async function takeAfterAll(world: World, order: Order, inspection: string): Promise<void> {
  const { hands } = world
  const [keeper, head] = [someone(world, order.buyer, 'keeper'), someone(world, order.buyer, 'head')]
  const lines = await hands.lines(orgId(world, order.buyer), inspection)
  if (!lines.some(mayBeBad)) return
  const reason = '外包装经供应商确认不影响使用'
  await hands.act(head, 'inspectionOrder', 'unrefuse', inspection, { reason })
  await hands.act(head, 'inspectionOrder', 'reinspect', inspection, { reason })
  await hands.edit(keeper, 'inspectionOrder', inspection, {
    lines: lines.map(line => ({ line_no: line.line_no, qualified_quantity: line.base_quantity })),
  })
  await hands.act(keeper, 'inspectionOrder', 'submit', inspection)
  await hands.act(head, 'inspectionOrder', 'review', inspection)
}

/** The first line without codes has damaged packages, which are returned. */
async function withBadPieces(world: World, order: Order, inspection: string) {
  const lines = await world.hands.lines(orgId(world, order.buyer), inspection)
  const bad = lines.find(mayBeBad)
  return lines.map(line => {
    if (line !== bad)
      return { line_no: line.line_no, qualified_quantity: line.base_quantity, unqualified_quantity: '0' }
    const unqualified = String(Math.floor(wholePieces(line.base_quantity) / 4))
    return {
      line_no: line.line_no,
      qualified_quantity: subtract(line.base_quantity, unqualified, 3),
      unqualified_quantity: unqualified,
      unqualified_reason: '外包装破损',
      disposition: staysHere(order) ? 'hold' : 'return',
    }
  })
}
