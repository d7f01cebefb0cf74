import { addDays, type Day } from '#kernel/values/date.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { firstOfNext, monthOf, OPENING } from '#demo/simulation/calendar.ts'
import { orgId, someone, type World } from '#demo/simulation/world.ts'

/** Whole months since the stores went live, oldest first; the month of the load day is still running. */
export function closedMonths(world: World): string[] {
  const months: string[] = []
  for (
    let month = monthOf(world.calendar.ago(OPENING));
    firstOfNext(month) <= world.calendar.loadDay;
    month = monthOf(firstOfNext(month))
  )
    months.push(month)
  return months
}

/** Hospitals and the suppliers whose consigned goods they use. */
const pairs = [
  ['H01', 'D01'],
  ['H01', 'D02'],
  ['H01', 'D03'],
  ['H01', 'V03'],
  ['H01', 'V01'],
  ['H02', 'D01'],
  ['H02', 'D02'],
] as const
/** Settlements booked into stock, by hospital, supplier and month: suppliers invoice these. */
export type Settled = Map<string, string>

/** 月结: used goods are settled with their owner, confirmed by the owner and become a purchase. */
export function planSettlements(world: World): Settled {
  const settled: Settled = new Map()
  const months = closedMonths(world)
  months.forEach((month, at) => {
    const closing = firstOfNext(month)
    for (const [hospital, supplier] of pairs) {
      // Last month's settlement of the largest supplier was disputed once before the supplier agreed.
      const isDisputed = at === months.length - 2 && hospital === 'H01' && supplier === 'D01'
      // Documents of two hospitals that reach one supplier on one day would have the same number.
      world.plan(hospital === 'H01' ? closing : addDays(closing, 1), 17, `settle ${hospital} ${supplier}`, async () => {
        const grn = await settle(world, hospital, supplier, month, isDisputed)
        if (grn) settled.set(`${hospital}/${supplier}/${month}`, grn)
      })
    }
  })
  return settled
}

async function settle(
  world: World,
  hospital: string,
  supplier: string,
  month: string,
  isDisputed: boolean,
): Promise<string | null> {
  const { hands } = world
  const [clerk, head, other] = [
    someone(world, hospital, 'finance'),
    someone(world, hospital, 'head'),
    someone(world, supplier, 'head'),
  ]
  const last = addDays(firstOfNext(month), -1)
  if (!(await hands.hasOpenUses(orgId(world, hospital), orgId(world, supplier), last))) return null
  const sn = await hands.settle(clerk, orgId(world, supplier), `${month}-01`, last)
  await hands.act(clerk, 'settlement', 'submit', sn)
  if (isDisputed) {
    await hands.act(other, 'settlement', 'dispute', sn, { reason: '螺塞数量与我方使用记录不符' })
    await hands.act(clerk, 'settlement', 'unsubmit', sn, { reason: '核对使用登记后重新提交' })
    await hands.act(clerk, 'settlement', 'submit', sn)
  }
  await hands.act(other, 'settlement', 'confirm', sn)
  await hands.act(head, 'settlement', 'review', sn)
  const grn = await hands.add(clerk, 'settlementGrn', { source_type: sourceTypes.SETTLEMENT, source_sn: sn })
  await hands.pass(clerk, head, 'settlementGrn', grn)
  return grn
}

/** The days on which a month's payment steps happen, none beyond the load day. */
export const dayAfter = (world: World, month: string, days: number): Day => {
  const day = addDays(firstOfNext(month), days)
  return day > world.calendar.loadDay ? world.calendar.loadDay : day
}
