import type { Sql } from 'postgres'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

/** A device that proved itself. */
export type Device = {
  readonly org: Session['org']
  readonly id: string
  readonly name: string
}

/** Why a request of a device is not even read: HTTP 401, with the reason for its maker. */
export class DeviceRejected extends Error {
  readonly reason: 'headers' | 'key' | 'disabled' | 'stale' | 'signature' | 'replayed'
  constructor(reason: DeviceRejected['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

/** One message of a device: its own number, what it is about, when it happened there, and the rest as it was sent. */
export type DeviceEvent = {
  readonly event_id: string
  readonly kind: string
  readonly at: string
  readonly is_late: boolean
  readonly payload: Readonly<Record<string, unknown>>
}
/** What became of it. `done`: worked; `refused`: understood and not allowed; `failed`: kept for people to look at; never lost. */
export type EventReply = {
  readonly event_id: string
  readonly state: 'waiting' | 'done' | 'refused' | 'failed'
  readonly msg: string
  readonly repeated: boolean
}

/** What a room does for its devices. The engine proves who speaks; the room knows what is said. */
export type DeviceHandler = {
  /** The key of a device of the organisation that the transaction acts for. Null: no such device or another key. */
  readonly keyOf: (
    tx: Tx,
    device: string,
    keyId: string,
  ) => Promise<{ readonly name: string; readonly isActive: boolean } | null>
  /** Notes that a request was accepted; false: it was accepted before. */
  readonly burn: (tx: Tx, device: Device, nonce: string) => Promise<boolean>
  /** Somebody spoke in the name of this device and could not prove it. */
  readonly suspect: (tx: Tx, device: Device, why: string, address: string) => Promise<void>
  readonly beat: (
    tx: Tx,
    device: Device,
    body: Readonly<Record<string, unknown>>,
  ) => Promise<Readonly<Record<string, unknown>>>
  /** Who may open what, and what lies where: what a device keeps for the time without network. */
  readonly plan: (tx: Tx, device: Device) => Promise<Readonly<Record<string, unknown>>>
  readonly take: (sql: Sql, device: Device, events: readonly DeviceEvent[]) => Promise<readonly EventReply[]>
}
