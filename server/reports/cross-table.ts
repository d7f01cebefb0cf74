import type { ParameterOrJSON } from 'postgres'
import { acrossName, crossed, MOST_ACROSS } from '#kernel/definition/analysis.ts'
import type { Fields, FieldSpec } from '#kernel/definition/field.ts'
import { type AnyReport, columnsWhenGrouped } from '#kernel/definition/report.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import type { ListExport } from '#server/exports/export-stream.ts'
import { reportHeading } from '#server/reports/report-heading.ts'
import { readableFields } from '#server/access/sensitive-fields.ts'
import { requirePermission, type Session } from '#server/access/session.ts'
import { mapped, textInBatches } from '#server/database/batches.ts'
import type { Tx } from '#server/database/transaction.ts'
import { acrossStatement, type AnalysisStatement, crossStatement } from '#server/reports/analysis-sql.ts'
import type { Asked } from '#server/reports/report-page.ts'
import { checkReferenceValues } from '#server/lists/asked-references.ts'
import { isKeptFrom, readable, readCall, type ReportPage } from '#server/reports/report.ts'
import { exportColumns } from '#server/sheets/export-columns.ts'

type Row = Readonly<Record<string, unknown>>
/** A column of a cross table: the value that stands there, in words. */
export type AcrossColumn = { readonly name: string; readonly label: string }
type CrossTable = {
  readonly asked: Asked
  readonly statement: AnalysisStatement
  readonly columns: readonly AcrossColumn[]
}

/** The dimension that stands across: one of the report's, which its rows are not grouped by as well. */
function dimensionOf(definition: AnyReport, session: Session, asked: Asked, across: unknown): string {
  const { analysis, groupBy = [], columns } = definition
  const name = String(across)
  const refuse = (msg: string) => new BusinessError('invalid', msg, [{ field: 'across', msg }])
  if (!analysis || crossed(analysis) === null) throw refuse(`${definition.title}没有交叉表`)
  if (!groupBy.includes(name) || isKeptFrom(definition, session, name))
    throw refuse(`${definition.title}不能按【${columns[name]?.label ?? name}】交叉`)
  if (asked.groups.includes(name)) throw refuse('交叉表的维度不能与统计维度相同')
  return name
}

/** A value as it stands above its column. */
function labelOf(field: FieldSpec | undefined, value: string | null): string {
  if (value === null) return '未分类'
  return field?.choices?.[value] ?? value
}

/** Reads the values across first: those of the greatest weight, and one column for the others. */
async function crossTable(tx: Tx, session: Session, definition: AnyReport, raw: Row, forExport: boolean) {
  const asked = readCall(definition, session, raw, forExport)
  await checkReferenceValues(tx, session, definition.parameters, asked.given)
  const dimension = dimensionOf(definition, session, asked, raw.across)
  const request = { groups: asked.groups, shown: asked.shown, values: asked.given }
  const listed = acrossStatement(definition, request, dimension, MOST_ACROSS + 1)
  const found = await tx.unsafe<{ value: string | null }[]>(listed.text, listed.values as ParameterOrJSON<never>[])
  const values = found.slice(0, MOST_ACROSS).map(row => (row.value === null ? null : String(row.value)))
  const field = definition.columns[dimension]
  const columns = values.map((value, at) => ({ name: acrossName(at), label: labelOf(field, value) }))
  return {
    asked,
    statement: crossStatement(definition, request, { dimension, values }),
    columns: found.length > MOST_ACROSS ? [...columns, { name: acrossName(values.length), label: '其他' }] : columns,
  } satisfies CrossTable
}

/** A page of a cross table: its rows, the columns that stand across, and the totals of each. */
export async function runCross(
  tx: Tx,
  session: Session,
  definition: AnyReport,
  raw: Row,
): Promise<ReportPage & { readonly info: { readonly across: readonly AcrossColumn[] } }> {
  const { asked, statement, columns } = await crossTable(tx, session, definition, raw, false)
  const { rows: text, values, totals, totalValues } = statement
  const [limit, offset] = [values.length + 1, values.length + 2]
  const list = await tx.unsafe<Row[]>(`select * from (${text}) rows limit $${limit} offset $${offset}`, [
    ...values,
    asked.size,
    (asked.page - 1) * asked.size,
  ])
  const [whole] = await tx.unsafe<Row[]>(totals, [...totalValues])
  const { rows, ...summary } = whole ?? { rows: 0 }
  const notified = priced(definition, session, columns)
  return {
    list: list.map(notified),
    total: parseInteger(rows),
    page_num: asked.page,
    page_size: asked.size,
    summary: notified(summary),
    info: { across: columns },
  }
}

/** Figures across are of the measure's kind: who may not know prices does not read them. */
function priced(definition: AnyReport, session: Session, columns: readonly AcrossColumn[]): (row: Row) => Row {
  const main = definition.analysis!.main
  const isSeen = main in readableFields(session, { [main]: definition.columns[main]! })
  return readable(definition, session, { more: isSeen ? columns.map(({ name }) => name) : [] })
}

/** The cross table as a workbook. */
export async function exportCross(tx: Tx, session: Session, definition: AnyReport, raw: Row): Promise<ListExport> {
  requirePermission(session, `${definition.kind}.export`)
  const { asked, statement, columns } = await crossTable(tx, session, definition, raw, true)
  const main = definition.analysis!.main
  const measure = definition.columns[main]!
  const stand = columnsWhenGrouped(definition, asked.groups).filter(name => !(name in definition.analysis!.measures))
  const fields: Fields = Object.fromEntries([
    ...stand.filter(name => !isKeptFrom(definition, session, name)).map(name => [name, definition.columns[name]!]),
    ...columns.map(({ name, label }) => [name, { ...measure, label }]),
    [main, { ...measure, label: `${measure.label}合计` }],
  ])
  const notified = priced(definition, session, columns)
  return {
    title: `${definition.title}交叉表`,
    subject: definition.kind,
    path: `/v1/report/${definition.kind}/export`,
    heading: inner => reportHeading(inner, session, definition, raw),
    query: raw,
    columns: exportColumns(readableFields(session, fields)),
    count: async inner => {
      const [counted] = await inner.unsafe<{ rows: number }[]>(
        `select count(*)::int as rows from (${statement.rows}) rows`,
        [...statement.values],
      )
      return counted!.rows
    },
    batches: (inner, size) => mapped(textInBatches<Row>(inner, statement.rows, [...statement.values], size), notified),
  }
}
