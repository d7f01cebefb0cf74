import type { ParsedCode } from '#kernel/codes/parsed-code.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { post } from '#web/engine/http/request.ts'

/** What the server reads out of a scanned string. */
export type Scanned = {
  readonly parsed: ParsedCode
  /** The product that the code names, with the unit and how many base units a pack holds. */
  readonly specification: Row | null
  /** The single piece, when the code is one's. */
  readonly unit: { readonly code: string; readonly lot_no: string; readonly status_name?: string | null } | null
  readonly lot: {
    readonly lot_no: string
    readonly production_date: string | null
    readonly expiry_date: string | null
  } | null
  /** The place on a shelf, when the code is a place's; a code may stand in several stores of the house. */
  readonly place?: { readonly code: string; readonly warehouse_sns: readonly string[] } | null
}

export const parseScan = async (code: string): Promise<Scanned> =>
  (await post<Scanned>('/v1/code/parse', { code })).info
