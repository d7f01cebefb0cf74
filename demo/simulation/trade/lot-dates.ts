import { type Day, addYears } from '#kernel/values/date.ts'
import { expiryOf, lotNo } from '#demo/simulation/goods.ts'
import { storeOf } from '#demo/simulation/levels.ts'
import { orgId, someone, storeId, type World } from '#demo/simulation/world.ts'

/** The dealers whose trial goods a hospital registered with a mistyped year before more of the lot was sent. */
const pairs = [
  ['D01', 'H01'],
  ['D02', 'H02'],
] as const

/**
 * A hospital typed the expiry of a sample a year too early; the dealer, who has the date of the label, sends two more
 * of the lot, which wait for the hospital's answer.
 */
export function planLotDates(world: World): void {
  for (const [dealer, hospital] of pairs) {
    const item = world.catalogue.stocked.find(
      each => each.hospital === hospital && each.supplier === dealer && !each.isUnitCoded && each.good.shelfMonths > 24,
    )
    if (!item) continue
    const { good } = item
    const made = world.calendar.ago(48)
    const right = expiryOf(good, made)
    const lot = (expiry_date: Day, quantity: string, price: string) => ({
      specification_sn: good.id,
      lot_no: `T${lotNo(good, made)}`,
      production_date: made,
      expiry_date,
      quantity,
      price,
    })
    const receive = async (org: string, store: string, header: object, line: object) => {
      const [writer, head] = [someone(world, org, 'keeper'), someone(world, org, 'head')]
      const body = { warehouse_model_inner_sn: storeId(world, store), ...header, lines: [line] }
      await world.hands.pass(writer, head, 'otherGrn', await world.hands.add(writer, 'otherGrn', body))
    }
    const plan = (daysAgo: number, work: () => Promise<void>) =>
      world.plan(world.calendar.ago(daysAgo), 9, `lot dates ${dealer} ${hospital}`, work)
    plan(3, () => receive(dealer, storeOf(dealer), { grn_type: 'trial' }, lot(right, '6', good.makerPrice)))
    plan(2, () => {
      const from = { grn_type: 'gift', counterparty_sn: orgId(world, dealer) }
      return receive(hospital, item.store, from, lot(addYears(right, -1), '1', '0'))
    })
    plan(1, async () => {
      const [keeper, head] = [someone(world, dealer, 'keeper'), someone(world, dealer, 'head')]
      const sn = await world.hands.add(keeper, 'giveOdo', {
        counterparty_sn: orgId(world, hospital),
        warehouse_model_inner_sn: storeId(world, storeOf(dealer)),
        give_type: 'trial',
        give_reason: '临床试用评价',
        lines: [{ specification_sn: good.id, lot_no: `T${lotNo(good, made)}`, quantity: '2' }],
      })
      await world.hands.pass(keeper, head, 'giveOdo', sn)
    })
  }
}
