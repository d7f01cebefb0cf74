import type { FieldSpec } from '#kernel/definition/field.ts'
import { isEmpty, type Row } from '#web/fields/field-renderer.ts'

/** A reference picker's filters besides the search: fixed values, and values of the current row. */
export const narrowOf = (field: Pick<FieldSpec, 'optionsFilter'>, row: Row): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(field.optionsFilter ?? {}).flatMap(([name, word]) => {
      const said = word.startsWith('$') ? row[word.slice(1)] : word
      return isEmpty(said) ? [] : [[name, String(said)]]
    }),
  )
