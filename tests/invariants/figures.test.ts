import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OrgType } from '#kernel/values/organisation-type.ts'
import { reports } from '#kernel/registry.ts'
import { addDays, type Day, daysBetween, today } from '#kernel/values/date.ts'
import { measures } from '#modules/base/measures/measures.ts'
import { registerModules } from '#app/composition.ts'
import { allFigures } from '#app/operations/figures.ts'
import { type Database, openDatabase } from '#server/plugins/database.ts'
import { type Session, systemSession } from '#server/access/session.ts'
import { inOrganisation, type Tx } from '#server/database/transaction.ts'
import { factOf, measuredOrganisations } from '#server/reports/measures.ts'
import { type FreshDatabase, freshDatabase } from '../support/database.ts'
import { otherThanTheirPages } from '../support/figures-behind.ts'
import { otherThanTheirPrints } from '../support/printed-reports.ts'
import { isThorough } from '../support/thorough.ts'

/** A figure has one definition: whatever page shows a measure, in total or by groups, it is the sum of its fact. */
let fresh: FreshDatabase
let database: Database
beforeAll(async () => {
  registerModules()
  fresh = await freshDatabase({ demo: true })
  database = await openDatabase(fresh.config)
})
afterAll(async () => {
  await database?.close()
  await fresh?.drop()
})

describe('measures', () => {
  test.each(Object.values(measures))('$name: $label is said by its own column, to whom it belongs', measure => {
    const fact = factOf(measure)
    // One that asks its report for a part of the rows is not what the whole column says.
    if (!('where' in measure)) expect(fact.columns[measure.column]?.measures).toContainEqual(measure)
    for (const org of measure.orgs as Iterable<OrgType>)
      expect(fact.screens.some(({ orgs }) => orgs.includes(org))).toBe(true)
  })

  test('no two columns of one page show the same measure', () => {
    const twice = reports().filter(({ columns }) => {
      const shown = Object.values(columns).flatMap(({ measures: all = [] }) => all.map(({ name }) => name))
      return new Set(shown).size < shown.length
    })
    expect(twice.map(({ kind }) => kind)).toEqual([])
  })
})

/** In `npm test` one organisation of each type, another one each day; `npm run thorough` takes all. */
const SEED = isThorough ? null : daysBetween('2026-01-01' as Day, today())

test(`every place that shows a measure shows the sum of its fact (seed ${SEED})`, async () => {
  const wrong: unknown[] = []
  let places = 0
  const figures = allFigures(database.owner, { seed: SEED })
  for await (const { organisation, begin_date, places: compared, differences } of figures) {
    places += compared
    wrong.push(...differences.map(difference => ({ organisation, begin_date, ...difference })))
  }
  expect(places).toBeGreaterThan(100)
  expect(wrong).toEqual([])
})

/** Somebody who sees all of an organisation of each of these types, and somebody bound to its store that moves most. */
async function* readers(types: string): AsyncGenerator<Session> {
  const all = await measuredOrganisations(database.owner)
  const asked = all.filter(({ type }) => types.includes(type))
  for (const [first] of Map.groupBy(asked, ({ type }) => type).values()) {
    const [store] = await database.owner<{ id: string }[]>`
      select warehouse_id::text as id from stock_move where org_id = ${first!.id} and warehouse_id in (
        select id from warehouse where org_id = ${first!.id} and model not in ('transit', 'consumed', 'loan'))
       group by 1 order by count(*) desc limit 1`
    const whole = systemSession(first!)
    yield whole
    yield { ...whole, warehouses: new Set([store!.id]) }
  }
}

/** What differs for any of the readers, of how many comparisons. */
async function forEachReader(
  types: string,
  compare: (tx: Tx, session: Session) => Promise<{ compared: number; wrong: readonly unknown[] }>,
) {
  const wrong: unknown[] = []
  let compared = 0
  for await (const session of readers(types))
    await inOrganisation(database.app, session.org.id, '0', async tx => {
      const found = await compare(tx, session)
      compared += found.compared
      wrong.push(...found.wrong)
    })
  return { compared, wrong }
}

test('a click on a figure opens rows that add up to it, for whoever reads it', async () => {
  const { compared, wrong } = await forEachReader('HDV', otherThanTheirPages)
  expect(compared).toBeGreaterThan(30)
  expect(wrong).toEqual([])
})

test.each(['H', 'D', 'V'])(
  'every report of organisations of type %s is printed with the sums of its page, and its rows add up to them',
  async type => {
    const now = today()
    const before = addDays(`${now.slice(0, 7)}-01` as Day, -1)
    const month = { begin_date: `${before.slice(0, 7)}-01` as Day, end_date: before }
    const periods = [{ begin_date: addDays(now, -7), end_date: now }, month]
    const { compared, wrong } = await forEachReader(type, (tx, session) => otherThanTheirPrints(tx, session, periods))
    expect(compared).toBeGreaterThan(60)
    expect(wrong).toEqual([])
  },
)
