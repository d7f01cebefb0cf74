import { type AnyReport, columnsThatStand, groupsAsked } from '#kernel/definition/report.ts'
import { reports } from '#kernel/registry.ts'
import { compare, type Decimal } from '#kernel/values/decimal.ts'
import { isRestricted } from '#server/access/data-scope.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'
import { askedFor } from '#server/reports/measured-places.ts'
import type { MeasuredDays } from '#server/reports/measures.ts'
import { runReport } from '#server/reports/report.ts'
import { meaningfulSums } from '#web/list/table/sums.ts'
import { sumOf } from '#web/print/document/page-layout.ts'
import { listSheet, printedRow, printedSums, rowsToPrint } from '#web/print/list/list-print.ts'

/** Most rows of a print that are added up. */
const MOST_ADDED = 1200

/** A figure of a print, and what the page says in its place. */
type Printed = { readonly name: string; readonly printed: Decimal; readonly page: unknown }

/** The figures at the end of a print and those at the foot of its sheets, beside those under the list on the page. */
async function printedOf(
  tx: Tx,
  session: Session,
  report: AnyReport,
  asked: Readonly<Record<string, string>>,
): Promise<readonly Printed[]> {
  const names = columnsThatStand(report, groupsAsked(report, undefined), asked)
  const page = await runReport(tx, session, report, { ...asked, pageSize: '1' })
  const shown = meaningfulSums(
    names.map(name => ({ name, field: report.columns[name]! })),
    page.summary,
  )
  const read = (pageNum: number, pageSize: number) =>
    runReport(tx, session, report, { ...asked, pageNum: String(pageNum), pageSize: String(pageSize) })
  const isAdded = page.total <= MOST_ADDED
  const { list, summary } = isAdded ? await rowsToPrint(read) : await read(1, 1)
  const sheet = listSheet(report, report.title, names, summary)
  const said = printedSums(report, names, summary)
  const lines = list.map(row => printedRow(report, names, row))
  const summed = sheet.columns.filter(({ as, unsummed }) => (as === 'quantity' || as === 'amount') && !unsummed)
  return [
    ...(sheet.totals ?? []).map(([, name]) => ({
      name,
      printed: String(said[name] ?? '0') as Decimal,
      page: shown?.[name.replace(/^sum_/, '')],
    })),
    ...(isAdded ? summed : []).map(({ name, as }) => ({
      name,
      printed: sumOf(lines, name, as === 'amount' ? 2 : 3),
      page: shown?.[name],
    })),
  ]
}

/**
 * The printed figures of reports that differ from their pages', for this reader: over the first of these periods for
 * which a report can be asked.
 */
export async function otherThanTheirPrints(
  tx: Tx,
  session: Session,
  periods: readonly MeasuredDays[],
): Promise<{ readonly compared: number; readonly wrong: readonly unknown[] }> {
  const wrong: unknown[] = []
  let compared = 0
  for (const report of reports()) {
    const asked = periods.map(days => askedFor(report, days)).find(each => each !== null)
    if (asked === undefined || !report.screens.some(({ orgs }) => orgs.includes(session.org.type))) continue
    if (report.wholeOnly !== undefined && isRestricted(session)) continue
    const figures = await printedOf(tx, session, report, asked)
    compared += figures.length
    for (const figure of figures)
      if (compare(figure.printed, String(figure.page ?? '0') as Decimal) !== 0)
        wrong.push({ of: session.org.name, report: report.kind, ...figure })
  }
  return { compared, wrong }
}
