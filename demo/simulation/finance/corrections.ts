import { addDays } from '#kernel/values/date.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { giftBody, givers } from '#demo/simulation/trade/gifts.ts'
import { someone, type World } from '#demo/simulation/world.ts'

/** The errors were booked this many days ago. */
const BOOKED = 4

/** A receipt with a wrong date or price that was noticed lately: analysed, waiting for proof. */
export function planCorrections(world: World): void {
  for (const [at, org] of givers.entries())
    world.plan(world.calendar.ago(BOOKED - 2), 11, `corrections ${org}`, () => correct(world, org, at))
}

async function correct(world: World, org: string, at: number): Promise<void> {
  const { hands } = world
  const [keeper, head] = [someone(world, org, 'keeper'), someone(world, org, 'head')]
  const body = giftBody(world, org, at, BOOKED)
  const sn = await hands.add(keeper, 'otherGrn', body)
  await hands.pass(keeper, head, 'otherGrn', sn)
  const { quantity, expiry_date } = body.lines[0]!
  const write = async (change_type: string, change_reason: string, line: object) => {
    const correction = await hands.add(keeper, 'stockCorrection', {
      source_sn: sn,
      source_type: sourceTypes.GRN,
      change_type,
      change_reason,
      lines: [{ source_line_no: 1, quantity, ...line }],
    })
    await hands.act(keeper, 'stockCorrection', 'impact', correction)
  }
  await write('lot', '录入时有效期看错一个月', { new_expiry_date: addDays(expiry_date, -30) })
  await write('price', '随货单价格有误', { new_price: '12.5' })
}
