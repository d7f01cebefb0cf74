import type { ParameterOrJSON } from 'postgres'
import type { Fields } from '#kernel/definition/field.ts'
import type { OrgType } from '#kernel/values/organisation-type.ts'
import { type AnyReport, columnsThatStand, columnsWhenGrouped, groupsIn } from '#kernel/definition/report.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { parseFields } from '#kernel/values/parse-fields.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import type { ListExport } from '#server/exports/export-stream.ts'
import { reportHeading } from '#server/exports/report-heading.ts'
import { COUNT_LIMIT, parseListQuery } from '#server/lists/query.ts'
import { exportColumns } from '#server/sheets/export-columns.ts'
import { hidePrices, readableFields, checkPriceQuery, withoutProfit } from '#server/access/sensitive-fields.ts'
import { visibleTo } from '#server/access/data-scope.ts'
import { textInBatches } from '#server/database/batches.ts'
import type { Tx } from '#server/database/transaction.ts'
import { requirePermission, requirePageAccess, type Session } from '#server/access/session.ts'
import { type EngineValues, statementOf } from '#server/reports/report-sql.ts'

type Row = Readonly<Record<string, unknown>>
export type ReportPage = {
  list: readonly Row[]
  total: number
  page_num: number
  page_size: number
  summary: Row
}

type Asked = {
  readonly groups: readonly string[]
  readonly values: readonly ParameterOrJSON<never>[]
  /** The columns that are shown. */
  readonly shown: readonly string[]
  readonly size: number
  readonly page: number
  readonly order: string
}

/** Parses the call: paging and order beside the report's own parameters; a missing required one is reported. */
function readCall(definition: AnyReport, session: Session, raw: Row, forExport: boolean): Asked {
  if (!definition.screens.some(screen => screen.orgs.includes(session.org.type))) throw new BusinessError('forbidden')
  requirePageAccess(session, definition)
  const { pageNum, pageSize, sort, group_by, ...given } = raw
  const groups = groupsOf(definition, group_by)
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
    values: boundValues(definition, session, values),
    size: paging.size,
    page: paging.page ?? 1,
    order: order.length > 0 ? `order by ${order.join(', ')}` : '',
  }
}

/**
 * What is bound to the parameters of a report's statement, in their order; how fine its rows are does not change
 * them.
 */
function boundValues(definition: AnyReport, session: Session, given: Row): readonly ParameterOrJSON<never>[] {
  const values: Row = { ...given, organisation: session.org.id, ...visibleTo(session) } satisfies EngineValues
  return statementOf(definition).names.map(name => (values[name] ?? null) as ParameterOrJSON<never>)
}

function groupsOf(definition: AnyReport, asked: unknown): readonly string[] {
  const groups = groupsIn(asked)
  const outsider = groups.find(name => !(definition.groupBy as readonly string[] | undefined)?.includes(name))
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

/** Its sums over all rows, with the unit in which all of them are counted: without one, pieces have no sum. */
function totalsOf(definition: AnyReport): string {
  const sums = (definition.totals ?? []).map(name => `, sum("${name}") as "${name}"`)
  const countsPieces = definition.totals?.some(name => definition.columns[name]?.as === 'quantity') === true
  if (!countsPieces || definition.columns.unit_name === undefined) return sums.join('')
  return `${sums.join('')}, case when min(unit_name) = max(unit_name) and count(unit_name) = count(*)
    then min(unit_name) end as unit_name`
}

/** A page of a report, its number of rows, and its totals over the whole. */
export async function runReport(tx: Tx, session: Session, definition: AnyReport, raw: Row): Promise<ReportPage> {
  const asked = readCall(definition, session, raw, false)
  const rowsText = statementOf(definition).text
  const text = grouped(definition, statementOf(definition, asked.groups).text, asked.groups)
  const [limit, offset] = [asked.values.length + 1, asked.values.length + 2]
  const totals = totalsOf(definition)
  const values = [...asked.values]
  const [list, [whole]] = await Promise.all([
    tx.unsafe<Row[]>(`select * from (${text}) rows ${asked.order} limit $${limit} offset $${offset}`, [
      ...values,
      asked.size,
      (asked.page - 1) * asked.size,
    ]),
    tx.unsafe<Row[]>(
      asked.groups.length === 0
        ? `select least(count(*), ${COUNT_LIMIT})::int as rows${totals} from (${text}) rows`
        : `select (select count(*) from (${text}) counted)::int as rows${totals} from (${rowsText}) rows`,
      values,
    ),
  ])
  const { rows, ...summary } = whole ?? { rows: 0 }
  const notified = withoutProfit(session, definition.columns)
  return hidePrices(session, definition.kind, {
    list: list.map(notified),
    total: parseInteger(rows),
    page_num: asked.page,
    page_size: asked.size,
    summary: notified(summary),
  })
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
  const text = grouped(definition, statementOf(definition, asked.groups).text, asked.groups)
  const own = columnsOf(definition, session.org.type)
  const values = [...asked.values]
  return {
    title: definition.title,
    subject: definition.kind,
    path: `/v1/report/${definition.kind}/export`,
    heading: tx => reportHeading(tx, session, definition, raw),
    query: raw,
    columns: exportColumns(
      readableFields(session, Object.fromEntries(asked.shown.flatMap(name => (own[name] ? [[name, own[name]]] : [])))),
    ),
    count: async tx => {
      const [counted] = await tx.unsafe<{ rows: number }[]>(
        `select least(count(*), ${COUNT_LIMIT})::int as rows from (${text}) rows`,
        values,
      )
      return counted!.rows
    },
    batches: (tx, size) => textInBatches<Row>(tx, `select * from (${text}) rows ${asked.order}`, values, size),
  }
}
