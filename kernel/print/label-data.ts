/** The kinds of things that a label is attached to. */
export const labelTypes = {
  piece: '唯一码',
  lot: '批次',
  product: '产品',
  box: '箱',
  place: '货位',
  area: '库区',
  department: '科室',
  sign: '标识',
} as const

/** The content of a label, built by the server and drawn by the page. Prices only where the template names them. */
export type Label = {
  readonly key: string
  readonly type: keyof typeof labelTypes
  /** The human-readable text under the carrier, and its content where goods have no GS1 code. */
  readonly code: string
  /** GS1 element string in brackets, and the Digital Link; null where the goods have no UDI-DI. */
  readonly gs1: string | null
  readonly link: string | null
  /** The 13-digit retail number (EAN); null where the goods have none. */
  readonly ean?: string | null
  /** The place of the goods: the store, the location in it, and the store's department. */
  readonly store_name?: string | null
  readonly location?: string | null
  readonly department_name?: string | null
  /** For a location label: the text in place of goods, under its code in large letters. */
  readonly facts?: readonly (readonly [label: string, value: string])[]
  /** The organisation's short name. */
  readonly org_name: string
  readonly product_name: string
  readonly specification_name: string
  /** The quantity the label covers: 1支, or a package with its contents. */
  readonly quantity: string | null
  readonly manufacturer_name: string
  readonly registration_no: string | null
  readonly lot_no: string | null
  readonly production_date: string | null
  readonly expiry_date: string | null
  readonly supplier_name: string | null
  readonly charge_code: string | null
  /** Cost and selling price of one unit: included only where the template names them, for users who may see prices. */
  readonly cost_price?: string | null
  readonly sale_price?: string | null
  /** 寄售 or 买断; null for items that are not stock. */
  readonly ownership: '寄售' | '买断' | null
  readonly marks: readonly string[]
  readonly times: number
  readonly printed_on: string
}
