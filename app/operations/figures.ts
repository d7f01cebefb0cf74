import { addDays, type Day, monthEnd, today } from '#kernel/values/date.ts'
import { compareFigures, type Difference } from '#server/figures/compare-figures.ts'
import { counterpartComparison } from '#server/reports/compare-counterparts.ts'
import { type MeasuredDays, measuredOrganisations } from '#server/reports/measures.ts'
import { inOrganisation } from '#server/database/transaction.ts'
import type { Sql } from '#server/plugins/database.ts'

/** The comparison for one organisation in one period. */
export type FiguresOf = MeasuredDays & {
  readonly organisation: string
  readonly places: number
  readonly differences: readonly Difference[]
}

const firstOf = (month: string): Day => `${month}-01` as Day

/** The running month so far, the one before it, and the last sealed one of an organisation. */
async function periodsOf(sql: Sql, org: string): Promise<readonly MeasuredDays[]> {
  const now = today()
  const before = addDays(firstOf(now.slice(0, 7)), -1).slice(0, 7)
  const [row] = await sql<{ month: string | null }[]>`
    select to_char(max(month), 'YYYY-MM') as month from month_opening where org_id = ${org}`
  const months = new Set([before, ...(row?.month ? [addDays(firstOf(row.month), -1).slice(0, 7)] : [])])
  return [
    { begin_date: firstOf(now.slice(0, 7)), end_date: now },
    ...[...months].map(month => ({ begin_date: firstOf(month), end_date: monthEnd(firstOf(month)) })),
  ]
}

/**
 * The choice of comparisons: with a seed one organisation of each type, a different one for each seed; `only` these
 * organisations; `brief`: only the running month, and only the totals of pages.
 */
type Chosen = { readonly seed?: number | null; readonly only?: readonly string[]; readonly brief?: boolean }

/**
 * Compares every place that shows a measure with its fact, and the two sides of a trade, for each organisation that
 * works with the program.
 */
export async function* allFigures(
  owner: Sql,
  { seed = null, only, brief = false }: Chosen = {},
): AsyncGenerator<FiguresOf> {
  const all = await measuredOrganisations(owner)
  const organisations = only === undefined ? all : all.filter(({ id }) => only.includes(id))
  const ofType = Map.groupBy(organisations, ({ type }) => type)
  const chosen = seed === null ? organisations : [...ofType.values()].map(each => each[seed % each.length]!)
  const counterpartsOf = await counterpartComparison(owner)
  for (const org of chosen)
    for (const days of (await periodsOf(owner, org.id)).slice(0, brief ? 1 : undefined)) {
      const compared = await inOrganisation(owner, org.id, '0', tx => compareFigures(tx, org, days, brief))
      const counterparts = await counterpartsOf(org, days)
      yield {
        organisation: org.name,
        ...days,
        places: compared.places + counterparts.places,
        differences: [...compared.differences, ...counterparts.differences],
      }
    }
}
