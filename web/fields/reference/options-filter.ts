import type { FieldSpec } from '#kernel/definition/field.ts'
import { entityOf } from '#kernel/registry.ts'
import { isEmpty, type Row } from '#web/fields/field-renderer.ts'

/** A reference picker's filters besides the search: fixed values, and values of the current row. */
export const narrowOf = (field: Pick<FieldSpec, 'optionsFilter'>, row: Row): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(field.optionsFilter ?? {}).flatMap(([name, word]) => {
      const said = word.startsWith('$') ? row[word.slice(1)] : word
      return isEmpty(said) ? [] : [[name, String(said)]]
    }),
  )

/** The filters of a picker in a form: those of its field, and the form filters of the record that it refers to. */
export const formNarrowOf = (field: FieldSpec, row: Row): Readonly<Record<string, string>> => ({
  ...entityOf(field.target ?? '')?.formFilter,
  ...narrowOf(field, row),
})
