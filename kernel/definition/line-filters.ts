import { commonFields } from '#kernel/definition/common-fields.ts'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { type FieldSpec, type Fields, f } from '#kernel/definition/field.ts'

/** Line filters available for documents of every kind. */
const everywhere: Fields = {
  specification_sn: f.ref('产品规格', 'specification'),
  lot_no: f.lot('批号'),
  unit_code: f.piece('院内码'),
  registration_no: f.text('注册证号'),
}

/** The names of these filters. */
export const everyLineFilter: readonly string[] = Object.keys(everywhere)

/**
 * A line filter: not a column, it finds documents with a matching line. The kind's own line fields are used where
 * the header has none of the name.
 */
export function lineFilter(definition: AnyDocument, name: string): FieldSpec | undefined {
  if (everywhere[name]) return everywhere[name]
  if (definition.header[name] || commonFields[name]) return undefined
  const own = definition.lines[name]
  return own && !own.patient ? { ...own, required: false, readOnly: false } : undefined
}

/** The own line fields by which the pages of a kind filter documents. */
export const ownLineFilters = (definition: AnyDocument): readonly string[] => [
  ...new Set(
    definition.screens
      .flatMap(screen => screen.filters)
      .filter(name => !everywhere[name] && lineFilter(definition, name) !== undefined),
  ),
]
