import type { Dimension } from '#kernel/definition/analysis.ts'

/** The dimensions by which settlements can be summed. Only the hospital sees departments, only the seller salesmen. */
export const settlementDimensions = {
  counterparty_name: { key: ['counterparty_sn', 'counterparty_sn'] },
  settlement_period: { key: ['settlement_period', 'settlement_period'] },
  department_name: { key: ['department_inner_sn', 'department_sn'] },
  handler_name: { key: ['handler_inner_sn', 'handler_sn'] },
  class_name: {},
  product_name: {
    beside: ['product_code', 'specification_name', 'unit_name', 'manufacturer_name'],
    key: ['specification_sn', 'specification_sn'],
  },
  manufacturer_name: { key: ['manufacturer', 'manufacturer_name'] },
  value_class: { key: ['value_class', 'value_class'] },
} as const satisfies Readonly<Record<string, Dimension>>
