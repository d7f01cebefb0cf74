/** 费用类别: the classes of goods by which a service fee has its rate. */
export const feeClasses = { dear: '高值', cheap: '低值', reagent: '试剂', bone: '骨科跟台', other: '其他' } as const
export type FeeClass = keyof typeof feeClasses

/** The class of a settlement, by its type; one without a type is of the others. */
export const classOfSettlement = {
  high_value: 'dear',
  low_value: 'cheap',
  reagent: 'reagent',
  surgery: 'bone',
} as const
