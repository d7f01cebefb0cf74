import { Worker } from 'node:worker_threads'
import { BusinessError } from '#kernel/rules/errors.ts'
import { RateLimited } from '#server/access/overload.ts'
import { parseCells, parseSheet, type Sheet } from '#server/sheets/parse.ts'
import { isZip, repacked, sizeStated } from '#server/sheets/unzip.ts'

const MB = 1024 * 1024
/** Maximum unpacked bytes of a workbook; no sheet within our row limit comes near. */
const MOST_UNPACKED = 96 * MB
/** Small files are read directly; bigger ones in a separate thread, so that no other call waits. */
const MOST_AT_ONCE = MB
const PATIENCE_MS = 20_000
const MOST_MEMORY_MB = 768
/** Big workbooks that are read at the same time, by one person and in all; a few more wait for their turn. */
const MOST_OF_ONE = 2
const MOST_BESIDE = 2
const MOST_WAITING = 20

/**
 * Reads the first sheet of an .xls, .xlsx or .csv that a user sent: headings in the first row, then rows; empty rows
 * and examples are skipped. Called outside a transaction: a big file waits for its turn. What a file says of its size
 * is read before anything is unpacked, and is not believed while it is.
 */
export const readSheet = (file: Buffer, userId: string): Promise<Sheet> => readAs('sheet', file, userId)

/** Reads the same kinds of files cell by cell, for files whose headings may stand anywhere: those of recorders. */
export const readCells = (file: Buffer, userId: string): Promise<Cells> => readAs('cells', file, userId)

type Cells = readonly (readonly string[])[]
type Reading = { readonly sheet: Sheet; readonly cells: Cells }
const parsers: { readonly [As in keyof Reading]: (file: Uint8Array) => Reading[As] } = {
  sheet: parseSheet,
  cells: parseCells,
}

async function readAs<As extends keyof Reading>(as: As, file: Buffer, userId: string): Promise<Reading[As]> {
  const parse = parsers[as]
  if (!isZip(file)) return file.length <= MOST_AT_ONCE ? parse(file) : readBeside(as, file, userId)
  const stated = sizeStated(file)
  if (stated === null) throw new BusinessError('invalid', '文件无法识别，请使用 .xls、.xlsx 或 .csv 格式')
  if (stated > MOST_UNPACKED) throw tooBig()
  return stated <= MOST_AT_ONCE ? parse(bounded(file, MOST_AT_ONCE)) : readBeside(as, file, userId)
}

const tooBig = () => new BusinessError('invalid', '文件解压后过大，请分批导入')

/** A zip file that was unpacked within limits, packed again without compression for the reader. */
function bounded(file: Buffer, most: number): Uint8Array {
  const bytes = repacked(file, most)
  if (bytes === 'tooBig') throw tooBig()
  if (bytes === null) throw new BusinessError('invalid', '文件无法识别，请使用 .xls、.xlsx 或 .csv 格式')
  return bytes
}

/** What the thread does: unpacks within limits and reads. */
export const readWhole = ({ as, file }: WorkerTask): Sheet | Cells => {
  const bytes = Buffer.from(file)
  return parsers[as](isZip(bytes) ? bounded(bytes, MOST_UNPACKED) : bytes)
}

/** What the thread is to read, and how. */
export type WorkerTask = { readonly as: keyof Reading; readonly file: Uint8Array }
/** The worker's reply: what the file says, or why it cannot be read. */
export type WorkerReply = { readonly read: Sheet | Cells } | { readonly refused: string }

const readers = new Map<string, number>()
let running = 0
const waiting: (() => void)[] = []

/** In a thread, one after the other; nobody has more than two under way. */
async function readBeside<As extends keyof Reading>(as: As, file: Buffer, userId: string): Promise<Reading[As]> {
  const own = readers.get(userId) ?? 0
  if (own >= MOST_OF_ONE || waiting.length >= MOST_WAITING) throw new RateLimited(5)
  readers.set(userId, own + 1)
  try {
    if (running >= MOST_BESIDE) await new Promise<void>(resolve => waiting.push(resolve))
    else running += 1
    try {
      return (await inThread({ as, file })) as Reading[As]
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  } finally {
    const left = (readers.get(userId) ?? 1) - 1
    if (left > 0) readers.set(userId, left)
    else readers.delete(userId)
  }
}

function inThread(task: WorkerTask): Promise<Sheet | Cells> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB },
  })
  const tooMuch = () => new BusinessError('invalid', '文件内容过多，无法读取，请分批导入')
  return new Promise<Sheet | Cells>((resolve, reject) => {
    const timer = setTimeout(() => reject(tooMuch()), PATIENCE_MS)
    worker.once('message', (notified: WorkerReply) => {
      clearTimeout(timer)
      if ('read' in notified) resolve(notified.read)
      else reject(new BusinessError('invalid', notified.refused))
    })
    worker.once('error', () => reject(tooMuch()))
    worker.once('exit', () => (clearTimeout(timer), reject(tooMuch())))
  }).finally(() => worker.terminate())
}
