import type { Dimension, Measure } from '#kernel/definition/analysis.ts'
import { f } from '#kernel/definition/field.ts'

/** The dimensions by which uses can be summed. Only the hospital sees departments, doctors and operations. */
export const useDimensions = {
  department_name: { key: ['department_inner_sn', 'department_sn'] },
  hospital_name: { key: ['counterparty_sn', 'counterparty_sn'] },
  product_name: {
    beside: ['product_code', 'specification_name', 'unit_name', 'manufacturer_name'],
    key: ['specification_sn', 'specification_sn'],
  },
  class_name: {},
  supplier_name: { key: ['supplier_sn', 'supplier_sn'] },
  manufacturer_name: { key: ['manufacturer', 'manufacturer_name'] },
  use_type: { key: ['use_type', 'use_type'] },
  regime: { key: ['regime', 'regime'] },
  value_class: { key: ['value_class', 'value_class'] },
} as const satisfies Readonly<Record<string, Dimension>>

/** The dimensions of surgeons and operations, for readers with the right 查看医生维度. */
export const surgeryDimensions = {
  doctor_name: { key: ['doctor_inner_sn', 'doctor_sn'], right: 'doctor' },
  surgery_name: { key: ['surgery_name', 'surgery_name'] },
} as const satisfies Readonly<Record<string, Dimension>>

/** Shares, ranks and comparisons of one measure, with their columns. Fractions: 0.2 is 20 %. */
export const comparisonColumns = {
  share: f.rate('占比'),
  rank: f.count('排名'),
  year_change: f.rate('同比', { width: 120 }),
  change: f.rate('环比', { width: 120 }),
} as const
export const comparisonOf = (of: string) =>
  ({
    share: { share: of },
    rank: { rank: of },
    year_change: { change: of, against: 'year' },
    change: { change: of, against: 'previous' },
  }) as const satisfies Readonly<Record<string, Measure>>

/** Pieces are added within one specification only. */
export const pieces = (sum: string): Measure => ({ sum, within: 'specification_sn' })
