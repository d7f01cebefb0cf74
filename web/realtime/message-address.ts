import type { LiveMessage } from '#web/realtime/channel.ts'

type Extra = Readonly<Record<string, unknown>>

/** What travels beside a message; some senders write it as JSON text. */
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

/** Where a paper stands for this organisation; null when it has no page for that kind. */
type DocumentAddress = (kind: string, sn: string) => string | null

/** Where a click on a message leads, by its uri; null when it leads nowhere. */
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
    // Its text is all there is to it; the paper itself is the sender's.
    case 'notice':
      return null
    default:
      return ownAddress(message.uri) ?? documentAddress(message.uri ?? '', message.objectID ?? '')
  }
}

/** An address of this house, and of no other. */
const ownAddress = (uri: string | undefined): string | null =>
  uri?.startsWith('/') && !/^\/[\\/]/.test(uri) ? uri : null

/** A file that came to somebody: it is saved, no page is opened. */
export const isFile = (address: string): boolean => address.startsWith('/file/')
