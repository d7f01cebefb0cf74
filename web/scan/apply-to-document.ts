import type { AnyDocument } from '#kernel/definition/document.ts'
import { refusesRecalled } from '#kernel/rules/unfit-goods.ts'
import {
  add,
  compare,
  type Decimal,
  divide,
  isDecimal,
  isPositive,
  multiply,
  plain,
  subtract,
} from '#kernel/values/decimal.ts'
import { countedInto, type Scanning, scansOf } from '#kernel/definition/scanning.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { isBlank, type Line } from '#web/grid/lines.ts'
import type { Expected, Rules, ScannedRow } from '#web/scan/tally.ts'

const QUANTITY = 'quantity'
const PLACES = 3
const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
const decimal = (value: unknown): Decimal => (isDecimal(value) ? value : '0')

/** Base units per entered unit, from the line itself. */
function measureOf(line: Row): Decimal {
  const [quantity, base] = [decimal(line.quantity), decimal(line.base_quantity)]
  return isPositive(quantity) && isPositive(base) ? divide(base, quantity, 8) : '1'
}

/** A document that lists what is expected is ticked off by scanning; one without a list is created by scanning. */
export function rulesFor(
  given: Scanning,
  lines: readonly Line[],
  header: Row = {},
  definition: AnyDocument | null = null,
): Rules {
  const scans = scansOf(given, header)
  const isList = scans.checklist === true || lines.some(line => text(line.values.source_sn) !== null)
  const places =
    definition !== null && has(definition, 'location') ? { store: text(header.warehouse_model_inner_sn) } : {}
  const fit = definition !== null && refusesRecalled(definition) ? { refusesRecalled: true } : {}
  return { isList, beyond: scans.openCount === true, ...fit, ...places }
}

/** Quantities expected by the document's lines, in base units. */
export function expectedOf(given: Scanning, lines: readonly Line[], header: Row = {}): readonly Expected[] {
  const scans = scansOf(given, header)
  const before =
    scans.scannedUnitsField === undefined ? null : { into: countedInto(scans, header), pieces: scans.scannedUnitsField }
  const name = scans.expectedField ?? countedInto(scans, header)
  const pieces = scans.expectedUnitsField ?? 'unit_codes'
  return lines.flatMap(({ values }, at) => {
    const specification = text(values.specification_sn)
    if (specification === null) return []
    return [
      {
        at,
        specification_sn: specification,
        name: [values.product_name, values.specification_name].filter(Boolean).join(' '),
        unit: text(values.base_unit_name) ?? text(values.unit_name) ?? '',
        lot_no: text(values.lot_no),
        expiry_date: text(values.expiry_date),
        location: text(values.location),
        codes: codesIn(values, pieces).filter(
          code => before === null || !codesIn(values, before.pieces).includes(code),
        ),
        quantity: multiply(
          subtract(decimal(values[name]), before === null ? '0' : decimal(values[before.into]), PLACES),
          measureOf(values),
          PLACES,
        ),
      },
    ]
  })
}

const codesIn = (values: Row, name: string): readonly string[] =>
  Array.isArray(values[name]) ? (values[name] as string[]) : []

/** A scanned quantity in the unit of the line; if it does not convert evenly, the line switches to base units. */
function counted(line: Row, into: string, scanned: Decimal): Row {
  const measure = measureOf(line)
  const figure = divide(scanned, measure, PLACES)
  if (compare(multiply(figure, measure, PLACES), scanned) === 0 || into !== QUANTITY) return { [into]: plain(figure) }
  const price = isDecimal(line.price) ? { price: divide(line.price, measure, 4) } : {}
  return {
    [into]: plain(scanned),
    unit_inner_sn: line.specification_sn,
    unit_name: line.base_unit_name ?? null,
    ...price,
  }
}

