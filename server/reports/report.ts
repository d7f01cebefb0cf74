import type { ParameterOrJSON } from 'postgres'
import type { FieldSpec, Fields } from '#kernel/definition/field.ts'
import type { OrgType } from '#kernel/values/organisation-type.ts'
import {
  type AnyReport,
  columnsThatStand,
  columnsWhenGrouped,
  groupsAsked,
  ROW_KEY,
} from '#kernel/definition/report.ts'
import { PERIOD } from '#kernel/definition/analysis.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { parseFields } from '#kernel/values/parse-fields.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { without } from '#kernel/values/without.ts'
import type { ListExport } from '#server/exports/export-stream.ts'
import { reportHeading } from '#server/exports/report-heading.ts'
import { COUNT_LIMIT, parseListQuery } from '#server/lists/query.ts'
import { exportColumns } from '#server/sheets/export-columns.ts'
import { hidePrices, readableFields, checkPriceQuery, withoutProfit } from '#server/access/sensitive-fields.ts'
import { visibleTo } from '#server/access/data-scope.ts'
import { mapped, textInBatches } from '#server/database/batches.ts'
import type { Tx } from '#server/database/transaction.ts'
import { maskPatient, maySeePatients } from '#server/access/patient-data.ts'
import { may, requirePermission, requirePageAccess, type Session } from '#server/access/session.ts'
import { analysisStatement, pageWithWhole } from '#server/reports/analysis-sql.ts'
import { type EngineValues, statementOf } from '#server/reports/report-sql.ts'

type Row = Readonly<Record<string, unknown>>
export type ReportPage = {
  list: readonly Row[]
  total: number
  page_num: number
  page_size: number
  summary: Row
}

/** What a call asks of a report, parsed and permitted. */
export type Asked = {
  readonly groups: readonly string[]
  /** What was asked, with what the engine knows: by the names that statements read. */
  readonly given: Row
  /** The columns that are shown. */
  readonly shown: readonly string[]
  readonly size: number
  readonly page: number
  /** The columns by which it is ordered, as SQL; empty where nothing else is asked for. */
  readonly order: string
}

/** Parses the call: paging and order beside the report's own parameters; a missing required one is reported. */
export function readCall(definition: AnyReport, session: Session, raw: Row, forExport: boolean): Asked {
  if (!definition.screens.some(screen => screen.orgs.includes(session.org.type))) throw new BusinessError('forbidden')
  requirePageAccess(session, definition)
  const { pageNum, pageSize, sort, group_by, across: _across, ...given } = raw
  const groups = groupsOf(definition, session, group_by)
  const paging = parseListQuery(
    { columns: definition.columns, parameters: {}, defaultOrder: '' },
    Object.fromEntries(
      Object.entries({ pageNum, pageSize, sort }).filter(([, value]) => value !== undefined && value !== ''),
    ),
  )
  checkPriceQuery(session, paging, definition.columns)
  const { values, problems } = parseFields(definition.parameters, given)
  const missing = Object.entries(definition.parameters)
    .filter(([name, field]) => field.required && (values[name] ?? null) === null)
    .map(([name, field]) => ({ field: name, msg: `请选择${field.label}` }))
  if (problems.length + missing.length > 0) throw new BusinessError('invalid', undefined, [...problems, ...missing])
  const refused = definition.validate?.(values, forExport)
  if (refused) throw new BusinessError('invalid', refused, [{ field: '', msg: refused }])
  const order = paging.order
    .filter(
      term => term.name !== '' && (groups.length === 0 || columnsWhenGrouped(definition, groups).includes(term.name)),
    )
    .map(term => `"${term.name}" ${term.descending ? 'desc' : 'asc'} nulls last`)
  return {
    groups,
    shown: columnsThatStand(definition, groups, values),
    given: {
      ...without(values, unheard(definition, session)),
      organisation: session.org.id,
      ...visibleTo(session),
    } satisfies EngineValues,
    size: paging.size,
    page: paging.page ?? 1,
    order: order.join(', '),
  }
}

/** Filters on what this user does not see are not heard: what they narrow would tell it. */
const unheard = (definition: AnyReport, session: Session): readonly string[] =>
  Object.entries(definition.parameters)
    .filter(([, field]) => !isForOrg(field, session) || (field.masked === true && !maySeePatients(session)))
    .map(([name]) => name)

const isForOrg = ({ orgs }: FieldSpec, session: Session): boolean => orgs?.includes(session.org.type) ?? true

