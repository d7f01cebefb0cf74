import { type Decimal, divide, multiply, subtract, sum } from '#kernel/values/decimal.ts'

/** Tax rates of the trade, in percent. */
export const taxRates = [0, 1, 3, 6, 9, 13] as const
export type TaxRate = (typeof taxRates)[number]

export type Amounts = { readonly untaxed_amount: Decimal; readonly tax_amount: Decimal; readonly taxed_amount: Decimal }

/**
 * The three amounts of a line: `price` is taxed and per entered unit, `quantity` is in the entered unit. taxed =
 * round(price × quantity, 2); untaxed = round(taxed / (1 + rate), 2); tax = taxed − untaxed.
 */
export function lineAmounts(price: Decimal, quantity: Decimal, rate: TaxRate): Amounts {
  return splitTax(multiply(price, quantity, 2), rate)
}

/** Splits a taxed amount at a rate, half up. */
export function splitTax(taxed: Decimal, rate: TaxRate): Amounts {
  const untaxed = divide(taxed, `${(100 + rate) / 100}`, 2)
  return { taxed_amount: taxed, untaxed_amount: untaxed, tax_amount: subtract(taxed, untaxed, 2) }
}

/** The header's amounts are the sums of its lines. */
export function totalAmounts(lines: Iterable<Amounts>): Amounts {
  const all = [...lines]
  return {
    untaxed_amount: sum(
      all.map(line => line.untaxed_amount),
      2,
    ),
    tax_amount: sum(
      all.map(line => line.tax_amount),
      2,
    ),
    taxed_amount: sum(
      all.map(line => line.taxed_amount),
      2,
    ),
  }
}