const has = (definition: AnyDocument, name: string) => name in definition.lines
/** Lot, dates and serials of what was scanned, as far as the kind's lines have such fields. */
const found = (definition: AnyDocument, row: ScannedRow): Row => ({
  ...(row.lot_no !== null && has(definition, 'lot_no') ? { lot_no: row.lot_no } : {}),
  ...(row.production_date !== null && has(definition, 'production_date')
    ? { production_date: row.production_date }
    : {}),
  ...(row.expiry_date !== null && has(definition, 'expiry_date') ? { expiry_date: row.expiry_date } : {}),
  ...(row.codes.length > 0 && has(definition, 'unit_codes') ? { unit_codes: row.codes } : {}),
  ...(row.location && has(definition, 'location') ? { location: row.location } : {}),
})

const newLine = (definition: AnyDocument, into: string, row: ScannedRow): Row => ({
  specification_sn: row.specification_sn,
  product_name: row.name,
  unit_name: row.unit,
  [into]: plain(row.quantity),
  ...found(definition, row),
})

/** The document's lines after scanning: expected lines split by lot, and what was found beyond them. */
export function linesAfter(
  definition: AnyDocument,
  lines: readonly Line[],
  rows: readonly ScannedRow[],
  rules: Rules,
  header: Row = {},
): readonly Row[] {
  const scans = scansOf(definition.lineRules.scanning ?? {}, header)
  const into = countedInto(scans, header)
  const ofLine = Map.groupBy(rows, row => row.at)
  const kept = lines.flatMap(({ values }, at) => {
    const own = ofLine.get(at) ?? []
    if (isBlankRow(values)) return []
    if (!rules.isList) return own.length === 0 ? [values] : [grown(definition, values, into, own)]
    if (rules.beyond) return own.length === 0 ? [values] : [grown(definition, values, into, own)]
    if (scans.scannedUnitsField !== undefined)
      return own.length === 0
        ? [values]
        : [{ ...grown(definition, values, into, own), ...picked(values, scans.scannedUnitsField, own) }]
    // Goods that were not scanned are not received; with a separate counted quantity they count as zero.
    if (own.length === 0)
      return into !== QUANTITY
        ? [{ ...values, [into]: '0' }]
        : scans.keepsUnscanned?.(header)
          ? [{ ...values, unit_codes: [], [QUANTITY]: '0' }]
          : []
    if (into !== QUANTITY) {
      const all = own.reduce<Decimal>((sum, row) => add(sum, row.quantity, PLACES), '0')
      return [{ ...values, ...counted(values, into, all) }]
    }
    return own.map((row, part) => {
      const { line_no: _, ...rest } = values
      return { ...(part === 0 ? values : rest), ...found(definition, row), ...counted(values, into, row.quantity) }
    })
  })
  return [...kept, ...(ofLine.get(null) ?? []).map(row => newLine(definition, into, row))]
}

const isBlankRow = (values: Row): boolean => isBlank({ key: 0, values, problems: {} })

const picked = (values: Row, name: string, rows: readonly ScannedRow[]): Row => {
  const codes = [...codesIn(values, name), ...rows.flatMap(row => row.codes)]
  return codes.length === 0 ? {} : { [name]: codes }
}

/** A line that existed before scanning and got more of the same. */
function grown(definition: AnyDocument, values: Row, into: string, rows: readonly ScannedRow[]): Row {
  const scanned = rows.reduce<Decimal>((sum, row) => add(sum, row.quantity, PLACES), '0')
  const before = multiply(decimal(values[into]), measureOf(values), PLACES)
  const codes = [
    ...(Array.isArray(values.unit_codes) ? (values.unit_codes as string[]) : []),
    ...rows.flatMap(row => row.codes),
  ]
  if (into !== QUANTITY) return { ...values, ...counted(values, into, add(before, scanned, PLACES)) }
  return {
    ...values,
    ...found(definition, rows[0]!),
    ...(codes.length > 0 && has(definition, 'unit_codes') ? { unit_codes: codes } : {}),
    ...counted(values, into, add(before, scanned, PLACES)),
  }
}
