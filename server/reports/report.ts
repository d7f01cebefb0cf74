import type { FieldSpec, Fields } from '#kernel/definition/field.ts'
import type { OrgType } from '#kernel/values/organisation-type.ts'
import {
  type AnyReport,
  carried,
  columnField,
  columnsThatStand,
  columnsWhenGrouped,
  declared,
  groupsAsked,
  ROW_KEY,
} from '#kernel/definition/report.ts'
import { PERIOD } from '#kernel/definition/analysis.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { parseFields } from '#kernel/rules/parse-fields.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { without } from '#kernel/values/without.ts'
import type { ListExport } from '#server/exports/export-stream.ts'
import { reportHeading } from '#server/reports/report-heading.ts'
import { checkReferenceValues } from '#server/lists/asked-references.ts'
import { COUNT_LIMIT, parseListQuery } from '#server/lists/query.ts'
import { exportColumns } from '#server/sheets/export-columns.ts'
import { readableFields, checkPriceQuery, maySeeCosts, maySeeMoney } from '#server/access/sensitive-fields.ts'
import { isRestricted, WHOLE_ONLY } from '#server/access/data-scope.ts'
import { mapped, textInBatches } from '#server/database/batches.ts'
import type { Tx } from '#server/database/transaction.ts'
import { maskPatient, maySeePatients } from '#server/access/patient-data.ts'
import { may, requirePermission, requirePageAccess, type Session } from '#server/access/session.ts'
import { type Asked, ordered, readPage, statementsFor } from '#server/reports/report-page.ts'
import { engineValues } from '#server/reports/report-sql.ts'

type Row = Readonly<Record<string, unknown>>
export type ReportPage = {
  list: readonly Row[]
  total: number
  page_num: number
  page_size: number
  summary: Row
}

/** Parses the call: paging and order beside the report's own parameters; a missing required one is reported. */
export function readCall(definition: AnyReport, session: Session, raw: Row, forExport: boolean): Asked {
  if (!definition.screens.some(screen => screen.orgs.includes(session.org.type))) throw new BusinessError('forbidden')
  requirePageAccess(session, definition)
  if (definition.wholeOnly !== undefined && isRestricted(session))
    throw new BusinessError('forbidden', `${definition.title}${WHOLE_ONLY}`)
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
    given: { ...without(values, unheard(definition, session)), ...engineValues(session, maySeeCosts(session)) },
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

/** A page of a report, its number of rows, and its totals over the whole. */
export async function runReport(tx: Tx, session: Session, definition: AnyReport, raw: Row): Promise<ReportPage> {
  const asked = readCall(definition, session, raw, false)
  await checkReferenceValues(tx, session, definition.parameters, asked.given)
  const { list, whole } = await readPage(tx, definition, asked)
  const { rows, ...summary } = whole
  const notified = readable(definition, session)
  const asks = keysAsked(definition, asked)
  return {
    list: list.map(row => notified({ ...asks, ...row })),
    total: parseInteger(rows),
    page_num: asked.page,
    page_size: asked.size,
    summary: notified(summary),
  }
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
  return rows.map(readable(definition, session, { inside: true }))
}

/** The reader's own parameters, which narrow the rows behind a figure of an analysis where its groups do not. */
const keysAsked = ({ analysis }: AnyReport, { given }: Asked): Row =>
  Object.fromEntries(
    Object.values(analysis?.dimensions ?? {}).flatMap(({ key }) => (key ? [[key[1], given[key[0]] ?? null]] : [])),
  )

/**
 * A row as this user reads it: of its columns those that are declared, without what is kept from him, patients masked
 * unless he may see them. `more`: columns that a cross table made. Inside the server (`inside`) a call reads what no
 * page shows as well.
 */
export function readable(
  definition: AnyReport,
  session: Session,
  { more = [], inside = false }: { readonly more?: readonly string[]; readonly inside?: boolean } = {},
): (row: Row) => Row {
  const seesPatients = maySeePatients(session)
  const names = inside
    ? [...declared(definition)]
    : [...Object.keys(definition.columns), ...carried(definition), ...OF_PERIOD, ...more]
  const hidden = new Set(keptFrom(definition, session))
  const shown = new Map(
    names.flatMap(name => {
      const field = columnField(definition, name)
      if (hidden.has(name) || (field && !maySeeMoney(session, field))) return []
      return [[name, !seesPatients && field?.masked === true] as const]
    }),
  )
  return row =>
    Object.fromEntries(
      Object.entries(row).flatMap(([name, value]) => {
        const isMasked = shown.get(name)
        return isMasked === undefined ? [] : [[name, isMasked ? maskPatient(value) : value] as const]
      }),
    )
}

/** The columns with the days of a row of an analysis: the rows behind it are read with them. */
const OF_PERIOD = ['period_begin', 'period_end']

/** Columns that this user's organisation or rights do not have: they are in no answer, whatever a statement yields. */
const keptFrom = (definition: AnyReport, session: Session): readonly string[] =>
  Object.keys(definition.columns).filter(name => isKeptFrom(definition, session, name))

/** True if a column is withheld from this user: by the type of organisation, or because it needs a right of its own. */
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
      await checkReferenceValues(tx, session, definition.parameters, asked.given)
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
