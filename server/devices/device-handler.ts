import type { Sql } from 'postgres'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

/** An authenticated device. */
export type Device = {
  readonly org: Session['org']
  readonly id: string
  readonly name: string
}

/** Why a device's request is not even read: HTTP 401, with the reason for its maker. */
export class DeviceRejected extends Error {
  readonly reason: 'headers' | 'key' | 'disabled' | 'stale' | 'signature' | 'replayed'
  constructor(reason: DeviceRejected['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

/** One message of a device: its own number, subject, time on the device, and the rest as sent. */
export type DeviceEvent = {
  readonly event_id: string
  readonly kind: string
  readonly at: string
  readonly is_late: boolean
  readonly payload: Readonly<Record<string, unknown>>
}
/**
 * The result of an event. `done`: processed; `refused`: understood and not allowed; `failed`: kept for users to look
 * at; never lost.
 */
export type EventReply = {
  readonly event_id: string
  readonly state: 'waiting' | 'done' | 'refused' | 'failed'
  readonly msg: string
  readonly repeated: boolean
}

/** The part of a module that handles devices. The engine authenticates the device; the module handles the content. */
export type DeviceHandler = {
  /**
   * The key of a device of the organisation that the transaction acts for. Null: no such device, or it has another
   * key.
   */
  readonly keyOf: (
    tx: Tx,
    device: string,
    keyId: string,
  ) => Promise<{ readonly name: string; readonly isActive: boolean } | null>
  /** Records that a request was accepted; false: it was accepted before. */
  readonly burn: (tx: Tx, device: Device, nonce: string) => Promise<boolean>
  /** A request in the name of this device could not be authenticated. */
  readonly suspect: (tx: Tx, device: Device, why: string, address: string) => Promise<void>
  readonly beat: (
    tx: Tx,
    device: Device,
    body: Readonly<Record<string, unknown>>,
  ) => Promise<Readonly<Record<string, unknown>>>
  /** The data that a device keeps for times without network: which users may open what, and what is stored where. */
  readonly plan: (tx: Tx, device: Device) => Promise<Readonly<Record<string, unknown>>>
  readonly take: (sql: Sql, device: Device, events: readonly DeviceEvent[]) => Promise<readonly EventReply[]>
}
