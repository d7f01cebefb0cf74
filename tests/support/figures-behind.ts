import type { AnyReport } from '#kernel/definition/report.ts'
import { boards, entityOf, reportOf, walls } from '#kernel/registry.ts'
import { type Day, today } from '#kernel/values/date.ts'
import { compare, type Decimal, round, sum } from '#kernel/values/decimal.ts'
import type { Drawing, Reading, Row, WallDefinition, WallFigure } from '#kernel/wall/wall-definition.ts'
import { isRestricted } from '#server/access/data-scope.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'
import { listRecords } from '#server/records/read.ts'
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

/** How many records a list has under these filters, or the sum of the column where the list adds it up. */
async function listed(tx: Tx, session: Session, kind: string, column: string, asked: Readonly<Record<string, string>>) {
  const { total, summary } = await listRecords(tx, session, entityOf(kind)!, { ...asked, pageSize: '1' })
  return round(String(summary?.[column] ?? total) as Decimal, 2)
}

const month = { begin: `${today().slice(0, 7)}-01` as Day, end: today() }

/** The filters with which a figure opens its list. */
const givenTo = ({ with: given = {} }: NonNullable<WallFigure['list']>, asked: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(given).flatMap(([name, from]) => {
      const value = from.startsWith('=') ? asked[from.slice(1)] : from
      return value === undefined ? [] : [[name, value]]
    }),
  )

const figuresOf = (draws: Drawing): readonly WallFigure[] =>
  draws.form === 'numbers' ? draws.figures : draws.form === 'gauge' ? [draws.part, draws.whole] : []

/** The required filters of a wall: a department is one that has stock. Null where there is none to ask for. */
async function filtersOf(
  tx: Tx,
  { org }: Session,
  { filters }: WallDefinition,
): Promise<Record<string, string> | null> {
  const required = Object.entries(filters).filter(([, field]) => field.required)
  const [stocked] = await tx<{ department_id: string }[]>`
    select b.department_id::text from stock_on_hand b
     where b.org_id = ${org.id} and b.department_id is not null group by 1 order by count(*) desc limit 1`
  if (required.some(([, { target }]) => target !== 'department') || (required.length > 0 && !stocked)) return null
  return Object.fromEntries(required.map(([name]) => [name, stocked!.department_id]))
}

/** Figures of walls and boards that differ from the total of the page that they open. */
export async function otherThanTheirPages(tx: Tx, session: Session): Promise<{ compared: number; wrong: unknown[] }> {
  const looking = { as: session, seesMoney: true, seesProfit: true }
  const wrong: unknown[] = []
  let compared = 0
  const compareOne = async (
    name: string,
    reading: Reading,
    { column, where = {}, list, as }: Pick<WallFigure, 'column' | 'where' | 'list' | 'as'>,
    filters: Readonly<Record<string, string>> = {},
  ) => {
    const answer = await read(tx, reading, { days: month, filters }, looking, true)
    if (answer.withheld !== undefined) return
    const shown = drawn(answer.rows, column, where)
    const page =
      list === undefined || reportOf(list.kind) !== undefined
        ? await behind(tx, session, reading.of, column, { ...answer.asked, ...where })
        : await listed(tx, session, list.kind, as === 'count' ? '' : column, givenTo(list, answer.asked))
    if (page === null) return
    compared += 1
    if (compare(shown, page) !== 0) wrong.push({ of: session.org.name, name, column, shown, page })
  }
  for (const wall of walls()) {
    const filters = wall.screen.orgs.includes(session.org.type) ? await filtersOf(tx, session, wall) : null
    if (filters === null) continue
    const narrowed = Object.entries(filters).map(([name, value]) => [wall.narrows?.[name] ?? name, value])
    for (const { name, draws, reads } of wall.cards)
      for (const figure of figuresOf(draws)) {
        const { against: _against, ...reading } = reads[figure.of]!
        if ([...(reading.sums ?? []), ...Object.keys(reading.counts ?? {})].includes(figure.column))
          await compareOne(`${wall.kind}.${name} ${figure.label}`, reading, figure, Object.fromEntries(narrowed))
      }
  }
  for (const { kind, figures } of boards())
    for (const { name, orgs, reading, column, list } of figures) {
      if (!orgs.includes(session.org.type) || reading === undefined || !reading.sums?.includes(column!)) continue
      const { takes: _takes, each: _each, ...own } = reading
      await compareOne(`${kind} ${name}`, { ...own, span: 'asked' }, { column: column!, ...(list ? { list } : {}) })
    }
  return { compared, wrong }
}
