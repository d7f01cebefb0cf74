import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OrgType } from '#kernel/values/organisation-type.ts'
import { reports } from '#kernel/registry.ts'
import { type Day, daysBetween, today } from '#kernel/values/date.ts'
import { measures } from '#modules/base/measures/measures.ts'
import { registerModules } from '#app/composition.ts'
import { allFigures } from '#app/operations/figures.ts'
import { type Database, openDatabase } from '#server/plugins/database.ts'
import { systemSession } from '#server/access/session.ts'
import { inOrganisation } from '#server/database/transaction.ts'
import { factOf, measuredOrganisations } from '#server/reports/measures.ts'
import { type FreshDatabase, freshDatabase } from '../support/database.ts'
import { otherThanTheirPages } from '../support/figures-behind.ts'
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

test('a click on a figure opens rows that add up to it, for whoever reads it', async () => {
  const all = await measuredOrganisations(database.owner)
  const firsts = [...Map.groupBy(all, ({ type }) => type).values()].map(([first]) => first!)
  const wrong: unknown[] = []
  let compared = 0
  for (const org of firsts) {
    const [store] = await database.owner<{ id: string }[]>`
      select warehouse_id::text as id from stock_move where org_id = ${org.id} and warehouse_id in (
        select id from warehouse where org_id = ${org.id} and model not in ('transit', 'consumed', 'loan'))
       group by 1 order by count(*) desc limit 1`
    const whole = systemSession(org)
    for (const session of [whole, { ...whole, warehouses: new Set([store!.id]) }])
      await inOrganisation(database.app, org.id, '0', async tx => {
        const found = await otherThanTheirPages(tx, session)
        compared += found.compared
        wrong.push(...found.wrong)
      })
  }
  expect(compared).toBeGreaterThan(30)
  expect(wrong).toEqual([])
})
