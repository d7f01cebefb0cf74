import { compare, type Decimal, divide, isDecimal, isPositive, multiply, plain } from '#kernel/values/decimal.ts'
import { packLabel } from '#kernel/values/pack-label.ts'
import type { Row } from '#web/fields/field-renderer.ts'

const UNIT = 'unit_inner_sn'
const PLACES = { quantity: 3, price: 4 } as const
const decimal = (value: unknown): Decimal | null =>
  typeof value === 'number' ? String(value) : isDecimal(value) ? value : null

/** Base units per unit of the line: as chosen, or as implied by a saved line's two quantities; null if unknown. */
export function measureOf(line: Row): Decimal | null {
  const chosen = decimal(line.unit_measure)
  if (chosen !== null) return chosen
  const [quantity, base] = [decimal(line.quantity), decimal(line.base_quantity)]
  if (quantity !== null && base !== null && isPositive(quantity) && isPositive(base)) return divide(base, quantity, 8)
  return !line[UNIT] || line[UNIT] === line.specification_sn ? '1' : null
}

export type Converted = { readonly values: Row; readonly problems?: Readonly<Record<string, string | null>> }

/**
 * Converts the line to another unit: 20 支 are 2 盒 at ten times the price. Ratios are whole numbers; a quantity that
 * does not convert evenly is kept, with a message.
 */
export function inUnit(line: Row, edit: Row): Converted {
  if (!(UNIT in edit)) return { values: edit }
  const [before, after] = [measureOf(line), decimal(edit.unit_measure)]
  if (before === null || after === null || !isPositive(after)) return { values: edit }
  const [quantity, price] = [decimal(line.quantity), decimal(line.price)]
  const priced = price === null ? {} : { price: divide(multiply(price, after, 8), before, PLACES.price) }
  if (quantity === null) return { values: { ...edit, ...priced } }
  const base = multiply(quantity, before, PLACES.quantity)
  const figure = divide(base, after, PLACES.quantity)
  if (compare(multiply(figure, after, PLACES.quantity), base) === 0)
    return { values: { ...edit, ...priced, quantity: plain(figure) }, problems: { quantity: null } }
  const unit = String(edit.unit_name ?? '')
  return {
    values: { ...edit, ...priced, quantity: plain(quantity) },
    problems: {
      quantity: `${plain(quantity)}不能换算成整${unit}（1${unit}含${plain(after)}个基本单位），请重新填写数量`,
    },
  }
}

/** The contents of a pack in base units, shown at the unit of a line: 1盒=10支. */
export function unitHint(line: Row): string | undefined {
  const measure = measureOf(line)
  if (measure === null || measure === '1' || compare(measure, '1') === 0) return undefined
  return packLabel(String(line.unit_name ?? ''), plain(measure), String(line.base_unit_name ?? '个基本单位'))
}
