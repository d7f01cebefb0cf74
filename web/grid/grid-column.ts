import type { FieldSpec } from '#kernel/definition/field.ts'
import { faces } from '#web/fields/field-renderers.ts'
import type { CellProps, Row } from '#web/fields/field-renderer.ts'

export type GridColumn = {
  readonly name: string
  readonly title: string
  readonly field: FieldSpec
  readonly width: number
  readonly editable: boolean
  /** Editable, but skipped by Enter and Tab: computed from other cells and seldom typed. */
  readonly passed?: boolean
  /** Stays at the left edge. */
  readonly sticky: boolean
  /** Shown instead of the field's own text, such as the product's name for its key. */
  readonly textFrom?: string
  /** Summed in the footer. */
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

/** The text a user edits: the figure without thousands separators, or the readable name. */
export const editText = (column: GridColumn, values: Row): string => {
  const value = values[column.name]
  if (value === null || value === undefined) return ''
  if (isChoice(column.field)) return cellText(column, values)
  if (column.field.as === 'rate') return cellText(column, values).replace('%', '')
  return Array.isArray(value) ? value.join(' ') : String(value)
}

/** Kinds chosen from a list while typing. */
export const isChoice = (field: FieldSpec): boolean =>
  field.as === 'ref' || field.as === 'pick' || field.as === 'taxRate' || field.as === 'flag'
