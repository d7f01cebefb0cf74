import { addDays, type Day, daysBetween } from '#kernel/day.ts'
import { sourceTypes } from '#kernel/source-type.ts'
import { demoTable } from '#server/demo/tables.ts'
import { instantOf, OPENING, workingDay } from '#server/demo/simulation/calendar.ts'
import { chance } from '#server/demo/simulation/chance.ts'
import type { Good, WardUse } from '#server/demo/simulation/goods.ts'
import { orgId, someone, storeId, type World } from '#server/demo/simulation/world.ts'
import { idOf, idOrNull } from '#server/demo/rows.ts'
import type { Session } from '#server/engine/session.ts'

export type Want = { readonly good: Good; readonly quantity: number; readonly isUnitCoded: boolean }
export type Ward = {
  readonly code: string
  readonly org: string
  readonly department: string
  readonly manager: string | null
}

/** Every how many days a ward is supplied from a store, and on which day before the load day it begins. */
const rhythms: readonly (readonly [ward: string, supply: string, every: number, from: number])[] = [
  ['H01-W11', 'H01-W01', 28, 175],
  ['H01-W16', 'H01-W01', 28, 168],
  ['H01-W18', 'H01-W01', 28, 161],
  ['H01-W12', 'H01-W01', 42, 175],
  ['H01-W13', 'H01-W01', 42, 168],
  ['H01-W14', 'H01-W01', 42, 161],
  ['H01-W15', 'H01-W01', 42, 154],
  ['H01-W19', 'H01-W01', 42, 147],
  ['H01-W20', 'H01-W01', 42, 168],
  ['H01-W21', 'H01-W01', 42, 161],
  ['H01-W22', 'H01-W01', 42, 154],
  ['H01-W17', 'H01-W01', 42, 147],
  ['H01-W17', 'H01-W03', 28, 175],
  ['H01-W16', 'H01-W02', 42, 168],
  ['H01-W18', 'H01-W02', 56, 161],
  ['H02-W11', 'H02-W01', 35, 175],
  ['H02-W12', 'H02-W01', 42, 168],
  ['H02-W13', 'H02-W02', 28, 161],
  ['H02-W14', 'H02-W01', 35, 161],
  ['H02-W15', 'H02-W01', 42, 154],
  ['H02-W13', 'H02-W01', 42, 147],
]
/** Goods for operations come to the theatres' stores before the days on which they are used. */
const theatres: readonly (readonly [ward: string, supply: string, every: number, from: number])[] = [
  ['H01-W12', 'H01-W04', 14, 178],
  ['H01-W12', 'H01-W02', 28, 178],
  ['H01-W11', 'H01-W04', 21, 178],
  ['H01-W11', 'H01-W02', 28, 178],
  ['H02-W11', 'H02-W01', 35, 178],
]
/** Which store serves which operating department. */
export const theatreStores: Readonly<Record<string, string>> = {
  'H01-K29': 'H01-W11',
  'H01-K31': 'H01-W12',
  'H02-K08': 'H02-W11',
}

const stores = new Map(
  demoTable('warehouses').map(row => [
    row.warehouse_code ?? '',
    { department: row.department_code ?? null, manager: row.manager_code ?? null },
  ]),
)
export const managerOf = (store: string): string | null => stores.get(store)?.manager ?? null
export const wardOf = (world: World, code: string): Ward => ({
  code,
  org: code.slice(0, 3),
  department: idOf(world.masters.departments, stores.get(code)?.department),
  manager: managerOf(code),
})

/** 科室: asks for what it will use, is granted it, confirms it, and writes down what it used since. */
export function planWards(world: World): void {
  for (const [ward, supply, every, from] of rhythms) {
    const uses = world.catalogue.wards.filter(use => use.ward === ward && use.supply === supply)
    const mood = chance(`ward ${ward} ${supply}`)
    for (let daysAgo = from, round = 0; daysAgo >= 2; daysAgo -= every, round++) {
      const day = workingDay(world.calendar.ago(daysAgo))
      const lane = `${ward.slice(0, 3)} ${supply}`
      const isDispatched = mood.next() < 0.15
      world.plan(day, 13, lane, () =>
        supplyAndUse(world, wardOf(world, ward), supply, uses, {
          day,
          every,
          isDispatched,
          isFirst: round === 0,
          mood,
        }),
      )
    }
  }
  for (const [ward, supply, every, from] of theatres)
    for (let daysAgo = from; daysAgo >= 1; daysAgo -= every) {
      const day = world.calendar.ago(daysAgo)
      world.plan(day, 13, `${ward.slice(0, 3)} ${supply}`, () =>
        supplyTheatre(world, wardOf(world, ward), supply, day, addDays(day, every + 1)),
      )
    }
}

