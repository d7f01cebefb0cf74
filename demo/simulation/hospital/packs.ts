import { fitsStore } from '#demo/simulation/hospital/ward-documents.ts'
import { orgId, someone, storeId, type World } from '#demo/simulation/world.ts'

/** Pieces in each of the demo's packs, and how many packs of a specification are made. */
const SIZE = 5
const PACKS = 6
/** A store that packs has this many pieces to spare. */
const SPARE = 60

/** Stores that pack, and the ward that works by packs. */
const packing: readonly (readonly [org: string, store: string, ward: string])[] = [
  ['H01', 'H01-W01', 'H01-W11'],
  ['H02', 'H02-W01', 'H02-W11'],
]

/** The evening before the demo begins: what is packed then is in nobody's way. */
export function planPacks(world: World): void {
  for (const way of packing) world.plan(world.calendar.ago(1), 18, `packs ${way[0]}`, () => packs(world, ...way))
}

/** Some packs wait in the store, some are at the ward, one was used, one opened; another packing is a draft. */
async function packs(world: World, org: string, store: string, ward: string): Promise<void> {
  const { hands } = world
  const [keeper, head] = [someone(world, org, 'keeper'), someone(world, org, 'head')]
  const [from, to] = [storeId(world, store), storeId(world, ward)]
  const shelf = await hands.shelf(orgId(world, org), from)
  // Packs are opened on the ward for nobody in particular, and implants are for a patient.
  const spare = [...world.catalogue.goods.values()].filter(
    good => !good.isUnitCoded && !good.isImplant && fitsStore(ward, good) && (shelf.get(good.id) ?? 0) >= SPARE,
  )
  const codes: string[] = []
  for (const good of spare.slice(0, 3)) {
    const sn = await hands.pack(keeper, from, good.id, SIZE, PACKS)
    await hands.pass(keeper, head, 'pack', sn)
    codes.push(...(await hands.lines(orgId(world, org), sn)).flatMap(line => line.unit_codes))
  }
  await combined(world, org, from)
  const [first] = spare
  if (!first || codes.length < 4) return
  await hands.pack(keeper, from, first.id, SIZE, 1)
  const grant = await hands.add(keeper, 'grantOdo', {
    warehouse_model_inner_sn: from,
    to_warehouse_model_inner_sn: to,
    lines: [{ unit_codes: codes.slice(0, 3) }],
  })
  await hands.pass(keeper, head, 'grantOdo', grant)
  const receipt = await hands.created(orgId(world, org), 'wardReceipt', grant)
  if (receipt) await hands.act(head, 'wardReceipt', 'review', receipt)
  const use = await hands.add(head, 'departmentUse', {
    warehouse_model_inner_sn: to,
    use_type: 'pack_open',
    lines: [{ unit_codes: codes.slice(0, 1) }],
  })
  await hands.pass(keeper, head, 'departmentUse', use)
  const opened = await hands.add(keeper, 'unpack', {
    warehouse_model_inner_sn: from,
    unpack_reason: '外包装破损，改为散货',
    lines: [{ unit_codes: codes.slice(3, 4) }],
  })
  await hands.pass(keeper, head, 'unpack', opened)
}

/** A pack of three products for the emergency room: two wait in the store. */
async function combined(world: World, org: string, store: string): Promise<void> {
  const { hands } = world
  const [keeper, head] = [someone(world, org, 'keeper'), someone(world, org, 'head')]
  const shelf = await hands.shelf(orgId(world, org), store)
  const goods = [...world.catalogue.goods.values()]
    .filter(good => !good.isUnitCoded && (shelf.get(good.id) ?? 0) >= SPARE)
    .slice(-3)
  if (goods.length < 3) return
  for (const sn of await hands.combine(
    keeper,
    store,
    '急诊静脉开放组合包',
    goods.map(good => [good.id, 2] as const),
    2,
  ))
    await hands.pass(keeper, head, 'pack', sn)
}
