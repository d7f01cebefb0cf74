import type { Carrier } from '#server/outbound/carriers.ts'

/** What a program is connected with, by its configuration: known where it starts, and different from test to test. */
export type Connections = {
  /** Who carries calls to other systems, by the name of the system. */
  readonly carriers: Readonly<Record<string, Carrier>>
  /** The installation's own secret, from which the secrets of all devices are derived. */
  readonly deviceKey: Buffer
}

let connected: Partial<Connections> = {}

/** Connects the program; what is not named stays as it was. */
export function connectWith(given: Partial<Connections>): void {
  connected = { ...connected, ...given }
}

/** The carrier of calls to a system; none where the installation is not connected with it. */
export const carrierOf = (system: string): Carrier | undefined => connected.carriers?.[system]

export function deviceKey(): Buffer {
  if (connected.deviceKey === undefined) throw new Error('the secret of devices was asked for before it was connected')
  return connected.deviceKey
}
