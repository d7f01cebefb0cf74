import { f } from '#kernel/definition/field.ts'

/** The delivery address and its contact: from the customer's master data, unless something else is entered. */
export const deliveredTo = {
  delivery_address: f.text('收货地址', { max: 200, partner: 'delivery_address' }),
  receiver: f.text('收货人', { max: 40, partner: 'contact' }),
  receiver_phone: f.text('联系电话', { max: 30, partner: 'phone' }),
} as const
