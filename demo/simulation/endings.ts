import type { Regime } from '#kernel/definition/document.ts'
import { planGifts, planMistakes } from '#demo/simulation/trade/gifts.ts'
import { goodsOf } from '#demo/simulation/levels.ts'
import { planCabinets, planOpenWards } from '#demo/simulation/hospital/open-wards.ts'
import { planOrder, planPicked, type Demand } from '#demo/simulation/trade/trading.ts'
import { orgId, someone, storeId, type World } from '#demo/simulation/world.ts'

/** The last days: documents in every waiting state, so that the workbench has work in it. */
export function planEndings(world: World): void {
  planOpenOrders(world)
  planGifts(world)
  planMistakes(world)
  planOpenWards(world)
  planCabinets(world)
  planOpenSettlements(world)
}

type Trade = readonly [buyer: string, supplier: string, regime: Regime, store: string]
const trades: readonly Trade[] = [
  ['H01', 'D01', 'consigned', 'H01-W04'],
  ['H01', 'D02', 'purchased', 'H01-W01'],
  ['H01', 'D03', 'purchased', 'H01-W03'],
  ['H01', 'V03', 'purchased', 'H01-W03'],
  ['H02', 'D01', 'consigned', 'H02-W03'],
  ['H02', 'D02', 'purchased', 'H02-W01'],
  ['H02', 'D03', 'purchased', 'H02-W02'],
  ['D01', 'V01', 'purchased', 'D01-W01'],
  ['D01', 'V02', 'purchased', 'D01-W01'],
  ['D02', 'V04', 'purchased', 'D02-W01'],
  ['D03', 'V03', 'purchased', 'D03-W04'],
  ['V01', 'D01', 'purchased', 'V01-W01'],
  ['V02', 'D01', 'purchased', 'V02-W01'],
  ['V03', 'D03', 'purchased', 'V03-W01'],
  ['V04', 'D02', 'purchased', 'V04-W01'],
]

/** Goods that a buyer buys from a supplier, a few of each. */
function some(world: World, [buyer, supplier, regime, store]: Trade, count = 3): Demand[] {
  const goods = buyer.startsWith('H')
    ? world.catalogue.stocked
        .filter(item => item.store === store && item.supplier === supplier && item.regime === regime)
        .map(item => item.good)
    : goodsOf(world, buyer.startsWith('V') ? buyer : supplier).filter(
        good => buyer.startsWith('V') || goodsOf(world, buyer).includes(good),
      )
  const sold = goods.filter(good => good.tradableUntil === null || good.tradableUntil > world.calendar.ago(-30))
  return sold.slice(0, count).map(good => ({
    good,
    quantity: good.isHighValue ? 2 : Math.min(good.pack * 2, 100),
    ...(buyer.startsWith('V') ? { price: good.makerPrice } : {}),
  }))
}

const orderBody = (world: World, [, supplier, regime, store]: Trade, demands: readonly Demand[]) => ({
  counterparty_sn: orgId(world, supplier),
  regime,
  warehouse_model_inner_sn: storeId(world, store),
  expected_date: world.calendar.ago(-4),
  lines: demands.map(demand => ({
    specification_sn: demand.good.id,
    quantity: String(demand.quantity),
    ...(demand.price ? { price: demand.price } : {}),
  })),
})

/** Orders waiting at the buyer and at the supplier, goods picked, in transit and arrived. */
function planOpenOrders(world: World): void {
  const { hands } = world
  const { ago } = world.calendar
  trades.forEach((trade, at) => {
    const [buyer, supplier, regime, store] = trade
    const [writer, head] = [someone(world, buyer, 'buyer'), someone(world, buyer, 'head')]
    const order = { buyer, supplier, regime, store, demand: async () => some(world, trade, 2) }
    // At some organisations goods are in transit or picked; everywhere an order waits for its supplier.
    if (!buyer.startsWith('V') && at % 3 !== 1)
      planOrder(world, 5, { ...order, remark: '周补货' }, { confirm: 0, ship: 1, receive: 12 })
    if (at % 3 !== 0 || buyer === 'V04') planPicked(world, 2, order, at % 2 === 0 ? 'picked' : 'drafted')
    if (!buyer.startsWith('V') || at % 2 === 0)
      world.plan(ago(0), 9, `ending ${buyer} ${supplier}`, async () => {
        const sn = await hands.add(writer, 'purchaseOrder', orderBody(world, trade, some(world, trade)))
        await hands.pass(writer, head, 'purchaseOrder', sn)
      })
    world.plan(ago(0), 9.2, `ending ${buyer}`, async () => {
      const sn = await hands.add(writer, 'purchaseOrder', orderBody(world, trade, some(world, trade, 1)))
      if (at % 3 === 0) return
      await hands.act(writer, 'purchaseOrder', 'submit', sn)
      if (at % 3 === 2) await hands.act(head, 'purchaseOrder', 'reject', sn, { reason: '数量超出本月计划，请核减' })
    })
  })
  planDoor(world)
  planStopped(world)
}

