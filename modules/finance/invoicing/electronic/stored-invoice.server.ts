import type { Decimal } from '#kernel/values/decimal.ts'
import { type LineOfSheet, sheetOrder } from '#modules/finance/invoicing/electronic/sheet-order.ts'
import type { EInvoiceChannel, RedReason } from '#server/public/outbound.ts'
import type { Tx } from '#server/public/database.ts'

/** A row of 电子发票 as the program uses it. */
export type StoredInvoice = {
  readonly id: string
  readonly request_no: string
  readonly document_id: string
  /** The kind of that document: see `invoiceSourceOf`. */
  readonly document_kind: string
  readonly document_sn: string
  readonly channel: EInvoiceChannel
  readonly buyer_name: string
  readonly buyer_tax_no: string
  readonly buyer_address: string | null
  readonly buyer_bank: string | null
  readonly buyer_email: string | null
  readonly buyer_phone: string | null
  readonly invoice_type: 'e_special' | 'e_normal'
  readonly colour: 'blue' | 'red'
  readonly blue_id: string | null
  readonly blue_invoice_no: string | null
  readonly red_reason: RedReason | null
  readonly red_confirm_id: string | null
  readonly red_confirm_state: 'asked' | 'agreed' | 'refused' | 'expired' | null
  readonly drawer: string | null
  readonly remark: string | null
  readonly untaxed_amount: Decimal
  readonly tax_amount: Decimal
  readonly taxed_amount: Decimal
  readonly reversed_amount: Decimal
  readonly invoice_no: string | null
  readonly issued_at: string | null
  readonly state: 'pending' | 'issuing' | 'issued' | 'failed' | 'redConfirming' | 'reversed' | 'closed'
  readonly sent_at: string | null
  readonly outcome_unknown: boolean
  readonly polls: number
  readonly pdf: readonly string[]
}

const columns = (tx: Tx) => tx`
  id, request_no, document_id, document_sn, channel, buyer_name, buyer_tax_no, buyer_address, buyer_bank, buyer_email,
  buyer_phone, invoice_type, colour, blue_id, blue_invoice_no, red_reason, red_confirm_id, red_confirm_state, drawer,
  remark, untaxed_amount, tax_amount, taxed_amount, reversed_amount, invoice_no,
  to_char(issued_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as issued_at, state, sent_at::text,
  (select d.kind from document d where d.org_id = e_invoice.org_id and d.id = e_invoice.document_id) as document_kind,
  outcome_unknown, polls, pdf`

export async function invoiceById(tx: Tx, org: string, id: string, lock = false): Promise<StoredInvoice | undefined> {
  const [row] = await tx<StoredInvoice[]>`
    select ${columns(tx)} from e_invoice where org_id = ${org} and id = ${id} ${lock ? tx`for update` : tx``}`
  return row
}

/** The live request of a document: the one that is neither closed nor superseded. */
export async function liveInvoiceOf(tx: Tx, org: string, document: string): Promise<StoredInvoice | undefined> {
  const [row] = await tx<StoredInvoice[]>`
    select ${columns(tx)} from e_invoice
     where org_id = ${org} and document_id = ${document} and state <> 'closed' for update`
  return row
}

/** Rows by their keys, locked in the order of the keys so that two people never wait for each other. */
export const invoicesOf = (tx: Tx, org: string, keys: readonly string[]) => tx<StoredInvoice[]>`
  select ${columns(tx)} from e_invoice where org_id = ${org} and id::text = any(${[...keys]}) order by id for update`

export const linesOfInvoice = (tx: Tx, org: string, id: string) => tx<
  (LineOfSheet & { blue_line_no: number | null })[]
>`
  select line_no, nature, blue_line_no, item_name, tax_code, item_model, unit_name, quantity, price, untaxed_amount,
         tax_rate, tax_amount, has_preference
    from e_invoice_line where org_id = ${org} and e_invoice_id = ${id} order by line_no`

/** The order that is sent to the provider. */
export async function orderOf(tx: Tx, org: string, row: StoredInvoice) {
  return sheetOrder(row, await linesOfInvoice(tx, org, row.id))
}
