import { BusinessError } from '#kernel/rules/errors.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import type { UdiPack, UdiRecord } from '#modules/trade/catalogue/udi/udi-record.ts'
import { unzipInPieces, xmlReader, type XmlListener } from '#server/public/file-reading.ts'

const LONGEST_RECORD = 512 * 1024
/** Lists within a device: their elements are not its own. */
const LISTS: ReadonlySet<string> = new Set(['packingList', 'storageList', 'clinicalList', 'contactList'])

type Said = Record<string, string>
const nothing = (): Said => Object.create(null) as Said

function packOf({ bzcpbs: di, cpbzjb: level, bznhxyjbzcpbs: holds, bznhxyjcpbssl: number }: Said): UdiPack[] {
  if (!di && !level && !holds) return []
  const count = parseInteger(number ?? '')
  return [
    {
      di: di ?? '',
      level: level ?? null,
      count: Number.isSafeInteger(count) && count > 0 ? count : null,
      holds: holds ?? null,
    },
  ]
}

/** Receives the devices of a data file, one after the other; keeps no more than one that is not finished. */
export function deviceListener(found: (record: UdiRecord) => void): XmlListener {
  let [own, packs]: [Said | null, UdiPack[]] = [null, []]
  let pack: Said | null = null
  let [list, text, length]: [string | null, string[], number] = [null, [], 0]
  const note = (name: string) => {
    const value = text.join('').trim()
    text = []
    const into = pack ?? (list === null ? own : null)
    if (into !== null && value !== '') into[name] ??= value
  }
  return {
    open(name) {
      text = []
      if (name === 'device') [own, packs, list, pack, length] = [nothing(), [], null, null, 0]
      else if (list === null && LISTS.has(name)) list = name
      else if (list === 'packingList' && name === 'packing') pack = nothing()
    },
    text(said) {
      if (own === null) return
      length += said.length
      if (length > LONGEST_RECORD) throw new BusinessError('invalid', '数据文件中有一条记录过长，文件可能已损坏')
      text.push(said)
    },
    close(name) {
      if (name === 'packing' && pack !== null) {
        packs.push(...packOf(pack))
        pack = null
      } else if (name === list) list = null
      else if (name === 'device' && own !== null) {
        found({ said: own, packs })
        own = null
      } else note(name)
      text = []
    },
  }
}

/** Reads a package of the regulator in pieces: the devices that each piece completes. */
export default function udiPackage(): (piece: Buffer | null) => UdiRecord[] {
  let waiting: UdiRecord[] = []
  const take = unzipInPieces(name =>
    name.toLowerCase().endsWith('.xml') ? xmlReader(deviceListener(record => void waiting.push(record))) : null,
  )
  return piece => {
    take(piece)
    const done = waiting
    waiting = []
    return done
  }
}
