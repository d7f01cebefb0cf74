import { Worker } from 'node:worker_threads'
import { zipSync } from 'fflate'
import { BusinessError } from '#kernel/rules/errors.ts'
import { parseSheet, type Sheet } from '#server/sheets/parse.ts'
import { RateLimited } from '#server/access/overload.ts'
import { unzipBounded } from '#server/sheets/unzip.ts'

const MB = 1024 * 1024
/** Maximum unpacked bytes of a workbook; no sheet within our row limit comes near. */
const MOST_UNPACKED = 96 * MB
/** Small files are read directly; bigger ones in a separate thread, so that no other call waits. */
const MOST_AT_ONCE = MB
const PATIENCE_MS = 20_000
const MOST_MEMORY_MB = 768
/** Big workbooks that are read at the same time. */
const MOST_BESIDE = 2
let readBeside = 0

/**
 * Reads the first sheet of an .xls or .xlsx: headings in the first row, then rows; empty rows and examples are
 * skipped.
 */
export async function readSheet(file: Buffer): Promise<Sheet> {
  const { bytes, size } = unpackedOnce(file)
  return size <= MOST_AT_ONCE ? parseSheet(bytes) : beside(bytes)
}

/** An .xlsx is a zip file: we unpack it within limits, and repack it without compression for the reader. */
function unpackedOnce(file: Buffer): { bytes: Uint8Array; size: number } {
  if (file[0] !== 0x50 || file[1] !== 0x4b) return { bytes: file, size: file.length }
  const parts = unzipBounded(file, MOST_UNPACKED)
  if (parts === 'tooBig') throw new BusinessError('invalid', '文件解压后过大，请分批导入')
  if (parts === null) throw new BusinessError('invalid', '文件无法识别，请使用 .xls 或 .xlsx 格式')
  const bytes = zipSync(parts, { level: 0 })
  return { bytes, size: bytes.length }
}

/** The worker's reply: the sheet, or why it is not one. */
export type WorkerReply = { readonly sheet: Sheet } | { readonly refused: string }

function beside(bytes: Uint8Array): Promise<Sheet> {
  if (readBeside >= MOST_BESIDE) throw new RateLimited(5)
  readBeside += 1
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: bytes,
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB },
  })
  const tooMuch = () => new BusinessError('invalid', '文件内容过多，无法读取，请分批导入')
  return new Promise<Sheet>((resolve, reject) => {
    const timer = setTimeout(() => reject(tooMuch()), PATIENCE_MS)
    worker.once('message', (notified: WorkerReply) => {
      clearTimeout(timer)
      if ('sheet' in notified) resolve(notified.sheet)
      else reject(new BusinessError('invalid', notified.refused))
    })
    worker.once('error', () => reject(tooMuch()))
    worker.once('exit', () => (clearTimeout(timer), reject(tooMuch())))
  }).finally(() => {
    readBeside -= 1
    return worker.terminate()
  })
}
