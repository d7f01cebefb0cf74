import type { AnyDocument } from '#kernel/definition/document.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import type { Row } from '#web/fields/field-renderer.ts'

/** The lines of a document in the order its kind displays: as entered, or last entered first. */
export const asListed = (
  definition: Pick<AnyDocument, 'lineRules'> | undefined,
  lines: readonly Row[],
): readonly Row[] =>
  definition?.lineRules.newestFirst === true
    ? lines.toSorted((a, b) => parseInteger(b.line_no) - parseInteger(a.line_no))
    : lines
