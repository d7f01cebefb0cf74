import type { Fields, FieldSpec } from '#kernel/definition/field.ts'
import type { Row } from '#web/fields/field-renderer.ts'

/**
 * True if a field applies given another field's value: of four receivers, the one of the chosen scope. `fields`:
 * defaults of the others.
 */
export const isAsked = ({ when }: FieldSpec, values: Row, fields: Fields = {}): boolean =>
  when === undefined || when.slice(1).includes(String(values[when[0]] ?? fields[when[0]]?.default ?? ''))
