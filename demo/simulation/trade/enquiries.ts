import { add, type Decimal, multiply } from '#kernel/values/decimal.ts'
import type { Good } from '#demo/simulation/goods.ts'
import { goodsOf } from '#demo/simulation/levels.ts'
import { orgId, someone, type World } from '#demo/simulation/world.ts'

type Stage = 'draft' | 'quoting' | 'closed' | 'awarded'

/** The enquiries of each buyer to its suppliers, and the progress of each. */
const rounds: readonly (readonly [buyer: string, suppliers: readonly string[], stages: readonly Stage[]])[] = [
  ['H01', ['D01', 'D02', 'D03'], ['awarded', 'closed', 'quoting', 'draft']],
  ['D01', ['V01', 'V02'], ['awarded', 'quoting']],
]

/** Goods that a dealer trades besides those that hospitals stock from it. */
const sutures = ['P034-01', 'P034-02', 'P034-03', 'P039-01']
const alsoTrades: Readonly<Record<string, readonly string[]>> = { D01: sutures }
const sells = (world: World, org: string): Good[] => [
  ...(alsoTrades[org] ?? []).flatMap(code => world.catalogue.goods.get(code) ?? []),
  ...goodsOf(world, org),
]

/**
 * Enquiries of the last days: one awarded with an order and an agreed price, one to be awarded, one being answered,
 * one draft.
 */
export function planEnquiries(world: World): void {
  for (const [buyer, suppliers, stages] of rounds)
    world.plan(world.calendar.ago(1), 15.2, `enquiries ${buyer}`, async () => {
      const goods = sells(world, suppliers[0]!).filter(
        good => good.tradableUntil === null || good.tradableUntil > world.calendar.ago(-60),
      )
      for (const [at, stage] of stages.entries()) {
        const asked = goods.slice(at * 2, at * 2 + 3)
        if (asked.length > 0) await enquire(world, buyer, suppliers, asked, stage)
      }
    })
  for (const [org, side, partner] of [
    ['H01', 'buy', 'D02'],
    ['D01', 'buy', 'V01'],
    ['D01', 'sell', 'H01'],
    ['V01', 'sell', 'D01'],
    ['V01', 'buy', 'D01'],
  ] as const)
    world.plan(world.calendar.ago(0), 9.7, `prices ${org} ${side}`, () => registerPrices(world, org, side, partner))
}

async function enquire(
  world: World,
  buyer: string,
  suppliers: readonly string[],
  goods: readonly Good[],
  stage: Stage,
) {
  const { hands, calendar } = world
  const [writer, head] = [someone(world, buyer, 'buyer'), someone(world, buyer, 'head')]
  const sn = await hands.add(writer, 'enquiry', {
    heading: `耗材询价：${goods.length}个品规`,
    suppliers: suppliers.map(code => orgId(world, code)),
    deadline: `${calendar.ago(-3)}T09:00:00.000Z`,
    expected_date: calendar.ago(-14),
    payment_terms: '货到60天',
    lines: goods.map(good => ({ specification_sn: good.id, quantity: '20', limit_price: priceOf(good, '2') })),
  })
  if (stage === 'draft') return
  await hands.pass(writer, head, 'enquiry', sn)
  const answering = stage === 'quoting' ? suppliers.slice(0, 1) : suppliers
  for (const [at, supplier] of answering.entries()) await answer(world, buyer, supplier, sn, goods, at)
  if (stage === 'quoting') return
  await hands.round()
  if (stage === 'closed') return
  await hands.act(head, 'enquiry', 'award', sn, { award_reason: '综合价格与交货期，最低价中标' })
  await hands.act(writer, 'enquiry', 'toOrder', sn)
  await hands.act(writer, 'enquiry', 'toPrice', sn)
}

const priceOf = (good: Good, factor: Decimal): Decimal => multiply(good.makerPrice, factor, 2)

/** A supplier quotes for what it trades and leaves the rest empty; one that trades none of it declines. */
async function answer(world: World, buyer: string, supplier: string, sn: string, goods: readonly Good[], at: number) {
  const { hands, calendar } = world
  const seller = someone(world, supplier, 'seller')
  const doc = await hands.created(seller.org.id, 'quotation', sn, orgId(world, buyer))
  if (doc === null) throw new Error(`no quotation was created from ${sn}`)
  const own = new Set(sells(world, supplier).map(good => good.id))
  if (!goods.some(good => own.has(good.id))) {
    await hands.act(seller, 'quotation', 'refuse', doc, { reason: '所询产品不在经营范围内' })
    return
  }
  await hands.edit(seller, 'quotation', doc, {
    valid_until: calendar.ago(-60),
    promised_days: 3 + at,
    payment_terms: '货到60天',
    quoter: seller.userName,
    lines: goods.map((good, nth) =>
      own.has(good.id)
        ? { line_no: nth + 1, price: priceOf(good, add('1.3', multiply('0.04', String(at), 2), 2)), lead_days: 3 + at }
        : { line_no: nth + 1, no_offer: true },
    ),
  })
  await hands.act(seller, 'quotation', 'submit', doc)
}

/** One price in effect, one waiting, one draft. */
async function registerPrices(world: World, org: string, side: 'buy' | 'sell', partner: string): Promise<void> {
  const { hands, calendar } = world
  const [writer, head] = [someone(world, org, side === 'buy' ? 'buyer' : 'seller'), someone(world, org, 'head')]
  const goods = goodsOf(world, side === 'buy' ? partner : org)
  for (const [at, stage] of (['reviewed', 'submitted', 'draft'] as const).entries()) {
    const good = goods[goods.length - 1 - at]
    if (!good) continue
    const sn = await hands.add(writer, 'priceRegistration', {
      price_side: side,
      counterparty_sn: orgId(world, partner),
      price_type: at === 0 ? 'volume' : 'temporary',
      document_no: at === 0 ? '集采〔2026〕18号' : null,
      valid_from: calendar.ago(0),
      valid_to: calendar.ago(at === 0 ? -365 : -20),
      change_reason: at === 0 ? '集采中选' : '临时供货',
      lines: [{ specification_sn: good.id, quantity: '1', price: priceOf(good, side === 'buy' ? '1.25' : '1.4') }],
    })
    if (stage !== 'draft') await hands.act(writer, 'priceRegistration', 'submit', sn)
    if (stage === 'reviewed') await hands.act(head, 'priceRegistration', 'review', sn)
  }
}
