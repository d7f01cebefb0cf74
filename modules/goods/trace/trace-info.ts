import type { ParsedCode } from '#kernel/codes/parsed-code.ts'
import type { Decimal } from '#kernel/values/decimal.ts'
import type { Step } from '#kernel/ledger/posting.ts'

/**
 * One event of a piece or its lot, in order. Names hidden from this organisation are shown as type and province, or
 * not at all.
 */
export type TraceEvent = {
  readonly seq: string
  /** When it was posted. */
  readonly at: string
  /** When it happened, as its own document says; null where that is the posting. */
  readonly happened_at?: string | null
  readonly step: Step
  readonly step_name: string
  readonly from_org_name: string | null
  readonly from_place: string | null
  readonly to_org_name: string | null
  readonly to_place: string | null
  readonly quantity: string
  readonly document_kind: string
  readonly document_sn: string | null
  readonly actor: string | null
  readonly org_name: string | null
  readonly undo_of: string | null
  /** Happened to the lot before this piece was identified. */
  readonly is_lot: boolean
  readonly patient_no?: string | null
  readonly patient_name?: string | null
}

export type Holding = {
  readonly org_name: string | null
  readonly store: string | null
  readonly status: string
  readonly status_name: string
  readonly quantity: string
}

export type Candidate = {
  readonly code: string | null
  readonly lot_no: string
  readonly specification_sn: string
  readonly product_name?: string
  readonly specification_name?: string
  readonly query: string
}

/** The content of a sender's container; prices and sum where the reader may see any, null without an agreement. */
export type SentContainer = {
  readonly code: string
  readonly document_sn: string
  readonly sender_name: string
  readonly amount?: Decimal | null
  readonly unpriced?: number
  readonly goods: readonly {
    readonly specification_sn: string
    readonly product_name: string
    readonly specification_name: string
    readonly unit_name: string
    readonly lot_no: string
    readonly expiry_date: string | null
    readonly unit_codes: readonly string[]
    readonly quantity: Decimal
    readonly price?: Decimal | null
    readonly amount?: Decimal | null
  }[]
}

export type TraceInfo = {
  readonly parsed: ParsedCode
  readonly candidates?: readonly Candidate[]
  readonly container?: SentContainer
  readonly specification?: {
    readonly specification_sn: string
    readonly product_name: string
    readonly specification_name: string
    readonly specification_code: string
    readonly udi_di: string | null
    readonly unit_name: string
    readonly manufacturer_name: string
    readonly device_class: string
    readonly is_implant: boolean
    readonly registration_no: string | null
  } | null
  readonly lot?: {
    readonly lot_no: string
    readonly production_date: string | null
    readonly expiry_date: string | null
  } | null
  /** The recall that blocks the lot in this organisation. */
  readonly recall?: { readonly recall_sn: string; readonly title: string; readonly requirement: string | null } | null
  /** What this organisation has frozen of it. */
  readonly freezes?: readonly {
    readonly goods_freeze_sn: string
    /** Of a piece; null where the whole lot is frozen. */
    readonly code: string | null
    readonly reason: string
    readonly frozen_by: string | null
    readonly frozen_at: string
  }[]
  readonly unit?: {
    readonly code: string | null
    readonly codes: readonly string[]
    readonly status: string
    /** The combined pack that it is part of, with the codes of all parts. */
    readonly pack?: { readonly code: string; readonly parts: readonly string[] } | null
  } | null
  readonly now?: {
    readonly status: string
    readonly status_name: string
    readonly holder_name: string | null
    readonly place: string | null
    readonly location: string | null
  } | null
  readonly patient?: {
    readonly patient_no: string | null
    readonly patient_name: string | null
    readonly department_name: string | null
    readonly surgery_name: string | null
    readonly used_at: string | null
    readonly implant_site: string | null
  }
  readonly direction?: 'chain' | 'forward'
  readonly made?: string
  readonly held?: string
  readonly used?: string
  readonly gone?: string
  readonly organisations?: number
  readonly holders?: readonly Holding[]
  readonly uses?: readonly Holding[]
  readonly losses?: readonly Holding[]
}
