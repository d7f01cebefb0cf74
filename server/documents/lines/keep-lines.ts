import type { AnyDocument } from '#kernel/definition/document.ts'
import type { LineInput } from '#server/documents/lines/complete.ts'
import { writableLineFields, customLineFields } from '#server/documents/repository/document.ts'

/** A stored line as input for writing it again. */
export const toLineInput =
  (definition: AnyDocument) =>
  (line: Record<string, unknown>): LineInput =>
    Object.fromEntries(
      ['line_no', 'lot_id', ...Object.keys({ ...customLineFields(definition), ...writableLineFields(definition) })].map(
        name => [name, line[name] ?? null],
      ),
    )

/** Another lot or other goods mean another balance: nothing of the earlier one is kept. */
function anew(definition: AnyDocument, old: Record<string, unknown>, line: LineInput): LineInput {
  const moved = ['specification_sn', 'lot_no'].some(name => line[name] !== undefined && line[name] !== old[name])
  if (!moved) return {}
  const gone = { lot_id: null }
  return definition.posting.stockDirection === 'out'
    ? { ...gone, owner_org_sn: null, location: null, production_date: null, expiry_date: null }
    : gone
}

/** The fields from which a line's amounts follow. */
const priced = ['specification_sn', 'unit_codes', 'unit_inner_sn', 'quantity', 'price', 'tax_rate'] as const

/** A line that keeps its number keeps its source, whatever was omitted. */
export const keepSourceLinks = (
  definition: AnyDocument,
  old: Record<string, unknown> | undefined,
  line: LineInput,
): LineInput =>
  old
    ? {
        ...toLineInput(definition)(old),
        ...anew(definition, old, line),
        ...(priced.some(name => line[name] !== undefined) ? { taxed_amount: null, tax_amount: null } : {}),
        ...line,
      }
    : { ...line, line_no: null }
