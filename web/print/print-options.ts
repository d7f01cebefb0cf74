import type { PageFormat, PrintSheet, PrintTemplate } from '#kernel/print/print-definition.ts'
import type { Row } from '#web/fields/field-renderer.ts'

/** Which parts of a carbon set are printed on loose paper: each, or the one at a place. */
export type Parts = number
export const EACH_PART = -1

/** What somebody chose at the bar: a template, whether papers that were printed before follow the newest one, which copy, with prices, how many. */
export type Choice = {
  readonly template: string | null
  readonly isNewest: boolean
  readonly copy: string | null
  readonly isPriced: boolean
  readonly copies: number
  readonly parts: Parts
}

export const templatesOf = (info: Row) => (info.templates ?? []) as readonly PrintTemplate[]
/** It was printed before, and how it looked then is known. */
export const wasPrinted = (info: Row): boolean => info.first_template !== undefined

const isCarbon = (doc: PageFormat): boolean => doc.startsWith('form')

/** A paper of this kind goes out in parts, and loose paper is printed once for each. */
export const choosesParts = (sheet: PrintSheet, kind: string, doc: PageFormat): boolean =>
  sheet.parts !== undefined && sheet.indoors?.kinds.includes(kind) !== true && !isCarbon(doc)

/** What stands at the foot of each print of a paper: carbon paper bears all parts at once. `chosen` null: a copy that is no part of the set. */
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
