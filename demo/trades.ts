import { demoTable } from '#demo/tables.ts'

/** A branch of medicine that has goods of its own. */
export type Trade = '介入' | '骨科' | '外科' | '眼科' | '检验' | '缝合'

const words = (cell: string | null | undefined): readonly string[] => cell?.split(' ') ?? []
const trades = demoTable('trades').map(row => ({
  trade: row.trade,
  products: words(row.products),
  departments: words(row.departments),
}))

/** The codes of a trade's products. */
export const productsOf = (trade: Trade): string[] => [...trades.find(each => each.trade === trade)!.products]

/** True if a department has use for a product, both by code. Goods of no trade are used everywhere. */
export function fits(department: string, product: string): boolean {
  const trade = trades.find(each => each.products.includes(product))
  return trade === undefined || trade.departments.includes(department)
}