/** The statements of a call: its rows, and their number beside their totals, each with what is bound to it. */
type Statements = {
  readonly rows: string
  readonly values: readonly ParameterOrJSON<never>[]
  readonly totals: string
  readonly totalValues: readonly ParameterOrJSON<never>[]
}

function statementsFor(definition: AnyReport, { groups, shown, given }: Asked): Statements {
  if (definition.analysis) return analysisStatement(definition, { groups, shown, values: given })
  const { text: ungrouped, names } = statementOf(definition)
  const values = names.map(name => (given[name] ?? null) as ParameterOrJSON<never>)
  const rows = grouped(definition, statementOf(definition, groups).text, groups)
  const counted = groups.length === 0 ? `least(count(*), ${COUNT_LIMIT})` : `(select count(*) from (${rows}) counted)`
  const totals = named([{ name: 'rows', sql: `${counted}::int` }, ...totalsOf(definition)])
  return {
    rows,
    values,
    totals: `select ${totals} from (${ungrouped}) rows`,
    totalValues: values,
  }
}

const ordered = (text: string, order: string): string =>
  `select * from (${text}) rows ${order === '' ? '' : `order by ${order}`}`

function groupsOf(definition: AnyReport, session: Session, asked: unknown): readonly string[] {
  const offered = (definition.groupBy ?? []).filter(name => !isKeptFrom(definition, session, name))
  const groups = groupsAsked(definition, asked).filter(
    name => offered.includes(name) || definition.analysis?.standard.includes(name) !== true,
  )
  const outsider = groups.find(name => !offered.includes(name))
  if (outsider === undefined) return groups
  const label = definition.columns[outsider]?.label ?? outsider
  throw new BusinessError('invalid', undefined, [
    { field: 'group_by', msg: `${definition.title}不能按【${label}】分组` },
  ])
}

/** The rows of a report summed by some of its columns, by one statement over them: they match the rows to the cent. */
function grouped(definition: AnyReport, text: string, groups: readonly string[]): string {
  if (groups.length === 0) return text
  const by = groups.map(name => `"${name}"`).join(', ')
  const ratios = definition.ratios ?? {}
  const sums = columnsWhenGrouped(definition, groups)
    .slice(groups.length)
    .map(name => {
      const [of, divisor] = ratios[name] ?? []
      return of ? `round(sum("${of}") / nullif(sum("${divisor}"), 0), 4) as "${name}"` : `sum("${name}") as "${name}"`
    })
  return `select ${[by, ...sums].join(', ')} from (${text}) ungrouped group by ${by} order by ${by}`
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

/** Rows that each say the whole, and the whole. */
function withWhole(rows: readonly Row[]): Read {
  const whole = Object.entries(rows[0]!).filter(([name]) => name.startsWith(OF_ALL))
  const names = whole.map(([name]) => name)
  return {
    list: rows.map(row => without(row, names)),
    whole: Object.fromEntries(whole.map(([name, value]) => [name.slice(OF_ALL.length), value])),
  }
}

type Read = { readonly list: readonly Row[]; readonly whole: Row }

/** The rows of a page, and the whole with the number of rows: an analysis reads both at once where they are alike. */
async function readPage(tx: Tx, definition: AnyReport, asked: Asked): Promise<Read> {
  const { groups, shown, given, size, order } = asked
  const page = [size, (asked.page - 1) * size]
  const atOnce = definition.analysis ? pageWithWhole(definition, { groups, shown, values: given }) : null
  if (atOnce) return atOnce.read(await tx.unsafe<Row[]>(atOnce.text(order), [...atOnce.values, ...page]))
  const { rows: text, values, totals, totalValues } = statementsFor(definition, asked)
  const [limit, offset] = [values.length + 1, values.length + 2]
  if ((definition.readOnce || process.env.ZZ) && !definition.analysis && groups.length === 0) {
    const once = `select r.*, ${overAll(definition)} from (${text}) r`
    const rows = await tx.unsafe<Row[]>(`${ordered(once, order)} limit $${limit} offset $${offset}`, [
      ...values,
      ...page,
    ])
    // Beyond the last page nothing stands that could say the whole.
    if (rows.length > 0) return withWhole(rows)
  }
  const [list, [whole = { rows: 0 }]] = await Promise.all([
    tx.unsafe<Row[]>(`${ordered(text, order)} limit $${limit} offset $${offset}`, [...values, ...page]),
    tx.unsafe<Row[]>(totals, [...totalValues]),
  ])
  return { list, whole }
}

/** A page of a report, its number of rows, and its totals over the whole. */
export async function runReport(tx: Tx, session: Session, definition: AnyReport, raw: Row): Promise<ReportPage> {
  const asked = readCall(definition, session, raw, false)
  const { list, whole } = await readPage(tx, definition, asked)
  const { rows, ...summary } = whole
  const notified = readable(definition, session)
  const asks = keysAsked(definition, asked)
  return hidePrices(session, definition.kind, {
    list: list.map(row => notified({ ...asks, ...row })),
    total: parseInteger(rows),
    page_num: asked.page,
    page_size: asked.size,
    summary: notified(summary),
  })
}

/**
 * Rows of a report by their keys, under the parameters of whoever names them, as he reads them. Keys that are no rows
 * are refused: what stood there has changed.
 */
export async function namedRows(
  tx: Tx,
  session: Session,
  definition: AnyReport,
  { query, keys }: { readonly query: Row; readonly keys: readonly string[] },
): Promise<readonly Row[]> {
  const { group_by: _ungrouped, pageNum: _page, pageSize: _size, sort: _sort, ...parameters } = query
  const { rows: text, values } = statementsFor(definition, readCall(definition, session, parameters, true))
  const rows = await tx.unsafe<Row[]>(
    `select * from (${text}) rows where ${ROW_KEY} = any($${values.length + 1}::text[])`,
    [...values, [...keys]],
  )
  if (rows.length < keys.length) throw new BusinessError('notFound', '所选的行已有变化，请刷新后重新勾选')
  return rows.map(readable(definition, session))
}

/** What narrows the rows behind a figure of an analysis where its groups do not: what the reader asked for himself. */
const keysAsked = ({ analysis }: AnyReport, { given }: Asked): Row =>
  Object.fromEntries(
    Object.values(analysis?.dimensions ?? {}).flatMap(({ key }) => (key ? [[key[1], given[key[0]] ?? null]] : [])),
  )

/** A row as this user reads it: without what is kept from him, patients masked unless he may see them. */
export function readable(definition: AnyReport, session: Session): (row: Row) => Row {
  const withProfit = withoutProfit(session, definition.columns)
  const kept = keptFrom(definition, session)
  const masked = maySeePatients(session)
    ? []
    : Object.keys(definition.columns).filter(name => definition.columns[name]!.masked === true)
  const hide = (row: Row): Row => withProfit(kept.length === 0 ? row : without(row, kept))
  const mask = (row: Row): Row =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, masked.includes(name) ? maskPatient(value) : value]),
    )
  return masked.length === 0 ? hide : row => mask(hide(row))
}