type Round = {
  readonly day: Day
  readonly every: number
  readonly isDispatched: boolean
  readonly isFirst: boolean
  readonly mood: ReturnType<typeof chance>
}

async function supplyAndUse(
  world: World,
  ward: Ward,
  supply: string,
  uses: readonly WardUse[],
  round: Round,
): Promise<void> {
  const months = daysBetween(world.calendar.ago(OPENING), round.day) / 30
  const spent = uses
    .filter(use => !use.byPatient)
    .map(use => ({
      good: use.good,
      isUnitCoded: use.isUnitCoded,
      quantity: round.mood.poisson((use.weekly / 7) * Math.min(round.every, 26) * (1 + use.trend) ** months),
    }))
  if (!round.isFirst || !uses.some(use => use.isUnitCoded)) await consume(world, ward, spent, round.day)
  const shelf = await world.hands.shelf(orgId(world, ward.org), storeId(world, ward.code))
  const wants = uses.map(use => ({
    good: use.good,
    isUnitCoded: use.isUnitCoded,
    quantity: Math.ceil(
      Math.max(use.maximum, (use.weekly / 7) * Math.min(round.every + 4, 32)) - (shelf.get(use.good.id) ?? 0),
    ),
  }))
  await supplyWard(world, ward, supply, wants, { isDispatched: round.isDispatched, isShort: round.mood.next() < 0.04 })
}

/** Goods of the operations until the next supply that are neither on the theatre's shelf nor brought along. */
async function supplyTheatre(world: World, ward: Ward, supply: string, from: Day, until: Day): Promise<void> {
  const shelf = await world.hands.shelf(orgId(world, ward.org), storeId(world, ward.code))
  const here = world.catalogue.stocked.filter(item => item.hospital === ward.org && item.store === supply)
  const due = world.catalogue.surgeries.filter(
    surgery =>
      surgery.hospital === ward.org &&
      surgery.day >= from &&
      surgery.day <= until &&
      theatreStores[surgery.row.operating_department ?? ''] === ward.code,
  )
  const wants = here.map(item => {
    const need = due
      .flatMap(surgery => surgery.items)
      .filter(part => part.good === item.good && part.way !== '跟台')
      .reduce((sum, part) => sum + part.quantity, 0)
    const byPatient =
      world.catalogue.wards.filter(use => use.ward === ward.code && use.byPatient && use.good === item.good).length > 0
        ? 6
        : 0
    return {
      good: item.good,
      isUnitCoded: item.isUnitCoded,
      quantity: need + byPatient - (shelf.get(item.good.id) ?? 0),
    }
  })
  await supplyWard(world, ward, supply, wants, {})
}

export type How = {
  readonly isDispatched?: boolean
  readonly isShort?: boolean
  readonly stopAt?: 'requisition' | 'dispatch' | 'grant' | 'receipt'
  readonly type?: string
  readonly isUrgent?: boolean
}

/** 申领、(配送)、发放、收货; ends early where it shall stay open. */
export async function supplyWard(
  world: World,
  ward: Ward,
  supply: string,
  wants: readonly Want[],
  how: How,
): Promise<void> {
  const { hands } = world
  const org = orgId(world, ward.org)
  const from = storeId(world, supply)
  const wanted = wants.filter(want => want.quantity > 0)
  if (wanted.length === 0) return
  const [shelf, pieces] = await Promise.all([
    hands.shelf(org, from),
    hands.pieces(
      org,
      from,
      wanted.filter(want => want.isUnitCoded).map(want => want.good.id),
    ),
  ])
  const met = wanted
    .map(want => ({ ...want, given: Math.min(want.quantity, shelf.get(want.good.id) ?? 0) }))
    .filter(want => want.given > 0)
  if (met.length === 0) return
  const [nurse, head] = [world.people(ward.org, 'ward', ward.manager), someone(world, ward.org, 'head')]
  const keeper = world.people(ward.org, 'keeper', managerOf(supply))
  const requisition = await hands.add(nurse, 'requisition', {
    warehouse_model_inner_sn: from,
    to_warehouse_model_inner_sn: storeId(world, ward.code),
    department_inner_sn: ward.department,
    claim_type: how.type ?? (met.some(want => want.isUnitCoded) ? 'high_value' : 'refill'),
    is_urgent: how.isUrgent ?? false,
    ...(how.isUrgent ? { urgent_reason: '次日手术使用' } : {}),
    lines: met.map(want => ({ specification_sn: want.good.id, quantity: String(want.given) })),
  })
  await hands.act(nurse, 'requisition', 'submit', requisition)
  if (how.stopAt === 'requisition') return
  await hands.act(head, 'requisition', 'review', requisition)
  const lines = met.map((want, at) => ({
    source_line_no: at + 1,
    quantity: String(want.given),
    ...(want.isUnitCoded ? { unit_codes: (pieces.get(want.good.id) ?? []).slice(0, want.given) } : {}),
  }))
  const grant =
    how.isDispatched || how.stopAt === 'dispatch'
      ? await dispatched(world, ward, requisition, lines, keeper, how.stopAt === 'dispatch')
      : await hands.add(keeper, 'grantOdo', { source_type: sourceTypes.REQUISITION, source_sn: requisition, lines })
  if (!grant) return
  await hands.act(keeper, 'grantOdo', 'submit', grant)
  if (how.stopAt === 'grant') return
  await hands.act(head, 'grantOdo', 'review', grant)
  if (how.stopAt !== 'receipt') await receiveAtWard(world, org, grant, nurse, how.isShort ?? false)
}

