import type { LiveMessage } from '#web/realtime/channel.ts'

type Extra = Readonly<Record<string, unknown>>

/** Extra data of a message; some senders send it as JSON text. */
export function extraOf(message: LiveMessage): Extra {
  const { extra } = message
  if (typeof extra !== 'string') return extra ?? {}
  try {
    const read = JSON.parse(extra) as unknown
    return typeof read === 'object' && read !== null ? (read as Extra) : {}
  } catch {
    return {}
  }
}

const to = (route: string, query: Readonly<Record<string, unknown>>): string =>
  `${route}?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value ?? '')]))}`

/** The address of a document for this organisation; null if it has no page for that kind. */
type DocumentAddress = (kind: string, sn: string) => string | null

/** The address a click on a message opens, by its uri; null if none. */
export function messageAddress(message: LiveMessage, documentAddress: DocumentAddress = () => null): string | null {
  const extra = extraOf(message)
  switch (message.uri) {
    case 'salesOrder':
      return to('/commonView/salesOrder', { salesOrderSn: extra.salesOrderSn ?? message.objectID })
    case 'voucher':
      return to('/hospital/SuppliesClaim', { voucher_sn: message.objectID })
    case 'so_sn':
      return to('/commonView/salesOrder', { so_sn: extra.salesOrderSn ?? message.objectID })
    case 'registration':
      return to('/ptm/agencyManage/RegistAudit', { name: extra.org_name, system_type: extra.system_type })
    // It only has a text; the document itself stays with the sender.
    case 'notice':
      return null
    default:
      return ownAddress(message.uri) ?? documentAddress(message.uri ?? '', message.objectID ?? '')
  }
}

/** An internal address, or null. */
const ownAddress = (uri: string | undefined): string | null =>
  uri?.startsWith('/') && !/^\/[\\/]/.test(uri) ? uri : null

/** A file sent to the user: it is downloaded, no page is opened. */
export const isFile = (address: string): boolean => address.startsWith('/file/')
