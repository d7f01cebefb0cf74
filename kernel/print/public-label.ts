/**
 * The content of a label's link for anyone who scans it: published catalogue data, and the lot data contained in the
 * link.
 */
export type PublishedGoods = {
  readonly di: string
  readonly product_name: string
  readonly specification_name: string
  readonly registration_no: string | null
  readonly lot_no: string | null
  readonly expiry_date: string | null
  readonly expired: boolean
}

/** The content of the symbol on a patient's card for anyone: goods, certificate, lot and the hospital's phone. */
export type PublishedCard = {
  readonly implants: readonly {
    readonly product_name: string
    readonly specification_name: string
    readonly certificate_no: string | null
    readonly lot_no: string | null
  }[]
  readonly hospital_phone: string | null
}

/** The page where signed-in users see the whole chain of the same goods. */
export const traceRoute = '/hospital/traceabilityManage'
