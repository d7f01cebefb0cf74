import type { AnyReport } from '#kernel/definition/report.ts'
import { boards, walls } from '#kernel/registry.ts'
import { type Day, today } from '#kernel/values/date.ts'
import { compare, type Decimal, round, sum } from '#kernel/values/decimal.ts'
import type { Drawing, Reading, Row, WallFigure } from '#kernel/wall/wall-definition.ts'
import { isRestricted } from '#server/access/data-scope.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'
import { runReport } from '#server/reports/report.ts'
import { read } from '#server/walls/wall.ts'

/** The sum of a figure over the rows that its reading brought. */
const drawn = (rows: readonly Row[], column: string, where: Readonly<Record<string, string>> = {}): Decimal =>
  sum(
    rows
      .filter(row => Object.entries(where).every(([name, value]) => row[name] === value))
      .map(row => (row[column] ?? '0') as Decimal),
    2,
  )

/** What stands on the page behind a figure under these parameters; null where the page does not add it up. */
async function behind(
  tx: Tx,
  session: Session,
  report: AnyReport,
  column: string,
  asked: Readonly<Record<string, string>>,
): Promise<Decimal | null> {
  const isShown = report.screens.some(({ orgs }) => orgs.includes(session.org.type))
  const isAsked = Object.keys(asked).every(name => name in report.parameters)
  if (!isShown || !isAsked || !(report.totals as readonly string[] | undefined)?.includes(column)) return null
  if (report.wholeOnly !== undefined && isRestricted(session)) return null
  const { summary } = await runReport(tx, session, report, { ...asked, pageSize: '1' })
  return round(String(summary[column] ?? '0') as Decimal, 2)
}

const month = { begin: `${today().slice(0, 7)}-01` as Day, end: today() }

const figuresOf = (draws: Drawing): readonly WallFigure[] =>
  draws.form === 'numbers' ? draws.figures : draws.form === 'gauge' ? [draws.part, draws.whole] : []

/** Figures of walls and boards that differ from the total of the page that they open. */
export async function otherThanTheirPages(tx: Tx, session: Session): Promise<{ compared: number; wrong: unknown[] }> {
  const looking = { as: session, seesMoney: true, seesProfit: true }
  const asked = { days: month, filters: {} }
  const wrong: unknown[] = []
  let compared = 0
  const compareOne = async (
    name: string,
    reading: Reading,
    column: string,
    where: Readonly<Record<string, string>>,
  ) => {
    const answer = await read(tx, reading, asked, looking, true)
    if (answer.withheld !== undefined) return
    const shown = drawn(answer.rows, column, where)
    const page = await behind(tx, session, reading.of, column, { ...answer.asked, ...where })
    if (page === null) return
    compared += 1
    if (compare(shown, page) !== 0) wrong.push({ of: session.org.name, name, column, shown, page })
  }
  for (const { kind, screen, cards, filters } of walls()) {
    if (!screen.orgs.includes(session.org.type) || Object.values(filters).some(({ required }) => required)) continue
    for (const { name, draws, reads } of cards)
      for (const { of, column, where = {} } of figuresOf(draws)) {
        const { against: _against, ...reading } = reads[of]!
        if (reading.sums?.includes(column)) await compareOne(`${kind}.${name}`, reading, column, where)
      }
  }
  for (const { kind, figures } of boards())
    for (const { name, orgs, reading, column } of figures) {
      if (!orgs.includes(session.org.type) || reading === undefined || !reading.sums?.includes(column!)) continue
      const { takes: _takes, each: _each, ...own } = reading
      await compareOne(`${kind} ${name}`, { ...own, span: 'asked' }, column!, {})
    }
  return { compared, wrong }
}