async function dispatched(
  world: World,
  ward: Ward,
  requisition: string,
  lines: readonly object[],
  keeper: Session,
  stays: boolean,
): Promise<string | null> {
  const sn = await world.hands.add(keeper, 'dispatch', {
    source_type: sourceTypes.REQUISITION,
    source_sn: requisition,
    wave_no: `BC${requisition.slice(2, 8)}`,
    route_name: ward.org === 'H01' ? '一号线' : '院内线',
    box_no: `ZZX-${requisition.slice(-4)}`,
    lines,
  })
  await world.hands.act(keeper, 'dispatch', 'submit', sn)
  if (stays) return null
  await world.hands.act(someone(world, ward.org, 'head'), 'dispatch', 'review', sn)
  return world.hands.laid(orgId(world, ward.org), 'grantOdo', sn)
}

async function receiveAtWard(
  world: World,
  org: string,
  grant: string,
  nurse: Session,
  isShort: boolean,
): Promise<void> {
  const receipt = await world.hands.laid(org, 'wardReceipt', grant)
  if (!receipt) return
  if (isShort) {
    const line = (await world.hands.lines(org, receipt)).find(
      candidate => candidate.unit_codes.length === 0 && Number(candidate.base_quantity) > 1,
    )
    if (line)
      await world.hands.edit(nurse, 'wardReceipt', receipt, {
        difference_note: '少一件，已告知库房',
        lines: [
          {
            line_no: line.line_no,
            received_quantity: String(Number(line.base_quantity) - 1),
            difference_reason: 'short',
          },
        ],
      })
  }
  await world.hands.act(nurse, 'wardReceipt', 'review', receipt)
}

export type UseHeader = Readonly<Record<string, unknown>>

/** Uses what of the wanted lies on the shelf. Gives the paper, or null when nothing was there. */
export async function use(
  world: World,
  org: string,
  store: string,
  wants: readonly Want[],
  who: Session,
  header: UseHeader,
  stop: 'draft' | 'submitted' | null = null,
): Promise<string | null> {
  const { hands } = world
  const id = orgId(world, org)
  const [shelf, pieces] = await Promise.all([
    hands.shelf(id, storeId(world, store)),
    hands.pieces(
      id,
      storeId(world, store),
      wants.filter(want => want.isUnitCoded).map(want => want.good.id),
    ),
  ])
  const lines = wants.flatMap(want => {
    const quantity = Math.min(want.quantity, shelf.get(want.good.id) ?? 0)
    const codes = want.isUnitCoded ? (pieces.get(want.good.id) ?? []).slice(0, quantity) : null
    if (codes)
      return codes.length > 0
        ? [{ specification_sn: want.good.id, unit_codes: codes, quantity: String(codes.length) }]
        : []
    return quantity > 0 ? [{ specification_sn: want.good.id, quantity: String(quantity) }] : []
  })
  if (lines.length === 0) return null
  const sn = await hands.add(who, 'departmentUse', {
    warehouse_model_inner_sn: storeId(world, store),
    ...header,
    lines,
  })
  if (stop === 'draft') return sn
  await hands.act(who, 'departmentUse', 'submit', sn)
  if (!stop) await hands.act(someone(world, org, 'head'), 'departmentUse', 'review', sn)
  return sn
}

