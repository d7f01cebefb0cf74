import { lotForm } from '#kernel/values/lot-no.ts'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { parseValue } from '#kernel/rules/parse-fields.ts'
import { importColumns, itemColumns, settledColumns, type SheetField } from '#server/documents/import/columns.ts'
import { itemFinder, type NamedGoods, loadItems } from '#server/documents/import/find-items.ts'
import { ImportFailed, type SheetProblem } from '#server/records/import-failed.ts'
import type { Session } from '#server/access/session.ts'
import { type Keys, resolveName, type Named, resolveNames } from '#server/sheets/resolve-names.ts'
import { withKnownLots } from '#server/ledger/known-lots.ts'
import type { Sheet, SheetRow } from '#server/sheets/sheet.ts'
import { legibleRows, readCell } from '#server/sheets/cell-values.ts'
import type { Tx } from '#server/database/transaction.ts'

/** A line of the sheet in wire names, with its row number. */
export type SheetLine = { readonly row: number; readonly values: Readonly<Record<string, unknown>> }
export type SheetLines = { readonly lines: readonly SheetLine[]; readonly problems: readonly SheetProblem[] }

const UNIT = 'unit_inner_sn'

/** Reads a workbook as lines of a kind. Errors are reported by row and column; only error-free lines are returned. */
export async function readImportLines(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  { headings, rows: written }: Sheet,
): Promise<SheetLines> {
  const fields = [...importColumns(session, definition), ...settledColumns(session, definition)]
  const titles = new Set(fields.map(field => field.title))
  const unknown = headings.filter(heading => !titles.has(heading))
  if (unknown.length > 0) throw new ImportFailed(unknown.map(column => ({ row: 1, column, msg: '模板里没有这一列' })))
  if (written.length === 0) throw new ImportFailed([{ row: 2, column: '', msg: '没有可导入的数据' }])
  const { rows, problems: illegible } = legibleRows(written, new Map(fields.map(each => [each.title, each.field])))
  const finder = itemFinder(await loadItems(tx, session, rows))
  const named = new Map(
    fields.flatMap(({ title, name, field }) => (name && field ? [[title, { name, field } satisfies Named]] : [])),
  )
  named.delete(fields.find(field => field.name === UNIT)?.title ?? '')
  const keys = await resolveNames(tx, session, named, rows)
  const problems = [...illegible]
  const lines = rows.flatMap(row => {
    const before = problems.length
    const values = readRow(row, fields, finder, keys, problems)
    return problems.length === before ? [{ row: row.number, values }] : []
  })
  const known = await withKnownLots(
    tx,
    lines.map(line => line.values),
  )
  return { lines: lines.map(({ row }, at) => ({ row, values: known[at]! })), problems }
}

function readRow(
  row: SheetRow,
  fields: readonly SheetField[],
  finder: ReturnType<typeof itemFinder>,
  keys: Keys,
  problems: SheetProblem[],
): Readonly<Record<string, unknown>> {
  const problem = (column: string, msg: string) => void problems.push({ row: row.number, column, msg })
  const goods = fields.some(field => field.title === itemColumns.code) ? finder.find(row) : null
  if (goods && 'msg' in goods) problem(goods.column, goods.msg)
  const known = goods && 'specification_sn' in goods ? goods : null
  const values: Record<string, unknown> = known ? { ...givenByCode(known, fields) } : {}
  for (const { title, name, field, required } of fields) {
    if (name === null || field === null) continue
    const text = row.cells.get(title) ?? ''
    if (text === '') {
      if (required && (values[name] ?? null) === null) problem(title, `请填写【${title}】`)
      continue
    }
    if (field.as === 'ref') {
      const found = name === UNIT ? known && finder.unit(known.specification_sn, text) : resolveName(keys, name, text)
      if (found && 'msg' in found) problem(title, found.msg)
      else if (found) values[name] = found.id
      continue
    }
    const read = readCell(field, text, row.notes?.get(title))
    const parsed = 'msg' in read ? read : parseValue(field, read.value)
    if ('msg' in parsed) problem(title, parsed.msg)
    else values[name] = parsed.value
  }
  return values
}

/**
 * The values in the row's UDI besides the product: its pack, lot and dates. Values in columns of their own take
 * priority.
 */
function givenByCode(goods: NamedGoods, fields: readonly SheetField[]): Readonly<Record<string, unknown>> {
  const has = (name: string) => fields.some(field => field.name === name)
  const notified = {
    [UNIT]: goods.pack,
    lot_no: goods.read?.lot ? lotForm(goods.read.lot) : null,
    production_date: goods.read?.productionDate ?? null,
    expiry_date: goods.read?.expiryDate ?? null,
  }
  return {
    specification_sn: goods.specification_sn,
    ...Object.fromEntries(Object.entries(notified).filter(([name, value]) => value !== null && has(name))),
  }
}
