import type { PageFormat, PrintSheet, PrintTemplate } from '#kernel/print/print-definition.ts'
import type { Row } from '#web/fields/field-renderer.ts'

/** The parts of a carbon set that are printed on plain sheets: each, or the one at an index. */
export type Parts = number
export const EACH_PART = -1

/** The user's choices in the toolbar: template, whether reprints use the newest one, copy, prices, count. */
export type Choice = {
  readonly template: string | null
  readonly isNewest: boolean
  readonly copy: string | null
  readonly isPriced: boolean
  readonly copies: number
  readonly parts: Parts
}

export const templatesOf = (info: Row) => (info.templates ?? []) as readonly PrintTemplate[]
/** It was printed before, and its template at that time is known. */
export const wasPrinted = (info: Row): boolean => info.first_template !== undefined

const isCarbon = (doc: PageFormat): boolean => doc.startsWith('form')

/** A document of this kind has parts, and on plain sheets each is printed separately. */
export const choosesParts = (sheet: PrintSheet, kind: string, doc: PageFormat): boolean =>
  sheet.parts !== undefined && sheet.indoors?.kinds.includes(kind) !== true && !isCarbon(doc)

/**
 * The footer of each print of a document: a carbon set names all parts at once. `chosen` null: a copy outside the
 * set.
 */
export function partsOf(
  sheet: PrintSheet,
  kind: string,
  doc: PageFormat,
  chosen: Parts | null,
): readonly (string | null)[] {
  const { parts } = sheet
  if (parts === undefined || chosen === null || sheet.indoors?.kinds.includes(kind)) return [null]
  if (isCarbon(doc)) return [parts.join('　')]
  return chosen === EACH_PART ? parts : [parts[chosen]!]
}