async function consume(world: World, ward: Ward, spent: readonly Want[], day: Day): Promise<void> {
  const nurse = world.people(ward.org, 'ward', ward.manager)
  const isLaboratory = ward.code === 'H01-W17' || ward.code === 'H02-W13'
  await use(world, ward.org, ward.code, spent, nurse, {
    department_inner_sn: ward.department,
    use_type: isLaboratory ? 'reagent' : 'consume',
    used_at: instantOf(day, '08:30'),
  })
}

/** 高值: what was used in each operation, on whom and by whom. Kits brought along are used from where they stand. */
export function planSurgeries(world: World): void {
  for (const surgery of world.catalogue.surgeries.filter(item => item.done))
    world.plan(surgery.day, 16, `${surgery.hospital} theatre`, async () => {
      const { row } = surgery
      const store = theatreStores[row.operating_department ?? ''] ?? ''
      const ward = wardOf(world, store)
      const header = surgeryHeader(world, surgery, ward.department)
      const nurse = world.people(surgery.hospital, 'ward', row.circulating_nurse_code)
      const coded = (good: Good) =>
        world.catalogue.stocked.find(item => item.hospital === surgery.hospital && item.good === good)
      const wants = surgery.items.map(item => ({
        good: item.good,
        quantity: item.quantity,
        isUnitCoded: coded(item.good)?.isUnitCoded ?? false,
        from:
          item.way === '跟台' || (surgery.hospital === 'H02' && item.way === '寄售')
            ? (coded(item.good)?.store ?? store)
            : store,
      }))
      for (const [from, parts] of Map.groupBy(wants, want => want.from))
        await use(world, surgery.hospital, from, parts, nurse, header)
    })
  planPatientUses(world)
}

const sexes: Readonly<Record<string, string>> = { 男: 'male', 女: 'female' }

export function surgeryHeader(
  world: World,
  { row, patient, day }: World['catalogue']['surgeries'][number],
  department: string,
): UseHeader {
  return {
    department_inner_sn: department,
    use_type: 'patient',
    visit_type: 'inpatient',
    used_at: instantOf(day, row.start_time ?? '10:00'),
    patient_no: patient?.patient_id ?? null,
    patient_name: patient?.name ?? null,
    admission_no: row.admission_no ?? null,
    patient_sex: sexes[patient?.sex ?? ''] ?? 'unknown',
    patient_age: patient?.age ?? null,
    bed_no: patient?.bed ?? null,
    surgery_name: row.procedure_name ?? null,
    implant_site: row.body_side ? `${row.body_side}侧` : (row.procedure_name ?? '').slice(0, 12),
    doctor_inner_sn: idOrNull(world.masters.employees, row.surgeon_code),
    handler_inner_sn: idOrNull(world.masters.employees, row.circulating_nurse_code),
  }
}

/** Angiographies and the like between the planned operations. */
function planPatientUses(world: World): void {
  const uses = world.catalogue.wards.filter(use => use.ward === 'H01-W12' && use.byPatient)
  const patients = world.catalogue.patients.filter(row => row.hospital_code === 'H01')
  const doctor =
    world.catalogue.surgeries.find(surgery => surgery.row.operating_department === 'H01-K31')?.row.surgeon_code ?? null
  const mood = chance('patient uses')
  for (let daysAgo = 171; daysAgo >= 2; daysAgo -= 12) {
    const patient = patients[mood.between(0, patients.length - 1)]!
    const picked = uses
      .filter(() => mood.next() < 0.55)
      .map(item => ({ good: item.good, quantity: 1, isUnitCoded: item.isUnitCoded }))
    const day = world.calendar.ago(daysAgo)
    world.plan(day, 15, 'H01 theatre', async () => {
      const ward = wardOf(world, 'H01-W12')
      await use(world, 'H01', 'H01-W12', picked, world.people('H01', 'ward', ward.manager), {
        department_inner_sn: ward.department,
        use_type: 'patient',
        visit_type: 'inpatient',
        used_at: instantOf(day, '10:20'),
        patient_no: patient.patient_id,
        patient_name: patient.name,
        admission_no: patient.admission_no,
        patient_sex: sexes[patient.sex ?? ''] ?? 'unknown',
        patient_age: patient.age,
        bed_no: patient.bed,
        surgery_name: '冠状动脉造影术',
        doctor_inner_sn: idOrNull(world.masters.employees, doctor),
        handler_inner_sn: idOrNull(world.masters.employees, ward.manager),
      })
    })
  }
}
