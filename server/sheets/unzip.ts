import { inflateRawSync } from 'node:zlib'
import { zipSync } from 'fflate'

const END = 0x06054b50
const ENTRY = 0x02014b50
const PART = 0x04034b50
/** The end record is within this many bytes of the file's end. */
const FARTHEST_END = 65_557
const MOST_PARTS = 2000
const STORED = 0
const DEFLATED = 8

export const isZip = (file: Buffer): boolean => file[0] === 0x50 && file[1] === 0x4b

/** How many bytes a zip file says that it unpacks to; null: not a zip file. Nothing is unpacked. */
export function sizeStated(file: Buffer): number | null {
  try {
    return entriesOf(file).reduce((sum, { unpacked }) => sum + unpacked, 0)
  } catch {
    return null
  }
}

/** A zip file with its parts packed without compression; see `unzipBounded`. */
export function repacked(file: Buffer, most: number): Uint8Array | 'tooBig' | null {
  const parts = unzipBounded(file, most)
  return parts === null || parts === 'tooBig' ? parts : zipSync(parts, { level: 0 })
}

/**
 * The parts of a zip file by name; `tooBig`: together more than `most` bytes; null: not a zip file. Its own size
 * declarations are not trusted.
 */
export function unzipBounded(file: Buffer, most: number): Record<string, Uint8Array> | 'tooBig' | null {
  const parts: Record<string, Uint8Array> = Object.create(null)
  let left = most
  try {
    for (const { name, method, packed } of entriesOf(file)) {
      const bytes = method === STORED ? packed : method === DEFLATED ? inflated(packed, left) : null
      if (bytes === null) return null
      left -= bytes.length
      if (left < 0) return 'tooBig'
      parts[name] = bytes
    }
    return parts
  } catch (error) {
    return (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE' ? 'tooBig' : null
  }
}

const inflated = (packed: Uint8Array, left: number) => inflateRawSync(packed, { maxOutputLength: left + 1 })

/** The entries of the table of contents. A file that is cut off or points outside itself throws. */
function entriesOf(file: Buffer): { name: string; method: number; packed: Uint8Array; unpacked: number }[] {
  let end = file.length - 22
  const first = Math.max(0, file.length - FARTHEST_END)
  while (end >= first && file.readUInt32LE(end) !== END) end -= 1
  if (end < first) throw new RangeError('no end of a zip file')
  const count = file.readUInt16LE(end + 10)
  if (count > MOST_PARTS) throw new RangeError('more parts than a workbook has')
  let at = file.readUInt32LE(end + 16)
  return Array.from({ length: count }, () => {
    if (file.readUInt32LE(at) !== ENTRY) throw new RangeError('no entry of a zip file')
    const [size, named, extra, comment] = [
      file.readUInt32LE(at + 20),
      file.readUInt16LE(at + 28),
      file.readUInt16LE(at + 30),
      file.readUInt16LE(at + 32),
    ]
    const unpacked = file.readUInt32LE(at + 24)
    const place = file.readUInt32LE(at + 42)
    if (file.readUInt32LE(place) !== PART) throw new RangeError('no part of a zip file')
    const start = place + 30 + file.readUInt16LE(place + 26) + file.readUInt16LE(place + 28)
    if (start + size > file.length) throw new RangeError('a part that breaks off')
    const name = file.toString('utf8', at + 46, at + 46 + named)
    const method = file.readUInt16LE(at + 10)
    at += 46 + named + extra + comment
    return { name, method, packed: file.subarray(start, start + size), unpacked }
  })
}
