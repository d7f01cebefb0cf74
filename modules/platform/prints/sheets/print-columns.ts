import type { PrintColumn } from '#kernel/print/print-definition.ts'

/** Paper sizes with the number of lines per page: the three-copy form first, or a sheet of A4. */
export const form = [
  { paper: 'form140', lines: 8 },
  { paper: 'A4', lines: 25 },
  { paper: 'A5L', lines: 8 },
] as const
export const wide = [
  { paper: 'A4L', lines: 16 },
  { paper: 'A4', lines: 22 },
] as const
export const sheet = [
  { paper: 'A4', lines: 22 },
  { paper: 'A4L', lines: 14 },
  { paper: 'form140', lines: 8 },
] as const

/** Columns shared by printed sheets; their shares add up to about a hundred. */
export const column = {
  product_name: { name: 'product_name', label: '产品名称', share: 16 },
  specification_name: { name: 'specification_name', label: '规格型号', share: 12 },
  manufacturer_name: { name: 'manufacturer_name', label: '生产厂家', share: 14 },
  maker: { name: 'manufacturer_name', label: '注册人/生产企业', share: 14 },
  registration_no: { name: 'registration_no', label: '注册证号', share: 15 },
  lot_no: { name: 'lot_no', label: '批号/序列号', share: 11.5 },
  production_date: { name: 'production_date', label: '生产日期', share: 11 },
  expiry_date: { name: 'expiry_date', label: '有效期至', share: 11 },
  unit_name: { name: 'unit_name', label: '单位', share: 4 },
  quantity: { name: 'quantity', label: '数量', share: 6, as: 'quantity' },
  price: { name: 'price', label: '含税单价', share: 8, as: 'price' },
  tax_rate: { name: 'tax_rate', label: '税率', share: 5, as: 'percent' },
  amount: { name: 'taxed_amount', label: '金额', share: 9, as: 'amount' },
  storage: { name: 'storage_condition', label: '储运条件', share: 10 },
  location: { name: 'location', label: '货位', share: 8 },
  /** Valid on the date of the document. */
  insurance_code: { name: 'insurance_code', label: '国家医保编码', share: 15, onRequest: true },
  remark: { name: 'remark', label: '备注', share: 7 },
} as const satisfies Readonly<Record<string, PrintColumn>>
