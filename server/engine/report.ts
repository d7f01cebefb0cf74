import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { ParameterOrJSON } from 'postgres'
import type { Fields } from '#kernel/field.ts'
import type { OrgType } from '#kernel/organisation.ts'
import { type AnyReport, columnsThatStand, columnsWhenGrouped, groupsIn } from '#kernel/report.ts'
import { Refusal } from '#kernel/refusal.ts'
import { parseFields } from '#kernel/parse.ts'
import { parseInteger } from '#kernel/integer.ts'
import type { CarryOut } from '#server/engine/exports/carry-out.ts'
import { reportHeading } from '#server/engine/exports/report-heading.ts'
import { countedTo, readListQuery } from '#server/engine/query.ts'
import { exportColumns } from '#server/engine/sheet-columns.ts'
import { hidePrices, readableFields, refusePriceQuery, withoutProfit } from '#server/engine/prices.ts'
import { scopeParameters } from '#server/engine/scope.ts'
import type { Tx } from '#server/engine/transaction.ts'
import { mustBeAllowed, mustMayOpen, type Session } from '#server/engine/session.ts'

const MODULES = path.resolve(import.meta.dirname, '..', '..', 'modules')
const texts = new Map<string, string>()

type Row = Readonly<Record<string, unknown>>
export type ReportPage = {
  list: readonly Row[]
  total: number
  page_num: number
  page_size: number
  summary: Row
}

/**
 * The statement of a report, as fine as its groups ask. $1 is the organisation, then come the parameters in the definition's order.
 */
function textOf(definition: AnyReport, groups: readonly string[]): string {
  const finer = ((definition.finer ?? []) as readonly string[]).filter(name => groups.includes(name))
  const key = [definition.kind, ...finer].join(' ')
  const before = texts.get(key)
  if (before !== undefined) return before
  const text = withScope(definition, withFills(definition, withGrain(withShared(definition.source), finer)))
  texts.set(key, text)
  return text
}

/** `{by:month}` in a statement says whether its rows are to be told apart by the month. */
const withGrain = (text: string, finer: readonly string[]): string =>
  text.replace(/\{by:([a-z_]+)\}/g, (_, name: string) => String(finer.includes(name)))

/** A statement with the parts that it shares with others: `{@sold-lines}` is the file `sold-lines.sql` beside it. */
function withShared(source: string): string {
  const text = readFileSync(path.join(MODULES, source), 'utf8').trim().replace(/;$/, '')
  return text.replace(/\{@([a-z-]+)\}/g, (_, name: string) =>
    withShared(path.join(path.dirname(source), `${name}.sql`)),
  )
}

/** `{name}` in a statement that several reports share becomes what this definition says; one that it does not say is a defect. */
function withFills({ kind, fills = {} }: AnyReport, text: string): string {
  return text.replace(/\{([a-z_]+)\}/g, (_, name: string) => {
    const fill = fills[name]
    if (fill === undefined) throw new Error(`the report ${kind} does not say what {${name}} is`)
    return fill
  })
}

/**
 * `{stores:m.warehouse_id}` and `{departments:d.department_id}` in a statement become the conditions that bind it to what the
 * session sees, `{people:d.created_by,d.submitted_by}` to what its own person wrote, where it sees no others'. All three parameters
 * stand after the report's own, used or not. `{sizes:m.specification_id=$5}` narrows to a size and those that were mapped to it.
 */
export function withScope(definition: AnyReport, text: string): string {
  const own = Object.keys(definition.params).length + 1
  const bound = (place: number) => (_: string, column: string) =>
    `($${place}::bigint[] is null or ${column} is null or ${column} = any($${place}::bigint[]))`
  const scoped = text
    .replace(/\{stores:([a-z_.]+)\}/g, bound(own + 1))
    .replace(/\{departments:([a-z_.]+)\}/g, bound(own + 2))
    .replace(
      /\{sizes:([a-z_.]+)=(\$\d+)\}/g,
      '($2::bigint is null or $1 = any((select same_sizes($2::bigint))::bigint[]))',
    )
    .replace(
      /\{people:([a-z_.,]+)\}/g,
      (_, columns: string) => `($${own + 3}::bigint is null or $${own + 3} in (${columns}))`,
    )
  return `select rows.* from (${scoped}) rows, (select $${own + 1}::bigint[], $${own + 2}::bigint[], $${own + 3}::bigint) scope`
}

type Asked = {
  readonly groups: readonly string[]
  readonly values: readonly unknown[]
  /** What of the columns stands. */
  readonly shown: readonly string[]
  readonly size: number
  readonly page: number
  readonly order: string
}

