import {
  absolute,
  add,
  compare,
  type Decimal,
  divide,
  isZero,
  multiply,
  negate,
  plain,
  subtract,
  sum,
} from '#kernel/values/decimal.ts'

/** Most by which the tax of a line may differ from its amount times its rate, in yuan. */
export const LINE_TAX_TOLERANCE = '0.06'

/** A line of a document, with the fields that an invoice needs. */
export type BilledLine = {
  readonly line_no: number
  readonly item_name: string
  /** Empty if the goods have no tax class. */
  readonly tax_code: string
  /** The short name of its class, which 同类合并 prints for the goods. */
  readonly class_name: string
  readonly item_model: string | null
  readonly unit_name: string | null
  readonly quantity: Decimal
  /** With tax, in the unit of the line. */
  readonly price: Decimal
  readonly untaxed_amount: Decimal
  readonly tax_rate: number
  readonly tax_amount: Decimal
  /** The discount on the line, with tax: the amounts of the line are those after it. */
  readonly discount: Decimal
}

/** 行性质: a discounted line states its amount before the discount, and the line of its discount follows directly. */
export type LineNature = 'normal' | 'discounted' | 'discount'

/** A line as it is printed on the invoice; `price` without tax, up to eight places. */
export type SheetLine = {
  readonly line_no: number
  readonly nature: LineNature
  readonly item_name: string
  readonly tax_code: string
  readonly item_model: string | null
  readonly unit_name: string | null
  readonly quantity: Decimal | null
  readonly price: string | null
  readonly untaxed_amount: Decimal
  readonly tax_rate: number
  readonly tax_amount: Decimal
}

type Group = { readonly first: BilledLine; readonly lines: BilledLine[] }

/** |amount × rate − tax| of some lines together. */
export function taxDifference(
  lines: readonly Pick<BilledLine, 'untaxed_amount' | 'tax_amount'>[],
  rate: number,
): Decimal {
  const of = (name: 'untaxed_amount' | 'tax_amount') =>
    sum(
      lines.map(line => line[name]),
      2,
    )
  return absolute(subtract(divide(multiply(of('untaxed_amount'), String(rate), 4), '100', 2), of('tax_amount'), 2))
}

const isSame = (way: 'same' | 'kind', one: BilledLine, other: BilledLine): boolean => {
  const alike = one.tax_code === other.tax_code && one.tax_rate === other.tax_rate
  if (!alike || way === 'kind') return alike
  const names = (['item_name', 'item_model', 'unit_name', 'price'] as const).every(name => one[name] === other[name])
  return names && isNegativeLike(one) === isNegativeLike(other)
}
const isNegativeLike = ({ quantity }: BilledLine): boolean => quantity.startsWith('-')

/**
 * Groups of lines that may become one, in the order of the document; a line that would make the tax of the sum wrong
 * begins another group.
 */
function grouped(lines: readonly BilledLine[], way: 'none' | 'same' | 'kind'): Group[] {
  const groups: Group[] = []
  for (const line of lines) {
    const fits = (group: Group) =>
      way !== 'none' &&
      isSame(way, group.first, line) &&
      compare(taxDifference([...group.lines, line], line.tax_rate), LINE_TAX_TOLERANCE) <= 0
    const found = groups.find(fits)
    if (found) found.lines.push(line)
    else groups.push({ first: line, lines: [line] })
  }
  return groups
}

/**
 * The lines of an invoice: those of the document one by one (`none`), those of the same goods at the same price as one
 * (`same`), or all of a tax class at a rate as one, without quantity and price (`kind`).
 */
export function sheetLines(lines: readonly BilledLine[], way: 'none' | 'same' | 'kind'): SheetLine[] {
  return grouped(lines, way)
    .flatMap(group => withDiscount(group, way))
    .map((line, at) => ({ ...line, line_no: at + 1 }))
}

type Unnumbered = Omit<SheetLine, 'line_no'>

/** The line of a group, and the line of its discount: together they equal the document's lines. */
function withDiscount({ first, lines: merged }: Group, way: 'none' | 'same' | 'kind'): Unnumbered[] {
  const total = <Name extends 'quantity' | 'untaxed_amount' | 'tax_amount' | 'discount'>(name: Name, places: number) =>
    sum(
      merged.map(line => line[name]),
      places,
    )
  const off = offOf(total('discount', 2), first.tax_rate)
  const quantity = total('quantity', 3)
  const untaxed_amount = add(total('untaxed_amount', 2), off.untaxed_amount, 2)
  const isCounted = way !== 'kind' && !isZero(quantity)
  const named = {
    item_name: way === 'kind' ? first.class_name : first.item_name,
    tax_code: first.tax_code,
    tax_rate: first.tax_rate,
  }
  const line: Unnumbered = {
    ...named,
    nature: isZero(off.untaxed_amount) ? 'normal' : 'discounted',
    item_model: way === 'kind' ? null : first.item_model,
    unit_name: way === 'kind' ? null : first.unit_name,
    quantity: isCounted ? quantity : null,
    price: isCounted ? plain(absolute(divide(untaxed_amount, quantity, 8))) : null,
    untaxed_amount,
    tax_amount: add(total('tax_amount', 2), off.tax_amount, 2),
  }
  if (line.nature === 'normal') return [line]
  const bare = { item_model: null, unit_name: null, quantity: null, price: null }
  const given = { untaxed_amount: negate(off.untaxed_amount), tax_amount: negate(off.tax_amount) }
  return [line, { ...named, ...bare, ...given, nature: 'discount' }]
}

/** A discount with tax, without it and its tax, half up. */
function offOf(discount: Decimal, rate: number): { untaxed_amount: Decimal; tax_amount: Decimal } {
  const untaxed_amount = divide(multiply(discount, '100', 2), String(100 + rate), 2)
  return { untaxed_amount, tax_amount: subtract(discount, untaxed_amount, 2) }
}
