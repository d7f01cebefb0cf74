import { addDays, type Day, daysBetween } from '#kernel/values/date.ts'
import { FULL_PACE, instantOf, OPENING, rounds, seasonOf, workingDay } from '#demo/simulation/calendar.ts'
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
/** A ward writes its uses down about so often. */
const PART_DAYS = 24
/** Wards with dear goods: in how many days each good is used once, and on how many days of those some are. */
const dear: Readonly<Record<string, readonly [turn: number, parts: number]>> = {
  'H01-W17 H01-W03': [28, 6],
  'H01-W11 H01-W01': [45, 2],
  'H02-W13 H02-W02': [21, 4],
  'H02-W11 H02-W01': [22, 2],
  'H02-W14 H02-W01': [45, 2],
}

/**
 * 科室: requests what it will use, receives the issue, confirms it, and in the days before the next one records what it
 * uses, some goods today and others another day.
 */
export function planWards(world: World): void {
  for (const [nth, [ward, supply, pace, from]] of rhythms.entries()) {
    const all = world.catalogue.wards.filter(use => use.ward === ward && use.supply === supply)
    const times = `${ward} ${supply}` in dear ? [all, all] : everySecondTime(all)
    const mood = chance(`ward ${ward} ${supply}`)
    const lane = `${ward.slice(0, 3)} ${supply}`
    let before = OPENING
    for (const [at, { daysAgo, every }] of rounds(from, pace, 2).entries()) {
      const day = workingDay(world.calendar.ago(daysAgo))
      const uses = times[(at + nth) % 2]!
      const isDispatched = mood.next() < 0.15
      const days = Math.min(every, MOST_DAYS)
      planUses(world, wardOf(world, ward), supply, { uses, mood, days, from: before, until: daysAgo })
      world.plan(day, 13, lane, () =>
        refill(world, wardOf(world, ward), supply, uses, { day, days, isDispatched, mood }),
      )
      before = daysAgo
    }
    if (before > PART_DAYS / 2)
      planUses(world, wardOf(world, ward), supply, { uses: times[0]!, mood, days: before - 1, from: before, until: 1 })
  }
  for (const [ward, supply, pace, from] of theatres)
    for (const { daysAgo, every } of rounds(from, pace, 1)) {
      const day = world.calendar.ago(daysAgo)
      world.plan(day, 13, `${ward.slice(0, 3)} ${supply}`, () =>
        supplyTheatre(world, wardOf(world, ward), supply, day, addDays(day, every + 1)),
      )
    }
}

/** A ward is supplied with what it uses in so many days, however long the interval is. */
const MOST_DAYS = 40

type Mood = ReturnType<typeof chance>
/** The goods and quantities that a ward uses in so many `days`, between two days before the load day. */
type Uses = {
  readonly uses: readonly WardUse[]
  readonly mood: Mood
  readonly days: number
  readonly from: number
  readonly until: number
}

/** Records the uses between two supplies: in turns of some weeks, each good once a turn. */
function planUses(world: World, ward: Ward, supply: string, { uses, mood, days, from, until }: Uses): void {
  const period = from - until
  const [turn, parts] = dear[`${ward.code} ${supply}`] ?? [period, period / PART_DAYS]
  const turns = Math.max(1, Math.round(period / turn))
  const count = Math.max(1, Math.round(Math.min(1, period / turn) * parts))
  const shares = inEqualShares(
    uses.filter(use => !use.byPatient),
    count,
  )
  const step = period / (turns * count)
  for (let at = 0; at < turns * count; at += 1) {
    const daysAgo = Math.floor(from - step * (at + 1))
    const day = workingDay(world.calendar.ago(Math.max(daysAgo, until)))
    const months = daysBetween(world.calendar.ago(FULL_PACE), day) / 30
    world.plan(day, 8.6, `${ward.org} ${supply}`, () =>
      consume(
        world,
        ward,
        shares[at % count]!.map(use => ({
          good: use.good,
          isUnitCoded: use.isUnitCoded,
          quantity: about(
            (use.weekly / 7) * (Math.min(days, period) / turns) * seasonOf(day) * (1 + use.trend) ** months,
            mood,
          ),
        })),
        day,
      ),
    )
  }
}

/** A whole number of pieces about a mean: a fifth more or less. */
const about = (mean: number, mood: Mood): number => Math.floor(mean * (0.8 + 0.4 * mood.next()) + mood.next())

/**
 * The goods that a ward asks for and writes down. Every second time the cheaper half of its goods is among them, for
 * twice as long.
 */
function everySecondTime(uses: readonly WardUse[]): readonly [readonly WardUse[], readonly WardUse[]] {
  const plain = uses.filter(use => !use.byPatient && !use.isUnitCoded)
  if (plain.length < SEVERAL) return [uses, uses]
  const byWorth = plain.toSorted((one, other) => one.worth - other.worth)
  const cheap = new Set(byWorth.slice(0, plain.length / 2))
  return [
    uses.filter(use => !cheap.has(use)),
    uses.map(use => (cheap.has(use) ? { ...use, weekly: 2 * use.weekly, worth: 2 * use.worth } : use)),
  ]
}
const SEVERAL = 10

/**
 * Goods in so many shares of about the same worth, the dearest first. Goods of a maker with little among them stay in
 * one share: each use is reported to the makers of its goods.
 */
function inEqualShares(uses: readonly WardUse[], count: number): readonly (readonly WardUse[])[] {
  const together = [...Map.groupBy(uses, use => use.good.maker).values()].map(ofMaker => bundle(ofMaker))
  const fair = together.reduce((sum, { worth }) => sum + worth, 0) / count
  const bundles = together.flatMap(each => (each.worth < fair ? [each] : each.uses.map(use => bundle([use]))))
  const shares = Array.from({ length: count }, () => ({ worth: 0, uses: [] as WardUse[] }))
  for (const each of bundles.toSorted((one, other) => other.worth - one.worth)) {
    const least = shares.reduce((found, share) => (share.worth < found.worth ? share : found))
    least.worth += each.worth
    least.uses.push(...each.uses)
  }
  return shares.map(share => share.uses)
}

const bundle = (uses: readonly WardUse[]) => ({ uses, worth: uses.reduce((sum, use) => sum + use.worth, 0) })

type Supply = { readonly day: Day; readonly days: number; readonly isDispatched: boolean; readonly mood: Mood }

async function refill(
  world: World,
  ward: Ward,
  supply: string,
  uses: readonly WardUse[],
  { day, days, isDispatched, mood }: Supply,
): Promise<void> {
  const shelf = await world.hands.shelf(orgId(world, ward.org), storeId(world, ward.code))
  const wants = uses.map(use => ({
    good: use.good,
    isUnitCoded: use.isUnitCoded,
    quantity: Math.ceil(
      Math.max(use.maximum, (use.weekly / 7) * (days + 6) * seasonOf(day)) - (shelf.get(use.good.id) ?? 0),
    ),
  }))
  await supplyWard(world, ward, supply, wants, { isDispatched, isShort: mood.next() < 0.04 })
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
