import type { Decimal } from '#kernel/values/decimal.ts'
import type { SheetLine } from '#modules/finance/invoicing/electronic/sheet-lines.ts'

export type LineOfSheet = SheetLine & { readonly has_preference: boolean }

type Header = {
  readonly request_no: string
  readonly invoice_type: 'e_special' | 'e_normal'
  readonly buyer_name: string
  readonly buyer_tax_no: string
  readonly buyer_address: string | null
  readonly buyer_bank: string | null
  readonly drawer: string | null
  readonly remark: string | null
  readonly untaxed_amount: Decimal
  readonly tax_amount: Decimal
  readonly taxed_amount: Decimal
}

/** A stored invoice in the words of the interface. */
export const sheetOrder = <Line extends LineOfSheet>(row: Header, lines: readonly Line[]) => ({
  request_no: row.request_no,
  invoice_type: row.invoice_type,
  buyer_name: row.buyer_name,
  buyer_tax_no: row.buyer_tax_no,
  buyer_address: row.buyer_address,
  buyer_bank: row.buyer_bank,
  drawer: row.drawer,
  remark: row.remark,
  untaxed_amount: row.untaxed_amount,
  tax_amount: row.tax_amount,
  taxed_amount: row.taxed_amount,
  lines: lines.map(({ item_name, item_model, unit_name, tax_rate, price, ...line }) => ({
    ...line,
    name: item_name,
    specification: item_model,
    unit: unit_name,
    price: price as Decimal | null,
    tax_rate: String(tax_rate) as Decimal,
  })),
})
