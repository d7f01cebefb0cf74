import { Unzip, UnzipInflate } from 'fflate'
import { BusinessError } from '#kernel/rules/errors.ts'
import { parseInteger } from '#kernel/values/integer.ts'

/**
 * Limits for a package of the regulator: its unpacked size, the ratio to its own size, and the length of one record.
 */
const MOST_UNPACKED = 40 * 1024 ** 3
const MOST_RATIO = 200
const FREE_BYTES = 20 * 1024 ** 2
const MOST_RECORD = 512 * 1024
const MOST_ENTRIES = 5000
const OPEN = '<device>'
const CLOSE = '</device>'

/** One device as in the file: its own tags, and the packs that hold it. */
export type UdiRecord = { readonly of: (tag: string) => string | null; readonly packs: readonly UdiPack[] }
export type UdiPack = {
  readonly di: string
  readonly level: string | null
  readonly count: number | null
  readonly holds: string | null
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const plain = (text: string): string =>
  text
    .replace(/^<!\[CDATA\[([\s\S]*)\]\]>$/, '$1')
    .replace(/&(?:#x([0-9a-fA-F]{1,6})|#(\d{1,7})|(\w+));/g, (whole, hex?: string, digits?: string, name?: string) => {
      const code = hex ? Number.parseInt(hex, 16) : digits ? parseInteger(digits) : null
      if (code !== null) return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : ''
      return entities[name ?? ''] ?? whole
    })
    .trim()

function tagIn(text: string, tag: string): string | null {
  const found = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(text)
  const value = found ? plain(found[1] ?? '') : ''
  return value === '' ? null : value
}

/** Reads one `<device>`: nested lists are cut out first, so that their tags are not mistaken for the device's own. */
export function readDevice(text: string): UdiRecord {
  const packing = /<packingList>([\s\S]*?)<\/packingList>/.exec(text)?.[1] ?? ''
  const own = text.replace(/<(packingList|storageList|clinicalList|contactList)>[\s\S]*?<\/\1>/g, '')
  const packs = [...packing.matchAll(/<packing>([\s\S]*?)<\/packing>/g)].flatMap(([, pack = '']) => {
    const [di, level, holds] = [tagIn(pack, 'bzcpbs'), tagIn(pack, 'cpbzjb'), tagIn(pack, 'bznhxyjbzcpbs')]
    const count = parseInteger(tagIn(pack, 'bznhxyjcpbssl'))
    if (di === null && level === null && holds === null) return []
    return [{ di: di ?? '', level, count: Number.isSafeInteger(count) && count > 0 ? count : null, holds }]
  })
  return { of: tag => tagIn(own, tag), packs }
}

/** Cuts records out of text that arrives in pieces; keeps no more than one unfinished record. */
export function recordCutter(): (piece: string) => string[] {
  let rest = ''
  return piece => {
    rest += piece
    if (/<!(DOCTYPE|ENTITY)/i.test(rest.slice(0, 4096))) throw new BusinessError('invalid', '数据文件不能包含DTD声明')
    const records: string[] = []
    for (;;) {
      const from = rest.indexOf(OPEN)
      if (from < 0) {
        rest = rest.slice(-OPEN.length)
        return records
      }
      const to = rest.indexOf(CLOSE, from)
      if (to < 0) {
        rest = rest.slice(from)
        if (rest.length > MOST_RECORD) throw new BusinessError('invalid', '数据文件中有一条记录过长，文件可能已损坏')
        return records
      }
      records.push(rest.slice(from + OPEN.length, to))
      rest = rest.slice(to + CLOSE.length)
    }
  }
}

/**
 * Devices of a package as a stream: unpacked piece by piece, so that a package of any size needs the same memory.
 * Zip bombs are refused.
 */
export async function* devicesOf(
  bytes: AsyncIterable<Buffer>,
  read: (done: number) => void,
): AsyncGenerator<UdiRecord[]> {
  let [packed, unpacked, entries] = [0, 0, 0]
  let waiting: string[] = []
  let failure: unknown = null
  const unzip = new Unzip(file => {
    entries++
    if (entries > MOST_ENTRIES) failure = new BusinessError('invalid', '压缩包内文件过多')
    if (!/\.xml$/i.test(file.name)) return
    const decoder = new TextDecoder('utf-8')
    const cut = recordCutter()
    file.ondata = (error, chunk, final) => {
      if (error) failure ??= new BusinessError('invalid', '压缩包已损坏，请重新下载')
      unpacked += chunk?.length ?? 0
      if (unpacked > MOST_UNPACKED || unpacked > FREE_BYTES + packed * MOST_RATIO)
        failure ??= new BusinessError('invalid', '压缩包解压后过大，已拒绝导入')
      if (failure !== null) return
      try {
        waiting.push(...cut(decoder.decode(chunk, { stream: !final })))
      } catch (thrown) {
        failure = thrown
      }
    }
    file.start()
  })
  unzip.register(UnzipInflate)
  for await (const chunk of bytes) {
    // Small chunks: one chunk of a zip bomb stays small as well.
    for (let at = 0; at < chunk.length; at += BITE) {
      const bite = chunk.subarray(at, at + BITE)
      packed += bite.length
      try {
        unzip.push(bite, false)
      } catch {
        failure ??= new BusinessError('invalid', '文件不是有效的压缩包')
      }
      if (failure !== null) throw failure
      read(packed)
      if (waiting.length > 0) {
        yield waiting.map(readDevice)
        waiting = []
      }
    }
  }
  unzip.push(new Uint8Array(0), true)
  if (failure !== null) throw failure
  if (waiting.length > 0) yield waiting.map(readDevice)
  if (entries === 0) throw new BusinessError('invalid', '压缩包里没有UDI数据文件')
}
const BITE = 8 * 1024
