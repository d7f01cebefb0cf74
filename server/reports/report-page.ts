import type { ParameterOrJSON } from 'postgres'
import { type AnyReport, columnsWhenGrouped } from '#kernel/definition/report.ts'
import { without } from '#kernel/values/without.ts'
import type { Tx } from '#server/database/transaction.ts'
import { COUNT_LIMIT } from '#server/lists/query.ts'
import { analysisStatement, pageWithWhole } from '#server/reports/analysis-sql.ts'
import { bound, type ReportStatement, statementOf } from '#server/reports/report-sql.ts'

type Row = Readonly<Record<string, unknown>>

/** The parameters of a call of a report, parsed and permitted. */
export type Asked = {
  readonly groups: readonly string[]
  /** The values of the call and of the engine, by the names that statements read. */
  readonly given: Row
  /** The columns that are shown. */
  readonly shown: readonly string[]
  readonly size: number
  readonly page: number
  /** The columns by which it is ordered, as SQL; empty where nothing else is asked for. */
  readonly order: string
}

/** A call as SQL: its rows, and their number beside their totals, each with what is bound to it. */
type Statements = {
  readonly rows: string
  readonly values: readonly ParameterOrJSON<never>[]
  readonly totals: string
  readonly totalValues: readonly ParameterOrJSON<never>[]
}

/** An analysis, rows summed by groups, or the rows themselves. */
export function statementsFor(definition: AnyReport, { groups, shown, given }: Asked): Statements {
  if (definition.analysis) return analysisStatement(definition, { groups, shown, values: given })
  const { unordered, names } = statementOf(definition)
  const values = bound(definition, names, given)
  const rows = grouped(definition, statementOf(definition, groups), groups)
  const counted = groups.length === 0 ? `least(count(*), ${COUNT_LIMIT})` : `(select count(*) from (${rows}) counted)`
  const totals = named([{ name: 'rows', sql: `${counted}::int` }, ...totalsOf(definition)])
  return {
    rows,
    values,
    totals: `select ${totals} from (${unordered}) rows`,
    totalValues: values,
  }
}

/** The rows of a statement under an order of their columns; without one, under its own. */
export const ordered = (text: string, order: string): string =>
  `select * from (${text}) rows ${order === '' ? '' : `order by ${order}`}`

/** The rows of a report summed by some of its columns, by one statement over them: they match the rows to the cent. */
function grouped(definition: AnyReport, { text, unordered }: ReportStatement, groups: readonly string[]): string {
  if (groups.length === 0) return text
  const by = groups.map(name => `"${name}"`).join(', ')
  const ratios = definition.ratios ?? {}
  const sums = columnsWhenGrouped(definition, groups)
    .slice(groups.length)
    .map(name => {
      const [of, divisor] = ratios[name] ?? []
      return of ? `round(sum("${of}") / nullif(sum("${divisor}"), 0), 4) as "${name}"` : `sum("${name}") as "${name}"`
    })
  return `select ${[by, ...sums].join(', ')} from (${unordered}) ungrouped group by ${by} order by ${by}`
}

type Sum = { readonly name: string; readonly sql: string }

/**
 * Its sums over all rows, or over all rows of each with `over ()`, with the unit in which all of them are counted:
 * without one, pieces have no sum.
 */
function totalsOf(definition: AnyReport, over = ''): readonly Sum[] {
  const sums = (definition.totals ?? []).map(name => ({ name, sql: `sum("${name}") ${over}` }))
  const countsPieces = definition.totals?.some(name => definition.columns[name]?.as === 'quantity') === true
  if (!countsPieces || definition.columns.unit_name === undefined) return sums
  const [least, most] = [`min(unit_name) ${over}`, `max(unit_name) ${over}`]
  const isOne = `${least} = ${most} and count(unit_name) ${over} = count(*) ${over}`
  return [...sums, { name: 'unit_name', sql: `case when ${isOne} then ${least} end` }]
}

const named = (sums: readonly Sum[], prefix = ''): string =>
  sums.map(({ name, sql }) => `${sql} as "${prefix}${name}"`).join(', ')

/** Before the names of what each row says of the whole. */
const OF_ALL = 'all '

const overAll = (definition: AnyReport): string =>
  named(
    [{ name: 'rows', sql: `least(count(*) over (), ${COUNT_LIMIT})::int` }, ...totalsOf(definition, 'over ()')],
    OF_ALL,
  )

type Read = { readonly list: readonly Row[]; readonly whole: Row }

/** Rows that each say the whole, and the whole; without any, all sums are empty. */
function withWhole(definition: AnyReport, rows: readonly Row[]): Read {
  const names = ['rows', ...totalsOf(definition).map(({ name }) => name)]
  const written = names.map(name => OF_ALL + name)
  const [first = { [`${OF_ALL}rows`]: 0 }] = rows
  return {
    list: rows.map(row => without(row, written)),
    whole: Object.fromEntries(names.map((name, at) => [name, first[written[at]!] ?? null])),
  }
}

/** The rows of a page, and the whole with the number of rows. */
export async function readPage(tx: Tx, definition: AnyReport, asked: Asked): Promise<Read> {
  const { groups, shown, given, size, order } = asked
  const page = [size, (asked.page - 1) * size]
  const analysed = definition.analysis ? pageWithWhole(definition, { groups, shown, values: given }) : null
  if (analysed) return analysed.read(await tx.unsafe<Row[]>(analysed.text(order), [...analysed.values, ...page]))
  const { rows: text, values, totals, totalValues } = statementsFor(definition, asked)
  const paged = (of: string) =>
    tx.unsafe<Row[]>(`${ordered(of, order)} limit $${values.length + 1} offset $${values.length + 2}`, [
      ...values,
      ...page,
    ])
  if (!definition.leanSums && !definition.analysis && groups.length === 0) {
    const list = await paged(`select r.*, ${overAll(definition)} from (${text}) r`)
    // Beyond the last page nothing stands that could say the whole.
    if (list.length > 0 || asked.page === 1) return withWhole(definition, list)
  }
  const [list, [whole = { rows: 0 }]] = await Promise.all([paged(text), tx.unsafe<Row[]>(totals, [...totalValues])])
  return { list, whole }
}
