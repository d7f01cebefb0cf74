import type { AnyDocument, CommonLine, BusinessDocument } from '#kernel/definition/document.ts'
import { isDecimal } from '#kernel/values/decimal.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { sourceFields } from '#web/editor/document/document-view.ts'
import { isBlank, type Line } from '#web/grid/lines.ts'

const partners = ['counterparty_sn', 'warehouse_model_inner_sn', 'to_warehouse_model_inner_sn', 'department_inner_sn']
const lineFacts = ['specification_sn', 'product_name', 'lot_no', 'expiry_date']

const nulls = (names: readonly string[]): Row => Object.fromEntries(names.map(name => [name, null]))
const orNull = (value: unknown): unknown => (value === undefined || value === '' ? null : value)
const withNulls = (row: Row): Row =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, orNull(value)]))
const decimalOr = (value: unknown, otherwise: string): string => (isDecimal(value) ? value : otherwise)

/** Lines as guards read them, cached for as long as a line is unchanged. Their numbers are those that the rows show. */
const checked = new WeakMap<Line, CommonLine>()

function guardedLine(line: Line, lineNo: number, empty: Row): CommonLine {
  const before = checked.get(line)
  if (before?.line_no === lineNo) return before
  // A value that could not be parsed is not checked further; its mark already shows the error.
  const values = { ...withNulls(line.values), ...nulls(Object.keys(line.problems)) }
  const quantity = decimalOr(values.quantity, '0')
  const made = {
    ...empty,
    ...values,
    line_no: lineNo,
    quantity,
    base_quantity: decimalOr(values.base_quantity, quantity),
    price: decimalOr(values.price, '0'),
    unit_codes: Array.isArray(values.unit_codes) ? values.unit_codes : [],
  } as unknown as CommonLine
  checked.set(line, made)
  return made
}

/**
 * The edited document as the pure guards of the definition read it: every common column is present, empty ones as
 * null.
 */
export function guardedDocument(
  definition: AnyDocument,
  info: Row,
  header: Row,
  lines: readonly Line[],
): BusinessDocument {
  const empty = nulls([...Object.keys(definition.lines), ...lineFacts])
  return {
    ...nulls([...Object.keys(definition.header), ...sourceFields, ...partners]),
    ...withNulls({ ...info, ...header }),
    kind: definition.kind,
    lines: lines.flatMap((line, at) => {
      const shown = definition.lineRules.newestFirst === true ? parseInteger(line.values.line_no ?? at + 1) : at + 1
      return isBlank(line) ? [] : [guardedLine(line, shown, empty)]
    }),
  } as unknown as BusinessDocument
}
