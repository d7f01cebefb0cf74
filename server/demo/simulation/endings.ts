import type { Regime } from '#kernel/document.ts'
import { instantOf } from '#server/demo/simulation/calendar.ts'
import { codesOf, expiryOf, type Good, lotNo } from '#server/demo/simulation/goods.ts'
import { goodsOf, storeOf } from '#server/demo/simulation/levels.ts'
import { planOrder, planPicked, type Wish } from '#server/demo/simulation/trading.ts'
import { type How, supplyWard, use, type Want, wardOf } from '#server/demo/simulation/wards.ts'
import { orgId, someone, storeId, type World } from '#server/demo/simulation/world.ts'

/** The last days: papers in every state that waits for somebody, so that the workbench has work in it. */
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

/** Goods that a buyer takes from a supplier, a few of each. */
function some(world: World, [buyer, supplier, regime, store]: Trade, count = 3): Wish[] {
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

const orderBody = (world: World, [, supplier, regime, store]: Trade, wishes: readonly Wish[]) => ({
  counterparty_sn: orgId(world, supplier),
  regime,
  warehouse_model_inner_sn: storeId(world, store),
  expected_date: world.calendar.ago(-4),
  lines: wishes.map(wish => ({
    specification_sn: wish.good.id,
    quantity: String(wish.quantity),
    ...(wish.price ? { price: wish.price } : {}),
  })),
})

/** Orders that wait at the buyer and at the supplier, goods picked and goods on the way, goods at the door. */
function planOpenOrders(world: World): void {
  const { hands } = world
  const { ago } = world.calendar
  trades.forEach((trade, at) => {
    const [buyer, supplier, regime, store] = trade
    const [writer, head] = [someone(world, buyer, 'buyer'), someone(world, buyer, 'head')]
    const order = { buyer, supplier, regime, store, wishes: async () => some(world, trade, 2) }
    // At some places goods are on the way or picked; everywhere an order waits for its supplier.
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

/** At the door: an arrival that quality has to judge, and one that waits for inspection. */
function planDoor(world: World): void {
  for (const [trade, how] of [
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
        wishes: async () => some(world, trade, 3),
        inspected: how === 'abnormal' ? 'abnormal' : 'plain',
        stays: how === 'abnormal' ? 'arrival' : 'inspection',
      },
      { confirm: 0, ship: 1, receive: 6 },
    )
  }
}

/** An order stopped before its supplier answered, and one stopped by the supplier after he answered. */
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
      const so = await hands.laid(seller.org.id, 'salesOrder', sn, writer.org.id)
      if (!so) return
      await hands.act(seller, 'salesOrder', 'review', so)
      await hands.act(seller, 'salesOrder', 'stop', so, { reason: '规格停产，建议改订' })
    })
  }
}

type Arrival = {
  readonly good: Good
  readonly quantity: number
  readonly price: string
  readonly serial: number | null
}

/** Goods of a lot that was made shortly before the day on which they come in without a purchase. */
function freshLine(world: World, daysAgo: number, { good, quantity, price, serial }: Arrival) {
  const made = world.calendar.ago(daysAgo + 45)
  const lot = lotNo(good, made)
  return {
    specification_sn: good.id,
    lot_no: lot,
    production_date: made,
    expiry_date: expiryOf(good, made),
    quantity: String(quantity),
    price,
    ...(serial === null ? {} : { unit_codes: codesOf(good, lot, quantity, serial) }),
  }
}

const givers = ['H01', 'H02', 'D01', 'D02', 'D03', 'V01', 'V02', 'V03', 'V04']
const giftTypes: Readonly<Record<string, string>> = { H: 'gift', D: 'sample_back', V: 'other' }

