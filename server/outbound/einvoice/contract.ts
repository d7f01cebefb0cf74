import type { Decimal } from '#kernel/values/decimal.ts'
import type { Day } from '#kernel/values/date.ts'

/**
 * What this program asks of whoever issues its electronic invoices (数电发票): each adapter implements
 * `InvoiceProvider` and nothing else, and no room knows which one an organisation has.
 *
 * Amounts are decimal strings in yuan with two decimals, negative on a red invoice; prices and quantities as the
 * program keeps them; rates are percents (13). Every call may be made again under the same request number.
 */

/** A line as it stands on the invoice. */
export type InvoiceOrderLine = {
  readonly line_no: number
  /** 行性质: a discounted line has its amount before the discount, and the line of its discount follows at once. */
  readonly nature: 'normal' | 'discounted' | 'discount'
  /** 项目名称 without the short name of its class, which the tax office adds. */
  readonly name: string
  /** 税收分类编码, 19 digits. */
  readonly tax_code: string
  readonly specification: string | null
  readonly unit: string | null
  /** Null where lines were merged that have no common price. */
  readonly quantity: Decimal | null
  /** Without tax; null with the quantity. */
  readonly price: Decimal | null
  readonly untaxed_amount: Decimal
  readonly tax_rate: Decimal
  readonly tax_amount: Decimal
  readonly has_preference: boolean
}

/** An invoice that is asked for. */
export type InvoiceOrder = {
  /** 请求流水号: what was asked under it is issued once, for ever. */
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
  readonly lines: readonly InvoiceOrderLine[]
}

/** A red invoice that is asked for: negative amounts, over lines of a blue one. */
export type RedOrder = Omit<InvoiceOrder, 'lines'> & {
  readonly blue_invoice_no: string
  /** ISO 8601 in UTC. */
  readonly blue_issued_at: string
  readonly blue_untaxed_amount: Decimal
  readonly blue_tax_amount: Decimal
  readonly reason: RedReason
  readonly lines: readonly (InvoiceOrderLine & { readonly blue_line_no: number })[]
}
export type RedReason = 'mistake' | 'returned' | 'stopped' | 'discount'

export type IssuedInvoice = {
  /** 发票号码, 20 digits. */
  readonly invoice_no: string
  readonly issued_on: Day
  /** ISO 8601 in UTC. */
  readonly issued_at: string
}
/** The result of a request: issued; still worked on; refused, in the provider's words; or it never arrived (null). */
export type InvoiceResult = IssuedInvoice | { readonly pending: true } | { readonly refused: string } | null

/** 红字确认单: agreed is what may be issued; asked waits for the buyer, for 72 hours. */
export type RedConfirmation = {
  readonly confirmation_id: string
  readonly confirmation_no: string
  readonly state: 'agreed' | 'asked' | 'refused' | 'expired'
}

/** 版式文件 of an issued invoice, as far as the provider has them. */
export type InvoiceFiles = Readonly<Partial<Record<'pdf' | 'ofd' | 'xml', Uint8Array>>>

/** 授信额度, and what is left of it. */
export type InvoiceQuota = { readonly limit: Decimal; readonly left: Decimal }

export type InvoiceProvider = {
  readonly issue: (order: InvoiceOrder) => Promise<Exclude<InvoiceResult, null>>
  readonly query: (requestNo: string) => Promise<InvoiceResult>
  readonly applyRed: (order: RedOrder) => Promise<RedConfirmation>
  readonly redState: (confirmationId: string) => Promise<RedConfirmation>
  /** Issues the red invoice of an agreed confirmation; asked again, it answers with the same number. */
  readonly issueRed: (requestNo: string, confirmationId: string) => Promise<Exclude<InvoiceResult, null>>
  readonly files: (invoiceNo: string, requestNo: string) => Promise<InvoiceFiles>
  /** Sends the files of an issued invoice to the buyer. */
  readonly deliver: (
    invoiceNo: string,
    requestNo: string,
    to: { readonly email: string | null; readonly phone: string | null },
  ) => Promise<void>
  /** Null: this provider has no such call. */
  readonly quota: () => Promise<InvoiceQuota | null>
}

/**
 * Why a call brought no answer that can be relied on. `refused`: the provider said no, in its words, and will say so
 * again; `unreachable`: nobody knows whether it was done; `unreadable`: something was answered that is no answer.
 */
export class ProviderError extends Error {
  readonly reason: 'refused' | 'unreachable' | 'unreadable'
  /** The provider's own code; null where it said none. */
  readonly code: string | null
  constructor(reason: ProviderError['reason'], message: string, code: string | null = null) {
    super(message)
    this.reason = reason
    this.code = code
    this.name = reason === 'unreachable' ? 'NetworkError' : 'ProviderError'
  }
}
