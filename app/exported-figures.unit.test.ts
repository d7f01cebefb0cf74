import { buffer } from 'node:stream/consumers'
import { read } from '@e965/xlsx'
import { expect, test } from 'vitest'
import { fieldsOfDocument } from '#kernel/definition/common-fields.ts'
import type { AnyDocument } from '#kernel/definition/document.ts'
import type { FieldKind, FieldSpec, Fields } from '#kernel/definition/field.ts'
import { derivedField } from '#kernel/definition/progress-fields.ts'
import { documents, entities, reports } from '#kernel/registry.ts'
import { type ExportColumn, exportColumns } from '#server/sheets/export-columns.ts'
import { readCell } from '#server/sheets/cell-values.ts'
import { streamWorkbook } from '#server/sheets/write.ts'

/** The columns of every list and report, by the name of the list and their own. */
const columns = Object.fromEntries(
  [
    ...documents().map(one => [one.kind, { ...fieldsOfDocument(one), ...derivedFields(one) }] as const),
    ...entities().map(({ kind, fields, extras }) => [kind, { ...fields, ...extras }] as const),
    ...reports().map(report => [report.kind, report.columns] as const),
  ].flatMap(([kind, fields]) => Object.entries(fields).map(([name, field]) => [`${kind}.${name}`, field] as const)),
) as Fields

function derivedFields(definition: AnyDocument): Readonly<Record<string, FieldSpec>> {
  const names = new Set(definition.screens.flatMap(screen => screen.columns))
  return Object.fromEntries(
    [...names].flatMap(name => {
      const field = derivedField(definition, name)
      return field ? [[name, field] as const] : []
    }),
  )
}

/** How a figure of each kind stands in a workbook: three places of goods, four and two of money, rates as percent. */
const shown: Partial<Record<FieldKind, { readonly value: string; readonly format: string; readonly text: string }>> = {
  quantity: { value: '1234.5', format: '#,##0.000', text: '1,234.500' },
  price: { value: '1234.5', format: '#,##0.0000', text: '1,234.5000' },
  amount: { value: '1234.5', format: '#,##0.00', text: '1,234.50' },
  rate: { value: '0.1234', format: '0.00%', text: '12.34%' },
  taxRate: { value: '13', format: '0%', text: '13%' },
  count: { value: '12', format: '0', text: '12' },
}

async function cellsOf(written: readonly ExportColumn[], row: Readonly<Record<string, unknown>>) {
  const rows = async function* () {
    yield [written.map(column => column.cell(row))]
  }
  const book = read(await buffer(streamWorkbook('表', written, rows())), { cellNF: true, dense: true })
  return (book.Sheets[book.SheetNames[0]!]!['!data'] as { w?: string; z?: string; v?: unknown }[][])[1]!
}

test('every figure of every list and report is written in the format of its kind', async () => {
  const figures = Object.entries(columns).filter(
    ([, { as, compares }]) => shown[as] !== undefined && compares === undefined,
  )
  expect(figures.length).toBeGreaterThan(1000)
  const row = Object.fromEntries(figures.map(([name, { as }]) => [name, shown[as]!.value]))
  const cells = await cellsOf(exportColumns(Object.fromEntries(figures)), row)
  const wrong = figures.flatMap(([name, { as }], at) => {
    const { z, w } = cells[at] ?? {}
    return z === shown[as]!.format && w === shown[as]!.text ? [] : [`${name} (${as}): ${z} ${w}`]
  })
  expect(wrong).toEqual([])
})

test('a figure of a sheet that is read again is what it was', async () => {
  for (const [as, { value }] of Object.entries(shown)) {
    const field = { as, label: as, required: false } as FieldSpec & { required: false }
    const [cell] = await cellsOf(exportColumns({ field }), { field: value })
    expect(readCell(field, String(cell!.v)), as).toEqual({ value })
  }
})

test('a rate is a fraction, and its label does not say percent', () => {
  const asked = documents().flatMap(({ kind, lifecycle: { listActions = {} } }) =>
    Object.values(listActions)
      .flatMap(({ inputs = {} }) => Object.entries(inputs))
      .map(input => [kind, ...input] as const),
  )
  const named = [...Object.entries(columns), ...asked.map(([kind, name, field]) => [`${kind}.${name}`, field] as const)]
  const wrong = named.filter(([, { as, label }]) => as === 'rate' && /[%％]/.test(label)).map(([name]) => name)
  expect(wrong).toEqual([])
})

test('what is called a rate, money or pieces is a figure of that kind, or says its unit', () => {
  const figures: readonly FieldKind[] = ['quantity', 'price', 'amount', 'rate', 'taxRate', 'count']
  const words: readonly (readonly [RegExp, readonly FieldKind[]])[] = [
    [/(率|占比|比例|同比|环比|[%％])$/, ['rate', 'taxRate']],
    [/(金额|单价|进价|售价|余额)$/, ['price', 'amount']],
    [/数量$/, ['quantity', 'count']],
  ]
  const wrong = Object.entries(columns).flatMap(([name, { as, label }]) =>
    figures.includes(as) && words.some(([says, kinds]) => says.test(label) && !kinds.includes(as))
      ? [`${name} ${label} (${as})`]
      : [],
  )
  expect(wrong).toEqual([])
})