/** Gifts and samples: one booked, one mirrored in red, one taken back after its review, one draft; and an opening paper late. */
function planGifts(world: World): void {
  const { hands } = world
  for (const [at, org] of givers.entries()) {
    const [writer, head] = [someone(world, org, 'keeper'), someone(world, org, 'head')]
    const gift = (daysAgo: number) => hands.add(writer, 'otherGrn', giftBody(world, org, at, daysAgo))
    const plan = (daysAgo: number, hour: number, work: () => Promise<void>) =>
      world.plan(world.calendar.ago(daysAgo), hour, `gift ${org}`, work)
    plan(91, 10, async () => hands.pass(writer, head, 'otherGrn', await gift(91)))
    plan(35, 10, async () => {
      const sn = await gift(35)
      await hands.pass(writer, head, 'otherGrn', sn)
      await hands.act(head, 'otherGrn', 'redReverse', sn, { reason: '入库数量录错，红冲后重录' })
    })
    plan(2, 11, async () => {
      const sn = await gift(2)
      await hands.act(writer, 'otherGrn', 'submit', sn)
      if (at % 2 === 0) return
      await hands.act(head, 'otherGrn', 'review', sn)
      await hands.act(head, 'otherGrn', 'unreview', sn, { reason: '放行单号待补' })
    })
    plan(0, 10, async () => void (await gift(0)))
    plan(0, 10.5, async () => {
      const { warehouse_model_inner_sn, lines } = giftBody(world, org, at, 1)
      const own = lines.slice(0, 1).map(line => ({ ...line, price: '10' }))
      const body = { warehouse_model_inner_sn, remark: '补录期初', lines: own }
      const sn = await hands.add(writer, 'openingStock', body)
      if (at % 2 === 0) await hands.act(writer, 'openingStock', 'submit', sn)
    })
  }
}

function giftBody(world: World, org: string, at: number, daysAgo: number) {
  const isHospital = org.startsWith('H')
  const store = isHospital ? `${org}-W01` : storeOf(org)
  const shelved = world.catalogue.stocked.filter(item => item.store === store && !item.isUnitCoded)
  const goods = isHospital ? shelved.map(item => item.good) : goodsOf(world, org)
  return {
    warehouse_model_inner_sn: storeId(world, store),
    grn_type: giftTypes[org.charAt(0)] ?? 'other',
    counterparty_sn: org === 'H01' ? orgId(world, 'D02') : null,
    lines: goods.slice(0, 2).map(good =>
      freshLine(world, daysAgo, {
        good,
        quantity: good.isHighValue ? 1 : good.pack,
        price: isHospital ? '0' : good.makerPrice,
        serial: !isHospital && good.isUnitCoded ? 9000 + at * 10 : null,
      }),
    ),
  }
}

/** A receipt booked at a wrong price, mirrored in red and written again. */
function planMistakes(world: World): void {
  const { hands } = world
  const good = world.catalogue.goods.get('P050-02')
  const item = world.catalogue.stocked.find(candidate => candidate.hospital === 'H01' && candidate.good === good)
  if (!good || !item) return
  const [writer, head] = [someone(world, 'H01', 'keeper'), someone(world, 'H01', 'head')]
  const body = (price: string) => ({
    counterparty_sn: orgId(world, item.supplier),
    regime: 'purchased',
    warehouse_model_inner_sn: storeId(world, item.store),
    lines: [freshLine(world, 156, { good, quantity: 40, price, serial: null })],
  })
  world.plan(world.calendar.ago(156), 10, 'mistake', async () => {
    const wrong = await hands.add(writer, 'purchaseGrn', body('0.5'))
    await hands.pass(writer, head, 'purchaseGrn', wrong)
    await hands.act(head, 'purchaseGrn', 'redReverse', wrong, { reason: '入库单价录错' })
  })
}

const wantsFrom = (world: World, store: string, count: number, quantity: number, skip = 0): Want[] =>
  world.catalogue.stocked
    .filter(item => item.store === store)
    .slice(skip, skip + count)
    .map(item => ({ good: item.good, quantity: item.isUnitCoded ? 1 : quantity, isUnitCoded: item.isUnitCoded }))

/** A few of a store's goods of which some lie there. */
async function onShelf(world: World, store: string, count: number, quantity: number, skip: number): Promise<Want[]> {
  const shelf = await world.hands.shelf(orgId(world, store.slice(0, 3)), storeId(world, store))
  const here = wantsFrom(world, store, 999, quantity).filter(want => (shelf.get(want.good.id) ?? 0) >= 1)
  const first = skip % Math.max(1, here.length - count)
  return here.slice(first, first + count)
}

