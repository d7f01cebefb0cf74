import { idOf } from '#demo/rows.ts'
import { orgId, someone, type World } from '#demo/simulation/world.ts'

/** Sizes that wards request: one is in committee review, one was just written. */
const asked = [
  ['H01', 'D01', 'P004-04', '5980', true],
  ['H01', 'D02', 'P036-02', '1580', false],
] as const

/** Admissions in progress at hospitals. */
export function planAdmissions(world: World): void {
  world.plan(world.calendar.ago(2), 15.2, 'admissions', async () => {
    for (const [hospital, supplier, code, price, isOnItsWay] of asked) {
      const [office, head] = [someone(world, hospital, 'keeper'), someone(world, hospital, 'head')]
      const department = [...world.masters.departments].find(([name]) => name.startsWith(`${hospital}-`))
      const sn = await world.hands.add(office, 'admission', {
        department_inner_sn: department?.[1] ?? null,
        counterparty_sn: orgId(world, supplier),
        clinical_use: '现有规格不能覆盖的病变',
        similar: '同产品其他规格',
        is_chargeable: true,
        lines: [
          {
            specification_sn: idOf(world.masters.specifications, code),
            offered_price: price,
            agreed_price: price,
            supply_regime: 'consigned',
            managed_by: 'unit',
            monthly_quantity: '4',
          },
        ],
      })
      if (!isOnItsWay) continue
      await world.hands.act(office, 'admission', 'submit', sn)
      await world.hands.act(head, 'admission', 'certCheck', sn, { check_note: '证照与授权齐全' })
    }
  })
}
