import type { FieldSpec } from '#kernel/definition/field.ts'
import { isEmpty, type Row } from '#web/fields/field-renderer.ts'

/** What a reference's picker asks for beside the search: fixed words, and what the row at hand says. */
export const narrowOf = (field: Pick<FieldSpec, 'optionsFilter'>, row: Row): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(field.optionsFilter ?? {}).flatMap(([name, word]) => {
      const said = word.startsWith('$') ? row[word.slice(1)] : word
      return isEmpty(said) ? [] : [[name, String(said)]]
    }),
  )