/** What waits in the wards today: asked for, picked, granted and not yet confirmed, used and not yet reviewed. */
function planOpenWards(world: World): void {
  const { hands } = world
  const { ago } = world.calendar
  const open = (days: number, hour: number, ward: string, supply: string, how: How, skip: number) =>
    world.plan(ago(days), hour, `ending ${supply}`, async () => {
      await supplyWard(world, wardOf(world, ward), supply, await onShelf(world, supply, 4, 10, skip), how)
    })
  open(2, 15, 'H01-W13', 'H01-W01', { stopAt: 'receipt' }, 0)
  open(1, 15, 'H01-W12', 'H01-W04', { stopAt: 'receipt', type: 'surgery', isUrgent: true }, 0)
  open(1, 15, 'H01-W14', 'H01-W01', { stopAt: 'dispatch' }, 4)
  open(0, 9.5, 'H01-W16', 'H01-W01', { stopAt: 'grant' }, 8)
  open(0, 9.6, 'H01-W11', 'H01-W04', { stopAt: 'requisition', type: 'high_value', isUrgent: true }, 2)
  open(0, 9.7, 'H01-W18', 'H01-W01', { stopAt: 'requisition' }, 12)
  open(8, 14, 'H02-W11', 'H02-W01', { isDispatched: true }, 0)
  open(1, 15, 'H02-W12', 'H02-W01', { stopAt: 'receipt' }, 0)
  open(1, 15.5, 'H02-W14', 'H02-W01', { stopAt: 'dispatch' }, 6)
  open(0, 9.5, 'H02-W11', 'H02-W01', { stopAt: 'grant' }, 4)
  open(0, 9.7, 'H02-W15', 'H02-W01', { stopAt: 'requisition' }, 8)
  for (const [store, org] of [
    ['H01-W13', 'H01'],
    ['H02-W12', 'H02'],
  ] as const) {
    const ward = wardOf(world, store)
    const nurse = world.people(org, 'ward', ward.manager)
    const wants = wantsFrom(world, `${org}-W01`, 6, 3)
    const header = { department_inner_sn: ward.department, use_type: 'consume', used_at: instantOf(ago(1), '20:00') }
    world.plan(ago(1), 16, `ending ${store}`, async () => {
      const sn = await use(world, org, store, wants.slice(0, 2), nurse, {
        ...header,
        used_at: instantOf(ago(1), '14:00'),
      })
      if (sn)
        await hands.act(someone(world, org, 'head'), 'departmentUse', 'redReverse', sn, { reason: '登记科室有误' })
    })
    world.plan(
      ago(0),
      9.8,
      `ending ${store}`,
      async () => void (await use(world, org, store, wants.slice(0, 3), nurse, header, 'draft')),
    )
    world.plan(
      ago(0),
      9.9,
      `ending ${store}`,
      async () => void (await use(world, org, store, wants.slice(3), nurse, header, 'submitted')),
    )
    world.plan(ago(0), 10.2, `ending ${store}`, async () => {
      const sn = await hands.add(nurse, 'requisition', {
        warehouse_model_inner_sn: storeId(world, `${org}-W01`),
        to_warehouse_model_inner_sn: storeId(world, store),
        department_inner_sn: ward.department,
        lines: wants.slice(0, 2).map(want => ({ specification_sn: want.good.id, quantity: '500' })),
      })
      await hands.act(nurse, 'requisition', 'submit', sn)
      await hands.act(someone(world, org, 'head'), 'requisition', 'reject', sn, {
        reason: '科室库存高于上限，请按实际用量申领',
      })
    })
  }
}

/** Cabinets in the wards hold goods too; some were taken out again. */
function planCabinets(world: World): void {
  const { ago } = world.calendar
  for (const [at, [cabinet, supply]] of (
    [
      ['H01-W31', 'H01-W04'],
      ['H01-W32', 'H01-W04'],
      ['H01-W33', 'H01-W01'],
      ['H01-W34', 'H01-W03'],
    ] as const
  ).entries()) {
    const wants = wantsFrom(world, supply, 5, 20, at * 5).map(want => ({
      ...want,
      quantity: want.isUnitCoded ? 2 : want.quantity,
    }))
    for (const days of [48, 12]) {
      world.plan(ago(days - at), 14.5, `cabinet ${supply}`, () =>
        supplyWard(world, wardOf(world, cabinet), supply, wants, {}),
      )
      world.plan(ago(days - at - 4), 14.5, `cabinet ${cabinet}`, async () => {
        const ward = wardOf(world, cabinet)
        const patientless = wants.filter(want => !want.isUnitCoded || supply === 'H01-W03')
        await use(
          world,
          'H01',
          cabinet,
          patientless.map(want => ({ ...want, quantity: 1 })),
          world.people('H01', 'ward', ward.manager),
          {
            department_inner_sn: ward.department,
            use_type: 'cabinet',
            used_at: instantOf(ago(days - at - 4), '11:00'),
          },
        )
      })
    }
  }
}

/** The running month: one settlement waits for its supplier, one he disputes, one is a draft. */
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