/** On arrival: one delivery that quality has to decide on, and one that waits for inspection. */
function planDoor(world: World): void {
  for (const [trade, how] of [
    [trades[1]!, 'abnormal'],
    [trades[2]!, 'abnormal'],
    [trades[5]!, 'inspection'],
    [trades[7]!, 'abnormal'],
    [trades[9]!, 'inspection'],
    [trades[10]!, 'inspection'],
    [trades[11]!, 'inspection'],
    [trades[13]!, 'abnormal'],
  ] as const) {
    const [buyer, supplier, regime, store] = trade
    planOrder(
      world,
      9,
      {
        buyer,
        supplier,
        regime,
        store,
        demand: async () => some(world, trade, 3),
        inspected: how === 'abnormal' ? 'abnormal' : 'plain',
        stays: how === 'abnormal' ? 'arrival' : 'inspection',
      },
      { confirm: 0, ship: 1, receive: 6 },
    )
  }
}

/** An order stopped before its supplier answered, and one stopped by the supplier after answering. */
function planStopped(world: World): void {
  const { hands } = world
  for (const trade of [trades[1]!, trades[5]!, trades[7]!, trades[9]!]) {
    const [buyer, supplier] = trade
    const [writer, head] = [someone(world, buyer, 'buyer'), someone(world, buyer, 'head')]
    world.plan(world.calendar.ago(21), 16, `stop ${buyer}`, async () => {
      const sn = await hands.add(writer, 'purchaseOrder', orderBody(world, trade, some(world, trade, 1)))
      await hands.pass(writer, head, 'purchaseOrder', sn)
      await hands.act(head, 'purchaseOrder', 'stop', sn, { reason: '临床改用其他规格' })
    })
    world.plan(world.calendar.ago(20), 16, `stop ${buyer}`, async () => {
      const sn = await hands.add(writer, 'purchaseOrder', orderBody(world, trade, some(world, trade, 1)))
      await hands.pass(writer, head, 'purchaseOrder', sn)
      const seller = someone(world, supplier, 'head')
      const so = await hands.created(seller.org.id, 'salesOrder', sn, writer.org.id)
      if (!so) return
      await hands.act(seller, 'salesOrder', 'review', so)
      await hands.act(seller, 'salesOrder', 'stop', so, { reason: '规格停产，建议改订' })
    })
  }
}

/** The current month: one settlement waits for its supplier, one is disputed, one is a draft. */
function planOpenSettlements(world: World): void {
  const { hands } = world
  const until = world.calendar.ago(1)
  const open = [
    ['H01', 'D03', 'sent'],
    ['H01', 'V03', 'sent'],
    ['H01', 'D02', 'draft'],
    ['H02', 'D01', 'disputed'],
    ['H01', 'D01', 'confirmed'],
  ] as const
  for (const [hospital, supplier, stage] of open)
    world.plan(world.calendar.ago(hospital === 'H01' ? 0 : 1), 10.8, `settle ${hospital}`, async () => {
      const [clerk, other] = [someone(world, hospital, 'finance'), someone(world, supplier, 'head')]
      if (!(await hands.hasOpenUses(clerk.org.id, other.org.id, until))) return
      const sn = await hands.settle(clerk, other.org.id, `${until.slice(0, 7)}-01`, until)
      if (stage === 'draft') return
      await hands.act(clerk, 'settlement', 'submit', sn)
      if (stage === 'confirmed') await hands.act(other, 'settlement', 'confirm', sn)
      if (stage === 'disputed')
        await hands.act(other, 'settlement', 'dispute', sn, { reason: '其中一枚螺钉为工具包自带，不应结算' })
    })
}
