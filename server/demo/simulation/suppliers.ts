import { orgId, someone, type World } from '#server/demo/simulation/world.ts'

const sellers = ['D01', 'D02', 'D03', 'V03'] as const
/** Who sells on to whom what came from which supplier. */
const soldOn = [
  ['D01', 'V01', 'H02'],
  ['D02', 'V04', 'H01'],
] as const

/** What suppliers do with what hospitals tell them: goods that were used are sent again, reports are compared with the books, a receipt is sold on. */
export function planSuppliers(world: World): void {
  const { hands } = world
  const yesterday = world.calendar.ago(1)
  for (const org of sellers)
    world.plan(yesterday, 18.2, `suppliers ${org}`, async () => {
      const seller = someone(world, org, 'seller')
      for (const kind of ['departmentUse', 'surgeryUse']) {
        const [first, second, ...rest] = await hands.reports(seller.org.id, kind)
        for (const report of [first, second])
          if (report) await hands.act(seller, kind, 'replenish', report.sn, { source_org_sn: report.from })
        for (const report of rest.slice(0, 3))
          await hands.act(seller, kind, 'compare', report.sn, { source_org_sn: report.from })
      }
    })
  for (const [org, supplier, customer] of soldOn)
    world.plan(yesterday, 18.4, `suppliers ${org}`, async () => {
      const keeper = someone(world, org, 'keeper')
      const [receipt] = await hands.returnable(keeper.org.id, orgId(world, supplier))
      if (receipt)
        await hands.act(keeper, 'purchaseGrn', 'toSale', receipt.sn, { sale_customer_sn: orgId(world, customer) })
    })
}