/** Reads the call: paging and order beside the report's own parameters; a required one that is missing is asked for. */
function readCall(definition: AnyReport, session: Session, raw: Row, carried: boolean): Asked {
  if (!definition.screens.some(screen => screen.orgs.includes(session.org.type))) throw new Refusal('forbidden')
  mustMayOpen(session, definition)
  const { pageNum, pageSize, sort, group_by, ...given } = raw
  const groups = groupsOf(definition, group_by)
  const paging = readListQuery(
    { columns: definition.columns, parameters: {}, defaultOrder: '' },
    Object.fromEntries(
      Object.entries({ pageNum, pageSize, sort }).filter(([, value]) => value !== undefined && value !== ''),
    ),
  )
  refusePriceQuery(session, paging, definition.columns)
  const { values, problems } = parseFields(definition.params, given)
  const missing = Object.entries(definition.params)
    .filter(([name, field]) => field.required && (values[name] ?? null) === null)
    .map(([name, field]) => ({ field: name, msg: `请选择${field.label}` }))
  if (problems.length + missing.length > 0) throw new Refusal('invalid', undefined, [...problems, ...missing])
  const refused = definition.refuses?.(values, carried)
  if (refused) throw new Refusal('invalid', refused, [{ field: '', msg: refused }])
  const order = paging.order
    .filter(
      term => term.name !== '' && (groups.length === 0 || columnsWhenGrouped(definition, groups).includes(term.name)),
    )
    .map(term => `"${term.name}" ${term.descending ? 'desc' : 'asc'} nulls last`)
  return {
    groups,
    shown: columnsThatStand(definition, groups, values),
    values: [
      session.org.id,
      ...Object.keys(definition.params).map(name => values[name] ?? null),
      ...scopeParameters(session),
    ],
    size: paging.size,
    page: paging.page ?? 1,
    order: order.length > 0 ? `order by ${order.join(', ')}` : '',
  }
}

function groupsOf(definition: AnyReport, asked: unknown): readonly string[] {
  const groups = groupsIn(asked)
  const stranger = groups.find(name => !(definition.groups as readonly string[] | undefined)?.includes(name))
  if (stranger === undefined) return groups
  const label = definition.columns[stranger]?.label ?? stranger
  throw new Refusal('invalid', undefined, [{ field: 'group_by', msg: `${definition.title}不能按【${label}】分组` }])
}

/** The rows of a report summed by some of its columns, by one statement over them: they agree with the rows to the cent. */
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

/** A page of a report, its number of rows, and its totals over the whole. */
export async function runReport(tx: Tx, session: Session, definition: AnyReport, raw: Row): Promise<ReportPage> {
  const asked = readCall(definition, session, raw, false)
  const rowsText = textOf(definition, [])
  const text = grouped(definition, textOf(definition, asked.groups), asked.groups)
  const [limit, offset] = [asked.values.length + 1, asked.values.length + 2]
  const totals = (definition.totals ?? []).map(name => `, sum("${name}") as "${name}"`).join('')
  const values = asked.values as ParameterOrJSON<never>[]
  const [list, [whole]] = await Promise.all([
    tx.unsafe<Row[]>(`select * from (${text}) rows ${asked.order} limit $${limit} offset $${offset}`, [
      ...values,
      asked.size,
      (asked.page - 1) * asked.size,
    ]),
    tx.unsafe<Row[]>(
      asked.groups.length === 0
        ? `select least(count(*), ${countedTo})::int as rows${totals} from (${text}) rows`
        : `select (select count(*) from (${text}) counted)::int as rows${totals} from (${rowsText}) rows`,
      values,
    ),
  ])
  const { rows, ...summary } = whole ?? { rows: 0 }
  const told = withoutProfit(session, definition.columns)
  return hidePrices(session, definition.kind, {
    list: list.map(told),
    total: parseInteger(rows),
    page_num: asked.page,
    page_size: asked.size,
    summary: told(summary),
  })
}

/** The columns that mean something to an organisation of this type. */
function columnsOf(definition: AnyReport, type: OrgType): Fields {
  const without = definition.screens.find(screen => screen.orgs.includes(type))?.without?.[type] ?? []
  return Object.fromEntries(Object.entries(definition.columns).filter(([name]) => !without.includes(name)))
}

/** The whole report, as it leaves the house. */
export function reportCarriedOut(session: Session, definition: AnyReport, raw: Row): CarryOut {
  mustBeAllowed(session, `${definition.kind}.export`)
  const asked = readCall(definition, session, raw, true)
  const text = grouped(definition, textOf(definition, asked.groups), asked.groups)
  const own = columnsOf(definition, session.org.type)
  const values = [...asked.values] as ParameterOrJSON<never>[]
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
        `select least(count(*), ${countedTo})::int as rows from (${text}) rows`,
        values,
      )
      return counted!.rows
    },
    batches: tx => tx.unsafe<Row[]>(`select * from (${text}) rows ${asked.order}`, values).cursor(1000),
  }
}
