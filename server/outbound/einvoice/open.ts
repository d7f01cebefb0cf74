import type { Sql } from 'postgres'
import { watched } from '#server/outbound/calls.ts'
import { baiwang } from '#server/outbound/einvoice/baiwang.ts'
import type { InvoiceProvider } from '#server/outbound/einvoice/contract.ts'
import { einvoiceConnection } from '#server/registry/connections.ts'

export const BAIWANG_URL = 'https://openapi.baiwang.com/router/rest'
/** The method by which the stand-in answers with the quota; the real platform's public documents name none. */
export const QUOTA_METHOD = 'standin.output.quota'
/** The stand-in answers after two seconds: whoever waits so long for it waits for nothing. */
const STANDIN_PATIENCE_MS = 10_000

/** The addresses of providers: 百望, and the stand-in where one runs, with the key that it signs by. */
export type EInvoiceAddresses = {
  readonly baiwang: { readonly url: string; readonly quotaMethod: string | null }
  readonly standIn: {
    readonly url: string
    readonly appKey: string
    readonly appSecret: string
    readonly patienceMs?: number
  } | null
}

/** A program's connection to providers: their addresses, and the connection by which reads are recorded as attempts. */
export type EInvoiceConnection = { readonly addresses: EInvoiceAddresses; readonly sql: Sql }

export type EInvoiceChannel = 'baiwang' | 'standin'
/** An organisation's account with a provider; never shown once it is entered. */
export type EInvoiceKeys = {
  readonly appKey: string
  readonly appSecret: string
  readonly userName: string
  readonly password: string
  readonly salt: string
}
type Seller = { readonly org: string; readonly taxNo: string; readonly sellerName: string }

/** Under which name calls to providers are listed and counted. */
export const INVOICE_SYSTEM = 'invoice'

/** The provider of a channel; null where this installation is not connected with it, or the account has no keys. */
export function invoiceProvider(
  channel: EInvoiceChannel,
  keys: EInvoiceKeys | null,
  { org, ...seller }: Seller,
): InvoiceProvider | null {
  const connection = einvoiceConnection()
  if (connection === null) return null
  const { addresses, sql } = connection
  if (channel === 'standin') {
    if (addresses.standIn === null) return null
    const account = { userName: 'standin', password: 'standin', salt: '', quotaMethod: QUOTA_METHOD }
    return recorded(baiwang({ patienceMs: STANDIN_PATIENCE_MS, ...addresses.standIn, ...account, ...seller }), sql, org)
  }
  return keys === null ? null : recorded(baiwang({ ...addresses.baiwang, ...keys, ...seller }), sql, org)
}

/** Reads are attempts in the organisation's own books; what changes something goes through the outbox. */
function recorded(provider: InvoiceProvider, sql: Sql, org: string): InvoiceProvider {
  const read = <T>(name: string, request: object, call: () => Promise<T>) =>
    watched(sql, { org, system: INVOICE_SYSTEM, name, request: JSON.stringify(request) }, call)
  return {
    ...provider,
    query: request_no => read('查询开票结果', { request_no }, () => provider.query(request_no)),
    redState: id => read('查询红字确认单', { id }, () => provider.redState(id)),
    quota: () => read('查询授信额度', {}, () => provider.quota()),
  }
}
