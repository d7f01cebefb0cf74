import { randomBytes } from 'node:crypto'
import type { Carrier } from '#server/outbound/carriers.ts'
import type { FileStore } from '#server/files/store.ts'
import type { EInvoiceConnection } from '#server/outbound/einvoice/open.ts'
import type { HisConnection } from '#server/outbound/his/connected.ts'

/** The connections of a program, by its configuration: known where it starts, and different from test to test. */
export type Connections = {
  /** The carriers of calls to other systems, by the name of the system. */
  readonly carriers: Readonly<Record<string, Carrier>>
  /** The installation's own secret, from which the secrets of all devices are derived. */
  readonly deviceKey: Buffer
  /** The store for the bytes of uploaded files. */
  readonly files: FileStore
  /** The connection to the HIS of hospitals. */
  readonly his: HisConnection
  /** The connection to providers of electronic invoices. */
  readonly einvoice: EInvoiceConnection
}

let connected: Partial<Connections> = {}

/** Connects the program; what is not named stays as it was. */
export function connectWith(given: Partial<Connections>): void {
  connected = { ...connected, ...given }
}

/** The carrier of calls to a system; none where the installation is not connected with it. */
export const carrierOf = (system: string): Carrier | undefined => connected.carriers?.[system]

/** The connection to HIS; null where the installation has none. */
export const hisConnection = (): HisConnection | null => connected.his ?? null

/** The connection to providers of electronic invoices; null where the program has none. */
export const einvoiceConnection = (): EInvoiceConnection | null => connected.einvoice ?? null

/** Until the program is connected, as while the demo is seeded, only this process reads what it signs. */
const ofThisProcess = randomBytes(32)

/** Signs what is handed to a client and comes back. */
export const signingSecret = (): Buffer => connected.deviceKey ?? ofThisProcess

export function deviceKey(): Buffer {
  if (connected.deviceKey === undefined) throw new Error('the secret of devices was asked for before it was connected')
  return connected.deviceKey
}

export function fileStore(): FileStore {
  if (connected.files === undefined) throw new Error('files were asked for before their store was connected')
  return connected.files
}
