import { f } from '#kernel/definition/field.ts'

/** Shipping data of goods: the carrier, the number of boxes, and what the receiver needs to know of the cold chain. */
export const shippingFields = {
  carrier: f.text('承运单位', { max: 60 }),
  shipped_on: f.day('发货日期', { hint: '留空为审核日期' }),
  package_count: f.count('件数(箱)', { min: '1', max: 100000 }),
  departed_at: f.instant('启运时间', { forCold: true }),
  departure_temperature: f.text('启运温度', { max: 20, forCold: true }),
  cold_box_no: f.text('冷藏箱编号', { max: 60, forCold: true }),
  temperature_logger_no: f.text('温度记录仪编号', { max: 60, forCold: true }),
} as const

/** All of it is sent to the receiver: matching fields are copied to its arrival, the rest is on the copy. */
export const sharedShippingFields = Object.keys(shippingFields) as readonly (keyof typeof shippingFields)[]
