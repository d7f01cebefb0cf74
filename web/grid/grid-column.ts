import type { FieldSpec } from '#kernel/definition/field.ts'
import { faces } from '#web/fields/field-renderers.ts'
import type { CellProps, Row } from '#web/fields/field-renderer.ts'

export type GridColumn = {
  readonly name: string
  readonly title: string
  readonly field: FieldSpec
  readonly width: number
  readonly editable: boolean
  /** May be written, yet Enter and Tab go past it: what follows from other cells, and is seldom written itself. */
  readonly passed?: boolean
  /** Stays at the left edge. */
  readonly sticky: boolean
  /** Shown in place of the field's own text, such as the product's name for its key. */
  readonly textFrom?: string
  /** Summed at the foot. */
  readonly summed: boolean
  readonly required: boolean
}

export const cellText = (column: GridColumn, values: Row): string => {
  const beside = column.textFrom === undefined ? undefined : values[column.textFrom]
  if (typeof beside === 'string' && beside !== '') return beside
  const value = values[column.name]
  if (value === null || value === undefined || value === '') return ''
  const props: CellProps = { field: column.field, name: column.name, value, row: values }
  const text = faces[column.field.as].text(props)
  return text === '-' ? '' : text
}

/** What a person edits: the figure without its thousands, the name he knows. */
export const editText = (column: GridColumn, values: Row): string => {
  const value = values[column.name]
  if (value === null || value === undefined) return ''
  if (isChoice(column.field)) return cellText(column, values)
  if (column.field.as === 'rate') return cellText(column, values).replace('%', '')
  return Array.isArray(value) ? value.join(' ') : String(value)
}

/** Kinds that are chosen from a list while one types. */
export const isChoice = (field: FieldSpec): boolean =>
  field.as === 'ref' || field.as === 'pick' || field.as === 'taxRate' || field.as === 'flag'
