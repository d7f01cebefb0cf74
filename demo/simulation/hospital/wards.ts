import { addDays, type Day, daysBetween } from '#kernel/values/date.ts'
import { FULL_PACE, instantOf, rounds, seasonOf, workingDay } from '#demo/simulation/calendar.ts'
import { chance } from '#demo/simulation/random.ts'
import type { WardUse } from '#demo/simulation/goods.ts'
import { theatreStores } from '#demo/simulation/hospital/theatre.ts'
import { supplyWard, use, type Want, type Ward, wardOf } from '#demo/simulation/hospital/ward-documents.ts'
import { orgId, storeId, type World } from '#demo/simulation/world.ts'

/** Interval in days at which a ward is supplied from a store, and since which day before the load day. */
const rhythms: readonly (readonly [ward: string, supply: string, pace: number, from: number])[] = [
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
/** Goods for operations reach the theatres' stores before the days on which they are used. */
const theatres: readonly (readonly [ward: string, supply: string, pace: number, from: number])[] = [
  ['H01-W12', 'H01-W04', 14, 178],
  ['H01-W12', 'H01-W02', 28, 178],
  ['H01-W11', 'H01-W04', 21, 178],
  ['H01-W11', 'H01-W02', 28, 178],
  ['H02-W11', 'H02-W01', 35, 178],
]
/** 科室: requests what it will use, receives the issue, confirms it, and records what it has used since. */
export function planWards(world: World): void {
  for (const [ward, supply, pace, from] of rhythms) {
    const uses = world.catalogue.wards.filter(use => use.ward === ward && use.supply === supply)
    const mood = chance(`ward ${ward} ${supply}`)
    for (const [at, { daysAgo, every }] of rounds(from, pace, 2).entries()) {
      const day = workingDay(world.calendar.ago(daysAgo))
      const lane = `${ward.slice(0, 3)} ${supply}`
      const isDispatched = mood.next() < 0.15
      world.plan(day, 13, lane, () =>
        supplyAndUse(world, wardOf(world, ward), supply, uses, {
          day,
          every,
          isDispatched,
          isFirst: at === 0,
          mood,
        }),
      )
    }
  }
  for (const [ward, supply, pace, from] of theatres)
    for (const { daysAgo, every } of rounds(from, pace, 1)) {
      const day = world.calendar.ago(daysAgo)
      world.plan(day, 13, `${ward.slice(0, 3)} ${supply}`, () =>
        supplyTheatre(world, wardOf(world, ward), supply, day, addDays(day, every + 1)),
      )
    }
}

/** A ward records and is supplied with what it uses in so many days, however long the interval is. */
const MOST_DAYS = 40

type Supply = {
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
  round: Supply,
): Promise<void> {
  const months = daysBetween(world.calendar.ago(FULL_PACE), round.day) / 30
  const days = Math.min(round.every, MOST_DAYS)
  const spent = uses
    .filter(use => !use.byPatient)
    .map(use => ({
      good: use.good,
      isUnitCoded: use.isUnitCoded,
      quantity: round.mood.poisson((use.weekly / 7) * days * seasonOf(round.day) * (1 + use.trend) ** months),
    }))
  if (!round.isFirst || !uses.some(use => use.isUnitCoded)) await consume(world, ward, spent, round.day)
  const shelf = await world.hands.shelf(orgId(world, ward.org), storeId(world, ward.code))
  const wants = uses.map(use => ({
    good: use.good,
    isUnitCoded: use.isUnitCoded,
    quantity: Math.ceil(
      Math.max(use.maximum, (use.weekly / 7) * (days + 6) * seasonOf(round.day)) - (shelf.get(use.good.id) ?? 0),
    ),
  }))
  await supplyWard(world, ward, supply, wants, { isDispatched: round.isDispatched, isShort: round.mood.next() < 0.04 })
}

/** Goods for the operations until the next supply that are neither on hand in the theatre nor brought along. */
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

async function consume(world: World, ward: Ward, spent: readonly Want[], day: Day): Promise<void> {
  const nurse = world.people(ward.org, 'ward', ward.manager)
  const isLaboratory = ward.code === 'H01-W17' || ward.code === 'H02-W13'
  await use(world, ward.org, ward.code, spent, nurse, {
    department_inner_sn: ward.department,
    use_type: isLaboratory ? 'reagent' : 'consume',
    used_at: instantOf(day, '08:30'),
  })
}
