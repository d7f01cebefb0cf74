import type { Dimension } from '#kernel/definition/analysis.ts'
import { f } from '#kernel/definition/field.ts'
import { narrowing, ofFinanceClass } from '#modules/platform/reports/item-columns.ts'

const { specification_sn, product, manufacturer } = narrowing

/** The filters on goods of a report whose SQL uses the fragments `named_product`, `made_by` and `of_class`. */
export const ofGoods = {
  specification_sn,
  product,
  manufacturer,
  custom_type_sn: f.ref('产品分类', 'customType', ofFinanceClass.finance_class_sn),
} as const

/** The dimensions by which goods can be summed, in a report with these filters and columns. */
export const goodsDimensions = {
  product_name: {
    beside: ['product_code', 'specification_name', 'unit_name', 'manufacturer_name'],
    key: ['specification_sn', 'specification_sn'],
  },
  class_name: {},
  manufacturer_name: { key: ['manufacturer', 'manufacturer_name'] },
} as const satisfies Readonly<Record<string, Dimension>>
