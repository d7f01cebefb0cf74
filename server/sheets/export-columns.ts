import { type FieldKind, type FieldSpec, type Fields, nameKeyOf } from '#kernel/definition/field.ts'
import { divide } from '#kernel/values/decimal.ts'
import { changeText, isFarBeyond } from '#kernel/values/comparison.ts'
import type { Cell, CellKind, SheetColumn } from '#server/sheets/write.ts'

const kinds: Partial<Record<FieldKind, CellKind>> = {
  quantity: 'quantity',
  price: 'price',
  amount: 'amount',
  count: 'whole',
  taxRate: 'wholePercent',
  rate: 'percent',
  day: 'day',
  instant: 'instant',
}

/** A column of a workbook and how a row's value becomes its cell. */
export type ExportColumn = SheetColumn & { readonly cell: (row: Readonly<Record<string, unknown>>) => Cell }

/** Columns of a workbook from fields, in order: references by name, choices by label, no internal ids. */
export function exportColumns(fields: Fields): ExportColumn[] {
  return Object.entries(fields)
    .filter(([, field]) => field.as !== 'files')
    .map(([name, field]) => ({
      title: field.label,
      kind: kinds[field.as] ?? 'text',
      cell: row => cellOf(name, field, row),
    }))
}

function cellOf(name: string, field: FieldSpec, row: Readonly<Record<string, unknown>>): Cell {
  const value = row[name]
  if (field.as === 'ref') return (row[nameKeyOf(name)] ?? null) as Cell
  if (value === undefined) return null
  // A change is written as a number where it is a percentage that says something, else in words.
  if (field.compares !== undefined && (value === null || isFarBeyond(String(value))))
    return changeText(value === null ? null : String(value), field.compares)
  if (value === null) return null
  // Tax rates are kept in percent: a cell with the format of percentages holds the fraction.
  if (field.as === 'taxRate') return divide(String(value), '100', 2)
  if (field.as === 'pick') return field.choices?.[String(value)] ?? String(value)
  if (field.as === 'flag') return value === true ? '是' : '否'
  if (field.as === 'instant') return new Date(String(value)).toLocaleString('sv-SE', { timeZone: 'Asia/Shanghai' })
  if (Array.isArray(value)) return value.map(each => field.choices?.[String(each)] ?? each).join('，')
  return value as Cell
}
