import { f } from '#kernel/definition/field.ts'

/** The trading partner as of that day: the columns both registers have of it. */
export const partnerOfTheDay = (called: string) =>
  ({
    partner_sn: f.ref(called, 'organisation', { readOnly: true }),
    partner_name: f.text(`${called}名称`, { readOnly: true, width: 200 }),
    partner_credit_code: f.text('统一社会信用代码', { readOnly: true, width: 170 }),
    partner_licence_no: f.text('许可证/备案凭证号', { readOnly: true, width: 180 }),
    partner_address: f.text('地址', { readOnly: true, width: 220 }),
    partner_contact: f.text('联系方式', { readOnly: true, width: 150 }),
  }) as const

/** The traded goods as of that day. Source of the columns: 医疗器械经营质量管理规范, on purchase and sales records. */
export const goodsOfTheDay = {
  specification_sn: f.ref('规格型号', 'specification', { readOnly: true }),
  product_name: f.text('产品名称', { readOnly: true, width: 200 }),
  specification_name: f.text('规格(型号)', { readOnly: true, width: 140 }),
  device_class: f.text('管理类别', { readOnly: true, width: 90 }),
  registration_no: f.text('注册证号/备案号', { readOnly: true, width: 180 }),
  registrant: f.text('注册人/备案人', { readOnly: true, width: 190 }),
  contract_maker: f.text('受托生产企业', { readOnly: true, width: 190 }),
  maker_licence_no: f.text('生产许可证号', { readOnly: true, width: 170 }),
  manufacturer_name: f.text('生产厂家', { readOnly: true, width: 190 }),
  storage_condition: f.text('储运条件', { readOnly: true, width: 120 }),
  is_implant: f.flag('植入', { readOnly: true }),
  unit_name: f.text('单位', { readOnly: true, width: 70 }),
} as const

/** Quantity, price and amount of the trade, in base units. */
export const countedOnTheDay = {
  quantity: f.quantity('数量', { readOnly: true }),
  price: f.price('含税单价', { readOnly: true }),
  amount: f.amount('含税金额', { readOnly: true }),
} as const
