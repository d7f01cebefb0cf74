import { idOrNull } from '#demo/rows.ts'
import { planOrder } from '#demo/simulation/trade/trading.ts'
import { use, wardOf } from '#demo/simulation/hospital/ward-documents.ts'
import { orgId, someone, type World } from '#demo/simulation/world.ts'

const sellers = ['D01', 'D02', 'D03', 'V03'] as const
/** The resellers, with the supplier from whom the goods came and the customer. */
const soldOn = [
  ['D01', 'V01', 'H02'],
  ['D02', 'V04', 'H01'],
] as const

/** A maker's goods are on consignment at a hospital without a dealer: sent, used on patients, settled monthly. */
export function planMakerConsignment(world: World): void {
  // A size that no dealer supplies: the stock is owned by the maker.
  const good = world.catalogue.goods.get('P002-06')
  if (!good) return
  const order = { buyer: 'H01', supplier: 'V01', regime: 'consigned', store: 'H01-W04' } as const
  for (const [daysAgo, quantity] of [
    [160, 4],
    [74, 2],
  ] as const)
    planOrder(world, daysAgo, { ...order, demand: async () => [{ good, quantity, price: '168' }] })
  const ward = wardOf(world, 'H01-W12')
  const [patient] = world.catalogue.patients.filter(row => row.hospital_code === 'H01')
  for (const daysAgo of [152, 122, 91, 58, 30, 6])
    world.plan(world.calendar.ago(daysAgo), 17, 'H01 maker', async () => {
      const nurse = world.people('H01', 'ward', ward.manager)
      const header = {
        department_inner_sn: ward.department,
        use_type: 'patient',
        visit_type: 'inpatient',
        patient_no: patient?.patient_id,
        patient_name: patient?.name,
        admission_no: patient?.admission_no,
        doctor_inner_sn: idOrNull(world.masters.employees, 'H01-E22'),
      }
      await use(world, 'H01', 'H01-W04', [{ good, quantity: 1, isUnitCoded: true }], nurse, header)
    })
}

/**
 * Plans the suppliers' work with messages from hospitals: used goods are shipped again, reports are compared with the
 * books, a receipt is sold on.
 */
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
