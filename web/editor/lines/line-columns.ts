import type { AnyDocument } from '#kernel/definition/document.ts'
import { lineField } from '#kernel/definition/common-fields.ts'
import { takesAmounts } from '#kernel/definition/line-content.ts'
import { lineAmounts, splitTax, type TaxRate, taxRates } from '#kernel/values/tax-amounts.ts'
import { divide, isDecimal, isPositive, isZero, multiply, subtract } from '#kernel/values/decimal.ts'
import { type FieldSpec, f, nameKeyOf } from '#kernel/definition/field.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { mayCorrect } from '#web/editor/document/document-view.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { faces } from '#web/fields/field-renderers.ts'
import type { GridColumn } from '#web/grid/grid-column.ts'
import type { Complete } from '#web/grid/lines.ts'
import { measureOf } from '#web/grid/units.ts'

const PRODUCT = 'specification_sn'
const amounts = ['untaxed_amount', 'tax_amount', 'taxed_amount'] as const
const summed = new Set(['quantity', 'base_quantity', 'amount', ...amounts])
const widths: Readonly<Record<string, number>> = {
  [PRODUCT]: 232,
  specification_name: 136,
  lot_no: 116,
  unit_inner_sn: 68,
  quantity: 88,
  price: 104,
  tax_rate: 64,
  remark: 150,
  unit_codes: 168,
  production_date: 104,
  expiry_date: 104,
  untaxed_amount: 112,
  tax_amount: 104,
  taxed_amount: 116,
  location: 96,
  source_sn: 140,
  invoice_no: 168,
}

const columnFor = (name: string, field: FieldSpec, rest: Partial<GridColumn> = {}): GridColumn => ({
  name,
  title: field.label,
  field,
  width: widths[name] ?? Math.max(faces[field.as].width, field.label.length * 14 + 24),
  editable: field.readOnly !== true,
  sticky: false,
  summed: summed.has(name),
  required: field.required === true,
  ...(field.as === 'ref' ? { textFrom: nameKeyOf(name) } : {}),
  ...rest,
})

/** Fields that identify the goods of a line. */
const identity = new Set([PRODUCT, 'specification_name', 'lot_no', 'production_date', 'expiry_date'])

/**
 * For goods, a line shows what, how many and at what price first: input and comparison columns are visible on any
 * screen, before codes, locations and owners.
 */
function visibleFirst(definition: AnyDocument, columns: readonly GridColumn[]): readonly GridColumn[] {
  if (!(PRODUCT in definition.lines)) return columns
  const money = isPriced(definition) ? ['price', 'tax_rate'] : []
  const rank = ({ name, field, required }: GridColumn): number => {
    // Dates that are never entered here come after the figures.
    if (identity.has(name)) return field.as === 'day' && field.readOnly === true ? 1.5 : 0
    return name === 'unit_inner_sn' || field.as === 'quantity' || required || money.includes(name) ? 1 : 2
  }
  return columns.toSorted((a, b) => rank(a) - rank(b))
}

/** A document's line columns: the product in two, then those of the definition, then computed ones. */
export function lineColumns(
  definition: AnyDocument,
  lines: readonly Row[],
  locked: boolean,
  fromSource: boolean,
  state: unknown = null,
  reviews = true,
): readonly GridColumn[] {
  const correctable = mayCorrect(definition, state, reviews)
  const open = (column: GridColumn): GridColumn =>
    locked || !correctable(column.name) ? { ...column, editable: false } : column
  const unlisted = new Set(definition.lineRules.unlisted)
  const own = Object.keys(definition.lines).flatMap(name => {
    const field = lineField(definition, name)
    if (field === undefined || unlisted.has(name)) return []
    if (name !== PRODUCT) return [open(columnFor(name, field))]
    return [
      open(columnFor(name, field, { title: '产品名称', textFrom: 'product_name', sticky: true })),
      columnFor('specification_name', f.text('规格型号'), { editable: false }),
    ]
  })
  const follows =
    'price' in definition.lines ? amounts.filter(name => !(name in definition.lines) && !unlisted.has(name)) : []
  const known = [
    ...(fromSource ? ['source_sn'] : []),
    ...['executed_quantity', 'stopped_quantity'].filter(name => lines.some(line => !isZero(String(line[name] ?? 0)))),
  ].filter(name => !(name in definition.lines))
  return [
    ...visibleFirst(definition, own),
    ...follows.map(name => {
      const editable = isPriced(definition) && (name !== 'tax_amount' || takesAmounts(definition))
      return open(columnFor(name, lineField(definition, name) ?? f.amount(name), { editable, passed: true }))
    }),
    ...known.map(name =>
      columnFor(name, lineField(definition, name) ?? extra[name] ?? f.text(name), { editable: false }),
    ),
  ]
}
/** Prices from an agreement are shown read-only. */
export const asAgreed = (columns: readonly GridColumn[]): readonly GridColumn[] =>
  columns.map(column =>
    ['price', ...amounts].includes(column.name) ? { ...column, editable: false, required: false } : column,
  )
