import { goodsOf } from '#demo/simulation/levels.ts'
import { orgId, someone, type World } from '#demo/simulation/world.ts'

/** Partners and goods whose licences are under review: some approved, some waiting for documents. */
const checked = [
  ['H01', 'V01', 'supplier', 'D02'],
  ['D01', 'H02', 'customer', 'V02'],
  ['V01', 'D03', 'customer', 'D01'],
] as const

export function planApprovals(world: World): void {
  for (const [org, partner, direction, maker] of checked)
    world.plan(world.calendar.ago(3), 14.5, `approvals ${org}`, async () => {
      await checkPartner(world, org, partner, direction)
      await proposeProduct(world, org, maker)
    })
}

async function checkPartner(world: World, org: string, partner: string, direction: string): Promise<void> {
  const { hands } = world
  const keeper = someone(world, org, 'keeper')
  const until = world.calendar.ago(-500)
  const types =
    direction === 'customer'
      ? ['营业执照', partner.startsWith('H') ? '医疗机构执业许可证' : '医疗器械经营许可证']
      : ['营业执照', '医疗器械生产许可证']
  // The scans are still to come: customers' are brought once files can be kept, a supplier's later.
  await hands.add(keeper, 'firstTierOrg', {
    partner_sn: orgId(world, partner),
    direction,
    scope: '三类：6846、6877；二类：6815、6866',
    apply_reason: direction === 'customer' ? '新开客户' : '新增直供厂商',
    lines: types.map((licence_type, at) => ({
      licence_type,
      licence_no: `SY-${partner}-${at + 1}`,
      valid_from: world.calendar.ago(400),
      valid_to: until,
      check_result: 'agrees',
    })),
  })
}

async function proposeProduct(world: World, org: string, maker: string): Promise<void> {
  const [good] = goodsOf(world, maker)
  if (!good) return
  await world.hands.add(someone(world, org, 'keeper'), 'firstSellProduct', {
    product_sn: await world.hands.productOf(good.id),
    apply_reason: '临床试用后拟采购',
    lines: [{ specification_sn: good.id, packing: `${good.pack}件/盒` }],
  })
}
