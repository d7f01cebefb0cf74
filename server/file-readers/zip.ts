import { inflateRawSync } from 'node:zlib'
import { Inflate, zipSync } from 'fflate'
import { BusinessError } from '#kernel/rules/errors.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { onlyInFileWorker } from '#server/file-workers/in-worker.ts'

const END = 0x06054b50
const ENTRY = 0x02014b50
const PART = 0x04034b50
/** The end record is within this many bytes of the file's end. */
const FARTHEST_END = 65_557
const MOST_PARTS = 2000
const STORED = 0
const DEFLATED = 8
/** A bite of packed bytes unpacks to at most a thousand times as much. */
const BITE = 16 * 1024

type Entry = { readonly name: string; readonly method: number; readonly packed: Uint8Array; readonly unpacked: number }

export const isZip = (file: Buffer): boolean => file[0] === 0x50 && file[1] === 0x4b

export const tooBig = () => new BusinessError('invalid', '文件解压后过大，请分批导入')
const broken = () => new BusinessError('invalid', '文件是不完整或已损坏的压缩格式，请重新保存后再上传')

/** The names in the table of contents; null: there is none. Nothing is unpacked. */
export function namesIn(file: Buffer): readonly string[] | null {
  try {
    return entriesOf(file).map(({ name }) => name)
  } catch {
    return null
  }
}

/** A zip file: which parts it has, and each of them unpacked, together never more than it may be. */
export class Zip {
  readonly #entries: ReadonlyMap<string, Entry>
  #left: number

  /** Checks the sizes in the table of contents first, and counts again while parts are unpacked. */
  constructor(file: Buffer, mostUnpacked: number) {
    onlyInFileWorker('a zip file')
    try {
      this.#entries = new Map(entriesOf(file).map(entry => [entry.name, entry]))
    } catch {
      throw broken()
    }
    this.#left = mostUnpacked
    if ([...this.#entries.values()].reduce((sum, { unpacked }) => sum + unpacked, 0) > mostUnpacked) throw tooBig()
  }

  get names(): readonly string[] {
    return [...this.#entries.keys()]
  }

  /** A part as it is unpacked, bite by bite; false: there is none. */
  stream(name: string, take: (bytes: Uint8Array) => void): boolean {
    const entry = this.#entries.get(name)
    if (!entry) return false
    const counted = (bytes: Uint8Array) => {
      this.#left -= bytes.length
      if (this.#left < 0) throw tooBig()
      take(bytes)
    }
    if (entry.method === STORED) counted(entry.packed)
    else if (entry.method === DEFLATED) inflated(entry.packed, counted)
    else throw broken()
    return true
  }

  /** A part as text, bite by bite. */
  text(name: string, take: (text: string) => void): boolean {
    const decoder = new TextDecoder('utf-8')
    const isThere = this.stream(name, bytes => take(decoder.decode(bytes, { stream: true })))
    take(decoder.decode())
    return isThere
  }

  /** A whole part; null: there is none. */
  bytes(name: string): Buffer | null {
    const entry = this.#entries.get(name)
    if (!entry) return null
    if (entry.method !== STORED && entry.method !== DEFLATED) throw broken()
    try {
      const bytes = entry.method === STORED ? entry.packed : inflateRawSync(entry.packed, limit(this.#left))
      this.#left -= bytes.length
      if (this.#left < 0) throw tooBig()
      return Buffer.from(bytes)
    } catch (error) {
      if (error instanceof BusinessError) throw error
      throw (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE' ? tooBig() : broken()
    }
  }

  /** The same file with all parts unpacked, for a library that opens zip files itself. */
  repacked(): Uint8Array {
    const parts: Record<string, Uint8Array> = Object.create(null)
    for (const name of this.names) parts[name] = this.bytes(name)!
    return zipSync(parts, { level: 0 })
  }
}

const limit = (left: number) => ({ maxOutputLength: left + 1 })

function inflated(packed: Uint8Array, take: (bytes: Uint8Array) => void): void {
  const inflate = new Inflate(take)
  try {
    for (let at = 0; at < packed.length; at += BITE)
      inflate.push(packed.subarray(at, at + BITE), at + BITE >= packed.length)
  } catch (error) {
    throw error instanceof BusinessError ? error : broken()
  }
}

/** Sizes and places that stand in a further field of their own (Zip64), as some programs always write them. */
const ELSEWHERE = 0xff_ff_ff_ff
const [ZIP64, ZIP64_END, ZIP64_LOCATOR] = [0x0001, 0x06064b50, 0x07064b50] as const

const big = (file: Buffer, at: number): number => parseInteger(file.readBigUInt64LE(at))

/** How many entries the table of contents has, and where it begins. */
function contentsOf(file: Buffer): { readonly count: number; readonly at: number } {
  let end = file.length - 22
  const first = Math.max(0, file.length - FARTHEST_END)
  while (end >= first && file.readUInt32LE(end) !== END) end -= 1
  if (end < first) throw new RangeError('no end of a zip file')
  const [count, at] = [file.readUInt16LE(end + 10), file.readUInt32LE(end + 16)]
  if (at !== ELSEWHERE && count !== 0xff_ff) return { count, at }
  if (file.readUInt32LE(end - 20) !== ZIP64_LOCATOR) throw new RangeError('no locator of a zip file')
  const further = big(file, end - 12)
  if (file.readUInt32LE(further) !== ZIP64_END) throw new RangeError('no further end of a zip file')
  return { count: big(file, further + 32), at: big(file, further + 48) }
}

/** The values of an entry that stand elsewhere, in their order, out of its extra fields. */
function further(extra: Buffer, said: readonly number[]): readonly number[] {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== ZIP64) continue
    let next = at + 4
    return said.map(value => (value === ELSEWHERE ? big(extra, (next += 8) - 8) : value))
  }
  return said
}

/** The entries of the table of contents. A file that is cut off or points outside itself throws. */
function entriesOf(file: Buffer): Entry[] {
  const contents = contentsOf(file)
  if (contents.count > MOST_PARTS) throw new RangeError('more parts than a workbook has')
  let { at } = contents
  return Array.from({ length: contents.count }, () => {
    if (file.readUInt32LE(at) !== ENTRY) throw new RangeError('no entry of a zip file')
    const [named, extra, comment] = [file.readUInt16LE(at + 28), file.readUInt16LE(at + 30), file.readUInt16LE(at + 32)]
    const [unpacked = 0, size = 0, place = 0] = further(file.subarray(at + 46 + named, at + 46 + named + extra), [
      file.readUInt32LE(at + 24),
      file.readUInt32LE(at + 20),
      file.readUInt32LE(at + 42),
    ])
    if (file.readUInt32LE(place) !== PART) throw new RangeError('no part of a zip file')
    const start = place + 30 + file.readUInt16LE(place + 26) + file.readUInt16LE(place + 28)
    if (start + size > file.length) throw new RangeError('a part that breaks off')
    const name = file.toString('utf8', at + 46, at + 46 + named)
    const method = file.readUInt16LE(at + 10)
    at += 46 + named + extra + comment
    return { name, method, packed: file.subarray(start, start + size), unpacked }
  })
}
