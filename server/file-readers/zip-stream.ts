import { Unzip, UnzipInflate } from 'fflate'
import { BusinessError } from '#kernel/rules/errors.ts'
import { onlyInFileWorker } from '#server/file-workers/in-worker.ts'

/** Limits of a package: its unpacked size, the ratio to its own size, and the parts it has. */
const MOST_UNPACKED = 40 * 1024 ** 3
const MOST_RATIO = 200
const FREE_BYTES = 20 * 1024 ** 2
const MOST_PARTS = 5000
/** Small bites: one bite of a zip bomb stays small as well. */
const BITE = 8 * 1024

type PartReader = { readonly write: (text: string) => void; readonly end: () => void }

/**
 * Takes a zip file in pieces and gives its parts as text as they are unpacked, so that a package of any size needs the
 * same memory. `reader`: what reads a part, null where nobody does. Zip bombs are refused.
 */
export function unzipInPieces(reader: (name: string) => PartReader | null): (piece: Buffer | null) => void {
  onlyInFileWorker('a zip file')
  let [packed, unpacked, parts] = [0, 0, 0]
  let failure: unknown = null
  const unzip = new Unzip(part => {
    parts += 1
    if (parts > MOST_PARTS) failure = new BusinessError('invalid', '压缩包内文件过多')
    const found = reader(part.name)
    if (found === null) return
    const decoder = new TextDecoder('utf-8')
    part.ondata = (error, chunk, final) => {
      if (error) failure ??= new BusinessError('invalid', '压缩包已损坏，请重新下载')
      unpacked += chunk?.length ?? 0
      if (unpacked > MOST_UNPACKED || unpacked > FREE_BYTES + packed * MOST_RATIO)
        failure ??= new BusinessError('invalid', '压缩包解压后过大，已拒绝导入')
      if (failure !== null) return
      try {
        found.write(decoder.decode(chunk, { stream: !final }))
        if (final) found.end()
      } catch (thrown) {
        failure = thrown
      }
    }
    part.start()
  })
  unzip.register(UnzipInflate)
  const push = (bite: Uint8Array, isLast: boolean) => {
    try {
      unzip.push(bite, isLast)
    } catch {
      failure ??= new BusinessError('invalid', '文件不是有效的压缩包')
    }
    if (failure !== null) throw failure
  }
  return piece => {
    if (piece === null) return push(new Uint8Array(0), true)
    for (let at = 0; at < piece.length; at += BITE) {
      const bite = piece.subarray(at, at + BITE)
      packed += bite.length
      push(bite, false)
    }
  }
}
