import { codesOf, expiryOf, type Good, lotNo } from '#demo/simulation/goods.ts'
import { goodsOf, storeOf } from '#demo/simulation/levels.ts'
import { orgId, someone, storeId, type World } from '#demo/simulation/world.ts'

type Arrival = {
  readonly good: Good
  readonly quantity: number
  readonly price: string
  readonly serial: number | null
}

/** Goods of a lot made shortly before the day on which they come in without a purchase. */
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

export const givers = ['H01', 'H02', 'D01', 'D02', 'D03', 'V01', 'V02', 'V03', 'V04']
const giftTypes: Readonly<Record<string, string>> = { H: 'gift', D: 'trial', V: 'other' }

/**
 * Gifts and samples: one booked, one reversed, one taken back after its review, one draft; and a late opening
 * document.
 */
export function planGifts(world: World): void {
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

/** A receipt without a purchase, of two kinds of goods that the organisation keeps. */
export function giftBody(world: World, org: string, at: number, daysAgo: number) {
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

/** A receipt booked at a wrong price, reversed and written again. */
export function planMistakes(world: World): void {
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
