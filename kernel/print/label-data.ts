/** What a label is stuck on. */
export const labelTypes = {
  piece: '唯一码',
  lot: '批次',
  product: '产品',
  box: '箱',
  place: '货位',
  area: '库区',
  department: '科室',
} as const

/** What stands on a label, as the server puts it together and the page draws it. Prices only where the template names them. */
export type Label = {
  readonly key: string
  readonly type: keyof typeof labelTypes
  /** What people read under the carrier, and what it holds where goods have no GS1 code. */
  readonly code: string
  /** GS1 element string in brackets, and the Digital Link; null where the goods have no UDI-DI. */
  readonly gs1: string | null
  readonly link: string | null
  /** What a till reads on a trade item: a number of 13 digits; null where the goods have none. */
  readonly ean?: string | null
  /** Where the goods lie: the store, the place in it, and the department whose store it is. */
  readonly store_name?: string | null
  readonly location?: string | null
  readonly department_name?: string | null
  /** Of a place: what is said of it in place of goods, under its code in large letters. */
  readonly facts?: readonly (readonly [label: string, value: string])[]
  /** The organisation, as short as it calls itself. */
  readonly org_name: string
  readonly product_name: string
  readonly specification_name: string
  /** How much the label stands for: 1支, or a package with what is in it. */
  readonly quantity: string | null
  readonly manufacturer_name: string
  readonly registration_no: string | null
  readonly lot_no: string | null
  readonly production_date: string | null
  readonly expiry_date: string | null
  readonly supplier_name: string | null
  readonly charge_code: string | null
  /** What one costs the house, and for how much it leaves it: told only where the template names it, to whoever may see prices. */
  readonly cost_price?: string | null
  readonly sale_price?: string | null
  /** 寄售 or 买断; null of what is no stock. */
  readonly ownership: '寄售' | '买断' | null
  readonly marks: readonly string[]
  readonly times: number
  readonly printed_on: string
}
