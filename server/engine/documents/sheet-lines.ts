import type { AnyDocument } from '#kernel/document.ts'
import { parseValue } from '#kernel/parse.ts'
import { goodsColumns, type SheetField, sheetFields } from '#server/engine/documents/sheet-fields.ts'
import { goodsFinder, type NamedGoods, readGoods } from '#server/engine/documents/sheet-goods.ts'
import { ImportFailed, type SheetProblem } from '#server/engine/records/import-failed.ts'
import type { Session } from '#server/engine/session.ts'
import { type Keys, keyFor, type Named, resolveNames } from '#server/engine/sheet-names.ts'
import type { SheetRow } from '#server/engine/sheet-parse.ts'
import { readSheet } from '#server/engine/sheet-reader.ts'
import { sheetValue } from '#server/engine/sheet-values.ts'
import type { Tx } from '#server/engine/transaction.ts'

/** A line of the sheet in the names of the wire, and the row it stood in. */
export type SheetLine = { readonly row: number; readonly values: Readonly<Record<string, unknown>> }
export type SheetLines = { readonly lines: readonly SheetLine[]; readonly problems: readonly SheetProblem[] }

const UNIT = 'unit_inner_sn'

/** Reads a workbook as lines of a kind. What cannot be read is told by row and column; lines without fault come out whole. */
export async function readSheetLines(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  file: Buffer,
): Promise<SheetLines> {
  const { headings, rows } = await readSheet(file)
  const fields = sheetFields(session, definition)
  const titles = new Set(fields.map(field => field.title))
  const unknown = headings.filter(heading => !titles.has(heading))
  if (unknown.length > 0) throw new ImportFailed(unknown.map(column => ({ row: 1, column, msg: '模板里没有这一列' })))
  if (rows.length === 0) throw new ImportFailed([{ row: 2, column: '', msg: '没有可导入的数据' }])
  const finder = goodsFinder(await readGoods(tx, session, rows))
  const named = new Map(
    fields.flatMap(({ title, name, field }) => (name && field ? [[title, { name, field } satisfies Named]] : [])),
  )
  named.delete(fields.find(field => field.name === UNIT)?.title ?? '')
  const keys = await resolveNames(tx, session, named, rows)
  const problems: SheetProblem[] = []
  const lines = rows.flatMap(row => {
    const before = problems.length
    const values = readRow(row, fields, finder, keys, problems)
    return problems.length === before ? [{ row: row.number, values }] : []
  })
  return { lines, problems }
}

function readRow(
  row: SheetRow,
  fields: readonly SheetField[],
  finder: ReturnType<typeof goodsFinder>,
  keys: Keys,
  problems: SheetProblem[],
): Readonly<Record<string, unknown>> {
  const problem = (column: string, msg: string) => void problems.push({ row: row.number, column, msg })
  const goods = fields.some(field => field.title === goodsColumns.code) ? finder.find(row) : null
  if (goods && 'msg' in goods) problem(goods.column, goods.msg)
  const known = goods && 'specification_sn' in goods ? goods : null
  const values: Record<string, unknown> = known ? { ...toldByCode(known, fields) } : {}
  for (const { title, name, field, required } of fields) {
    if (name === null || field === null) continue
    const text = row.cells.get(title) ?? ''
    if (text === '') {
      if (required && (values[name] ?? null) === null) problem(title, `请填写【${title}】`)
      continue
    }
    if (field.as === 'ref') {
      const found = name === UNIT ? known && finder.unit(known.specification_sn, text) : keyFor(keys, name, text)
      if (found && 'msg' in found) problem(title, found.msg)
      else if (found) values[name] = found.id
      continue
    }
    const parsed = parseValue(field, sheetValue(field, text))
    if ('msg' in parsed) problem(title, parsed.msg)
    else values[name] = parsed.value
  }
  return values
}

/** What the row's UDI says beside the product: the pack it is on, lot and dates. What is written in their own columns wins. */
function toldByCode(goods: NamedGoods, fields: readonly SheetField[]): Readonly<Record<string, unknown>> {
  const has = (name: string) => fields.some(field => field.name === name)
  const told = {
    [UNIT]: goods.pack,
    lot_no: goods.read?.lot ?? null,
    production_date: goods.read?.productionDate ?? null,
    expiry_date: goods.read?.expiryDate ?? null,
  }
  return {
    specification_sn: goods.specification_sn,
    ...Object.fromEntries(Object.entries(told).filter(([name, value]) => value !== null && has(name))),
  }
}