/** Columns that this user's organisation or rights do not have: they are in no answer, whatever a statement yields. */
const keptFrom = (definition: AnyReport, session: Session): readonly string[] =>
  Object.keys(definition.columns).filter(name => isKeptFrom(definition, session, name))

/** Whether a column is kept from this user: by his organisation, or because it is a right of its own. */
export function isKeptFrom(definition: AnyReport, session: Session, name: string): boolean {
  if (name === PERIOD) return false
  if (!(name in columnsOf(definition, session.org.type)) || !isForOrg(definition.columns[name]!, session)) return true
  const right = definition.analysis?.dimensions[name]?.right
  return right !== undefined && !may(session, `${definition.kind}.${right}`)
}

/** The columns that apply to an organisation of this type. */
function columnsOf(definition: AnyReport, type: OrgType): Fields {
  const without = definition.screens.find(screen => screen.orgs.includes(type))?.without?.[type] ?? []
  return Object.fromEntries(Object.entries(definition.columns).filter(([name]) => !without.includes(name)))
}

/** Exports the whole report. */
export function exportReport(session: Session, definition: AnyReport, raw: Row): ListExport {
  requirePermission(session, `${definition.kind}.export`)
  const asked = readCall(definition, session, raw, true)
  const { rows: text, values } = statementsFor(definition, asked)
  const kept = keptFrom(definition, session)
  return {
    title: definition.title,
    subject: definition.kind,
    path: `/v1/report/${definition.kind}/export`,
    heading: tx => reportHeading(tx, session, definition, raw),
    query: raw,
    columns: exportColumns(
      readableFields(
        session,
        Object.fromEntries(
          asked.shown.flatMap(name => (kept.includes(name) ? [] : [[name, definition.columns[name]!]])),
        ),
      ),
    ),
    count: async tx => {
      const [counted] = await tx.unsafe<{ rows: number }[]>(
        `select least(count(*), ${COUNT_LIMIT})::int as rows from (${text}) rows`,
        [...values],
      )
      return counted!.rows
    },
    batches: (tx, size) =>
      mapped(textInBatches<Row>(tx, ordered(text, asked.order), [...values], size), readable(definition, session)),
  }
}
