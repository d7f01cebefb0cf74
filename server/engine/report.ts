import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { FastifyReply } from 'fastify'
import type { ParameterOrJSON, Sql } from 'postgres'
import { compactDay, today } from '#kernel/day.ts'
import type { AnyReport } from '#kernel/report.ts'
import { Refusal } from '#kernel/refusal.ts'
import { parseFields } from '#kernel/parse.ts'
import { carriedOut } from '#server/engine/log.ts'
import { handedOver, sendWorkbook } from '#server/engine/records/export.ts'
import { countedTo, readListQuery } from '#server/engine/query.ts'
import { exportColumns } from '#server/engine/sheet-columns.ts'
import { hidePrices, readableFields, refusePriceQuery } from '#server/engine/prices.ts'
import { scopeParameters } from '#server/engine/scope.ts'
import { mustBeAllowed, mustMayOpen, type Session } from '#server/engine/session.ts'
import { inOrg, type Tx } from '#server/engine/transaction.ts'
import { streamWorkbook } from '#server/engine/xlsx.ts'

const MODULES = path.resolve(import.meta.dirname, '..', '..', 'modules')
const texts = new Map<string, string>()

type Row = Readonly<Record<string, unknown>>
export type ReportPage = {
  list: readonly Row[]
  total: number
  page_num: number
  page_size: number
  summary: Row
  info: { drill: Row }
}

/** The statement of a report. $1 is the organisation, then come the parameters in the definition's order. */
function textOf(definition: AnyReport): string {
  const before = texts.get(definition.kind)
  if (before !== undefined) return before
  const source = readFileSync(path.join(MODULES, definition.source), 'utf8').trim().replace(/;$/, '')
  const text = withScope(definition, withFills(definition, source))
  texts.set(definition.kind, text)
  return text
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
 * session sees. Both parameters stand after the report's own, used or not.
 */
export function withScope(definition: AnyReport, text: string): string {
  const own = Object.keys(definition.params).length + 1
  const bound = (place: number) => (_: string, column: string) =>
    `($${place}::bigint[] is null or ${column} is null or ${column} = any($${place}::bigint[]))`
  const scoped = text
    .replace(/\{stores:([a-z_.]+)\}/g, bound(own + 1))
    .replace(/\{departments:([a-z_.]+)\}/g, bound(own + 2))
  return `select rows.* from (${scoped}) rows, (select $${own + 1}::bigint[], $${own + 2}::bigint[]) scope`
}

type Asked = {
  readonly values: readonly unknown[]
  readonly size: number
  readonly page: number
  readonly order: string
}

/** Reads the call: paging and order beside the report's own parameters; a required one that is missing is asked for. */
function readCall(definition: AnyReport, session: Session, raw: Row): Asked {
  if (!definition.screens.some(screen => screen.orgs.includes(session.org.type))) throw new Refusal('forbidden')
  mustMayOpen(session, definition)
  const { pageNum, pageSize, sort, ...given } = raw
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
  const order = paging.order
    .filter(term => term.name !== '')
    .map(term => `"${term.name}" ${term.descending ? 'desc' : 'asc'} nulls last`)
  return {
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

/** A page of a report, its number of rows, and its totals over the whole. */
export async function runReport(tx: Tx, session: Session, definition: AnyReport, raw: Row): Promise<ReportPage> {
  const asked = readCall(definition, session, raw)
  const text = textOf(definition)
  const [limit, offset] = [asked.values.length + 1, asked.values.length + 2]
  const totals = (definition.totals ?? []).map(name => `, sum("${name}") as "${name}"`).join('')
  const values = asked.values as ParameterOrJSON<never>[]
  const [list, [whole]] = await Promise.all([
    tx.unsafe<Row[]>(`select * from (${text}) rows ${asked.order} limit $${limit} offset $${offset}`, [
      ...values,
      asked.size,
      (asked.page - 1) * asked.size,
    ]),
    tx.unsafe<Row[]>(`select least(count(*), ${countedTo})::int as rows${totals} from (${text}) rows`, values),
  ])
  const { rows, ...summary } = whole ?? { rows: 0 }
  return hidePrices(session, definition.kind, {
    list: [...list],
    total: Number(rows),
    page_num: asked.page,
    page_size: asked.size,
    summary,
    info: { drill: definition.drill ?? {} },
  })
}

/** The whole report as a workbook. */
export async function exportReport(
  sql: Sql,
  session: Session,
  definition: AnyReport,
  raw: Row,
  reply: FastifyReply,
): Promise<FastifyReply> {
  mustBeAllowed(session, `${definition.kind}.export`)
  const asked = readCall(definition, session, raw)
  const columns = exportColumns(readableFields(session, definition.columns))
  const batches = handedOver<readonly Row[]>(take =>
    inOrg(sql, session.org.id, session.userId, async tx => {
      for await (const batch of tx
        .unsafe<Row[]>(`select * from (${textOf(definition)}) rows ${asked.order}`, [
          ...asked.values,
        ] as ParameterOrJSON<never>[])
        .cursor(1000))
        await take(batch)
    }),
  )
  const cells = (async function* () {
    for await (const batch of carriedOut(
      sql,
      session,
      { subject: definition.kind, query: raw, path: `/v1/report/${definition.kind}/export` },
      batches,
    ))
      yield batch.map(row => columns.map(column => column.cell(row)))
  })()
  return sendWorkbook(
    reply,
    `${definition.title}${compactDay(today())}`,
    streamWorkbook(definition.title, columns, cells),
  )
}
