import type { Measure } from '#kernel/measure/measure.ts'
import { type AnyReport, columnField } from '#kernel/definition/report.ts'
import { reportOf } from '#kernel/registry.ts'
import type { Day } from '#kernel/values/date.ts'
import { type Decimal, round } from '#kernel/values/decimal.ts'
import { parseFields } from '#kernel/rules/parse-fields.ts'
import { isRestricted } from '#server/access/data-scope.ts'
import { mayReadMeasure, maySeeCosts, maySeeMoney } from '#server/access/sensitive-fields.ts'
import { orgTypeOf } from '#kernel/values/organisation-type.ts'
import type { Session } from '#server/access/session.ts'
import type { Sql } from '#server/plugins/database.ts'
import type { Tx } from '#server/database/transaction.ts'
import { engineValues } from '#server/reports/report-sql.ts'
import { readingSql } from '#server/reports/reading-sql.ts'

/** The report whose rows a measure adds up; a measure of a report that is not registered is an error of the program. */
export function factOf({ name, of }: Measure): AnyReport {
  const report = reportOf(of)
  if (report === undefined) throw new Error(`the measure ${name} is of ${of}, which is no report`)
  return report
}

/** The organisations that work with the program and have figures, by their type and name. */
export async function measuredOrganisations(owner: Sql): Promise<readonly Session['org'][]> {
  const rows = await owner<{ id: string; code: string; name: string; system_type: number }[]>`
    select id::text, code, name, system_type from organisation where uses_system and system_type between 1 and 3
     order by system_type, name`
  return rows.map(({ system_type, ...org }) => ({ ...org, type: orgTypeOf(system_type) }))
}

/** The days of a measure, both included; of a balance the last one. */
export type MeasuredDays = { readonly begin_date: Day; readonly end_date: Day }

const maySee = (session: Session, measure: Measure, of: AnyReport): boolean =>
  !(of.wholeOnly !== undefined && isRestricted(session)) &&
  mayReadMeasure(session, measure) &&
  maySeeMoney(session, columnField(of, measure.column)!)

/** Sums over the rows of a report under these parameters, by columns. */
export function sumsOf(
  tx: Tx,
  session: Session,
  { of, where }: { readonly of: AnyReport; readonly where: Readonly<Record<string, string>> },
  sums: readonly string[],
  by: readonly string[],
) {
  const { values: asked } = parseFields(of.parameters, where)
  const reading = { of, span: 'asked', sums, by } as const
  const given = { ...asked, ...engineValues(session, maySeeCosts(session)) }
  const statement = readingSql(reading, given, () => true, null)
  return tx.unsafe<Record<string, string>[]>(statement.text, [...statement.values])
}

/**
 * A measure by columns of its rows, and narrowed by parameters of its report: `amount` is its sum, two decimals.
 * Nothing where the reader may not see it.
 */
export async function measuredBy(
  tx: Tx,
  session: Session,
  measure: Measure,
  asked: MeasuredDays & Readonly<Record<string, string>>,
  by: readonly string[],
): Promise<readonly (Readonly<Record<string, string | null>> & { readonly amount: Decimal })[]> {
  const of = factOf(measure)
  if (!measure.orgs.includes(session.org.type) || !maySee(session, measure, of)) return []
  const rows = await sumsOf(tx, session, { of, where: { ...asked, ...measure.where } }, [measure.column], by)
  return rows.map(row => ({
    ...Object.fromEntries(by.map(name => [name, row[name] ?? null])),
    amount: round(row[measure.column]! as Decimal, 2),
  }))
}

/**
 * The value of each measure over these days, both included, as far as the reader may see it (`null`: he may not); what
 * is asked beside the days must be known to every report. Rows
 * are those of his stores and departments, and what adds up over all of them is not his; whether he may open the pages
 * behind them is not asked. One statement for all measures of the same rows.
 */
export async function measured(
  tx: Tx,
  session: Session,
  measures: readonly Measure[],
  asked: MeasuredDays & Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, Decimal | null>> {
  const own = measures.filter(({ orgs }) => orgs.includes(session.org.type))
  const values = new Map<string, Decimal | null>()
  for (const together of Map.groupBy(own, ({ of, where }) => JSON.stringify([of, where ?? null])).values()) {
    const of = factOf(together[0]!)
    const sums = [...new Set(together.map(({ column }) => column))]
    const [row] = await sumsOf(tx, session, { of, where: { ...asked, ...together[0]!.where } }, sums, [])
    for (const measure of together)
      values.set(measure.name, maySee(session, measure, of) ? round(row![measure.column]! as Decimal, 2) : null)
  }
  return values
}