const extra: Readonly<Record<string, FieldSpec>> = {
  executed_quantity: f.quantity('已执行数量'),
  stopped_quantity: f.quantity('已终止数量'),
}

/** True if the user enters a line's price; then the amount can be entered too, and the price follows from it. */
const isPriced = (definition: AnyDocument): boolean => {
  const price = lineField(definition, 'price')
  return 'price' in definition.lines && price?.readOnly !== true
}

/**
 * Amounts follow from price, quantity and rate where the definition makes them read-only; where entered, the price
 * follows.
 */
export function completer(definition: AnyDocument): Complete {
  const counts = 'price' in definition.lines && !('taxed_amount' in definition.lines)
  const { follows } = definition.lineRules
  return (line, edited) => {
    if (follows) return { ...line, ...follows(line) }
    const based = 'quantity' in edited || 'unit_inner_sn' in edited ? { ...line, ...baseOf(line) } : line
    if (!counts) return based
    const priced = isPriced(definition) ? { ...based, ...priceFrom(based, edited) } : based
    return { ...priced, ...amountsOf(priced), ...(takesAmounts(definition) ? asInvoiced(priced, edited) : {}) }
  }
}

/** Base units of the new quantity, if the unit's ratio is known; otherwise the server computes them. */
function baseOf(line: Row): Row {
  const { base_quantity: _, ...rest } = line
  const measure = measureOf(rest)
  if (measure === null || !isDecimal(line.quantity)) return { base_quantity: null }
  return { base_quantity: multiply(line.quantity, measure, 3) }
}

/** The price implied by an amount, if the amount was just entered. */
function priceFrom(line: Row, edited: Row): Row {
  const { quantity } = line
  if ('price' in edited || 'quantity' in edited || !isDecimal(quantity) || !isPositive(quantity)) return {}
  const rate = String((100 + parseInteger(line.tax_rate ?? 0)) / 100)
  const taxed = isDecimal(edited.taxed_amount)
    ? edited.taxed_amount
    : isDecimal(edited.untaxed_amount)
      ? multiply(edited.untaxed_amount, rate, 8)
      : null
  return taxed === null ? {} : { price: divide(taxed, quantity, 4) }
}

/** An invoice is right to the cent: its amount is what was typed, and so is its tax, of which the rest follows. */
function asInvoiced({ taxed_amount: before, tax_rate: rate }: Row, { taxed_amount: taxed, tax_amount: tax }: Row): Row {
  if (isDecimal(tax, 2) && isDecimal(before, 2))
    return { taxed_amount: before, tax_amount: tax, untaxed_amount: subtract(before, tax, 2) }
  return isDecimal(taxed, 2) ? splitTax(taxed, parseInteger(rate ?? 0) as TaxRate) : {}
}

const unknownAmounts = { untaxed_amount: null, tax_amount: null, taxed_amount: null }

function amountsOf({ price, quantity, tax_rate: rate }: Row): Row {
  const percent = parseInteger(rate ?? 0) as TaxRate
  if (!isDecimal(price, 4) || !isDecimal(quantity, 3) || !taxRates.includes(percent)) return unknownAmounts
  return lineAmounts(price, quantity, percent)
}
