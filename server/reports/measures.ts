import type { Measure } from '#kernel/measure/measure.ts'
import { type AnyReport, columnField } from '#kernel/definition/report.ts'
import { reportOf } from '#kernel/registry.ts'
import type { Day } from '#kernel/values/date.ts'
import { type Decimal, round } from '#kernel/values/decimal.ts'
import { parseFields } from '#kernel/values/parse-fields.ts'
import { isRestricted } from '#server/access/data-scope.ts'
import { maySeeCosts, maySeeMoney } from '#server/access/sensitive-fields.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'
import { engineValues } from '#server/reports/report-sql.ts'
import { readingSql } from '#server/walls/reading-sql.ts'

/** The report whose rows a measure adds up; a measure of a report that is not registered is an error of the program. */
export function factOf({ name, of }: Measure): AnyReport {
  const report = reportOf(of)
  if (report === undefined) throw new Error(`the measure ${name} is of ${of}, which is no report`)
  return report
}

/**
 * The value of each measure over these days, both included, as far as the reader may see it (`null`: he may not). Rows
 * are those of his stores and departments, and what adds up over all of them is not his; whether he may open the pages
 * behind them is not asked. One statement for all measures of the same rows.
 */
export async function measured(
  tx: Tx,
  session: Session,
  measures: readonly Measure[],
  days: { readonly begin_date: Day; readonly end_date: Day },
): Promise<ReadonlyMap<string, Decimal | null>> {
  const own = measures.filter(({ orgs }) => orgs.includes(session.org.type))
  const values = new Map<string, Decimal | null>()
  const sees = ({ column }: Measure, of: AnyReport) =>
    !(of.wholeOnly !== undefined && isRestricted(session)) && maySeeMoney(session, columnField(of, column)!)
  for (const together of Map.groupBy(own, ({ of, where }) => JSON.stringify([of, where ?? null])).values()) {
    const of = factOf(together[0]!)
    const { values: asked } = parseFields(of.parameters, { ...days, ...together[0]!.where })
    const statement = readingSql(
      { of, span: 'asked', sums: [...new Set(together.map(({ column }) => column))] },
      { ...asked, ...engineValues(session, maySeeCosts(session)) },
      () => true,
      null,
    )
    const [row] = await tx.unsafe<Record<string, Decimal>[]>(statement.text, [...statement.values])
    for (const measure of together) values.set(measure.name, sees(measure, of) ? round(row![measure.column]!, 2) : null)
  }
  return values
}
