import type { ParsedCode } from '#kernel/codes/parsed-code.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { post } from '#web/engine/http/request.ts'

/** The server's interpretation of a scanned string. */
export type Scanned = {
  readonly parsed: ParsedCode
  /** The product named by the code, with the unit and the base units per pack. */
  readonly specification: Row | null
  /** The serial, if the code is that of a single piece. */
  readonly unit: {
    readonly code: string
    readonly lot_no: string
    /** Base units in the code: one piece, or the contents of a pack. */
    readonly quantity?: string
    readonly status_name?: string | null
  } | null
  /** A combined pack, which is scanned as all its parts. */
  readonly pack?: { readonly code: string; readonly parts: readonly string[] } | null
  /** The numbers that the printed lot may have in the records, the likeliest first; null where the code prints none. */
  readonly lot_nos?: readonly string[] | null
  readonly lot: {
    readonly lot_no: string
    readonly production_date: string | null
    readonly expiry_date: string | null
  } | null
  /** The open recall of the lot, and what the organisation froze of it. */
  readonly recall?: { readonly recall_sn: string } | null
  readonly freezes?: readonly { readonly reason: string }[]
  /** Lots of the printed number that are recalled, stopped, frozen or expired; of any goods where it names none. */
  readonly held_lots?: readonly {
    readonly specification_sn: string
    readonly lot_no: string
    readonly recall_sn: string | null
    readonly stopped: boolean
    readonly freezes: readonly string[]
    readonly expired_on: string | null
  }[]
  /** The location, if the code is a location's; a code may exist in several warehouses of the organisation. */
  readonly place?: { readonly code: string; readonly warehouse_sns: readonly string[] } | null
}

export const parseScan = async (code: string): Promise<Scanned> =>
  (await post<Scanned>('/v1/code/parse', { code })).info
