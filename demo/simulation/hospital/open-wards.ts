import { instantOf } from '#demo/simulation/calendar.ts'
import { fitsStore, type How, supplyWard, use, type Want, wardOf } from '#demo/simulation/hospital/ward-documents.ts'
import { orgId, someone, storeId, type World } from '#demo/simulation/world.ts'

/** Goods of a store that a ward has use for. */
const wantsFrom = (world: World, store: string, ward: string, count: number, quantity: number, skip = 0): Want[] =>
  world.catalogue.stocked
    .filter(item => item.store === store && fitsStore(ward, item.good))
    .slice(skip, skip + count)
    .map(item => ({ good: item.good, quantity: item.isUnitCoded ? 1 : quantity, isUnitCoded: item.isUnitCoded }))

/** A few of a store's goods with stock on hand that a ward has use for. */
async function onShelf(world: World, store: string, ward: string, count: number, skip: number): Promise<Want[]> {
  const shelf = await world.hands.shelf(orgId(world, store.slice(0, 3)), storeId(world, store))
  const here = wantsFrom(world, store, ward, 999, 10).filter(want => (shelf.get(want.good.id) ?? 0) >= 1)
  const first = skip % Math.max(1, here.length - count)
  return here.slice(first, first + count)
}

/** Supplies that stop at the state where they should stay open: so many days ago, at an hour, for a ward's store. */
const opener =
  (world: World) =>
  (days: number, hour: number, ward: string, supply: string, how: How, skip: number): void =>
    world.plan(world.calendar.ago(days), hour, `ending ${supply}`, async () => {
      await supplyWard(world, wardOf(world, ward), supply, await onShelf(world, supply, ward, 4, skip), how)
    })

/** Picked days ago and not delivered: overdue. */
function planLate(world: World): void {
  const open = opener(world)
  open(3, 10, 'H01-W18', 'H01-W01', { stopAt: 'dispatch', isUrgent: true }, 16)
  open(3, 10.5, 'H02-W14', 'H02-W01', { stopAt: 'dispatch' }, 10)
}

/**
 * Plans the documents that wait in the wards today: requested, picked, issued but not confirmed, used but not reviewed.
 */
export function planOpenWards(world: World): void {
  const { hands } = world
  const { ago } = world.calendar
  const open = opener(world)
  planLate(world)
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
    const wants = wantsFrom(world, `${org}-W01`, store, 6, 3)
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
export function planCabinets(world: World): void {
  const { ago } = world.calendar
  for (const [at, [cabinet, supply]] of (
    [
      ['H01-W31', 'H01-W04'],
      ['H01-W32', 'H01-W04'],
      ['H01-W33', 'H01-W01'],
      ['H01-W34', 'H01-W03'],
    ] as const
  ).entries()) {
    const wants = wantsFrom(world, supply, cabinet, 5, 20, at * 5).map(want => ({
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
