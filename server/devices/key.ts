import { createHmac, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { deviceKey } from '#server/registry/connections.ts'

/**
 * The installation's own secret, from which the secrets of all devices are derived: `DEVICE_KEY`, else a file of the
 * data folder created on the first start. Several servers of one installation must share it.
 */
export function loadDeviceKey(given: string | null, dataDir: string): Buffer {
  if (given !== null) return Buffer.from(given, 'utf8')
  const file = path.join(dataDir, 'device.key')
  mkdirSync(dataDir, { recursive: true })
  if (!existsSync(file)) {
    try {
      writeFileSync(file, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' })
    } catch (error) {
      // Another process of this installation was faster.
      if ((error as { code?: string }).code !== 'EEXIST') throw error
    }
  }
  return Buffer.from(readFileSync(file, 'utf8').trim(), 'utf8')
}

/** A new name for a key. It contains its owner, so that a request finds its organisation; it is not secret. */
export const newKeyId = (org: string, device: string): string => `${org}.${device}.${randomBytes(8).toString('hex')}`

/** The secret of a key. It is not stored: a copy of the database cannot sign anything. */
export const secretOf = (keyId: string): string =>
  createHmac('sha256', deviceKey()).update(`device/${keyId}`).digest('base64url')

/** The organisation and device in a key's name; null when the name is invalid. */
export function ownerOfKey(keyId: string): { org: string; device: string } | null {
  const parts = /^(\d{1,18})\.(\d{1,18})\.[0-9a-f]{16}$/.exec(keyId)
  return parts === null ? null : { org: parts[1]!, device: parts[2]! }
}
