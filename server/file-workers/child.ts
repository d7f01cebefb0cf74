import os from 'node:os'
import { Worker } from 'node:worker_threads'
import { BusinessError } from '#kernel/rules/errors.ts'
import { watched } from '#server/file-workers/in-worker.ts'

/** One call of a reader: its module, its limits, and the bytes with their options. */
export type ChildTask = {
  readonly module: string
  readonly cpuMs: number
  readonly memoryMb: number
  readonly bytes: Uint8Array | null
  readonly options: unknown
  /** Pieces of one file: `begin` makes what takes them. */
  readonly as: 'whole' | 'begin' | 'piece'
}
export type ChildReply = ({ readonly read: unknown } | { readonly refused: string } | { readonly broken: string }) & {
  readonly spent: Spent
}
/** The cost of reading the file: processor time, and memory of the process beyond its own. */
export type Spent = { readonly cpuMs: number; readonly memoryMb: number }

type Read = (bytes: Buffer, options: unknown) => unknown
type Begin = (options: unknown) => (piece: Buffer | null) => unknown

const LOWER_PRIORITY = 10
/** A process without a file has this much: the program and its libraries. */
const OWN_MEMORY = process.memoryUsage.rss()

const facts = new Float64Array(new SharedArrayBuffer(3 * Float64Array.BYTES_PER_ELEMENT))
new Worker(new URL('./watch-limits.ts', import.meta.url), { workerData: facts.buffer }).unref()
try {
  os.setPriority(LOWER_PRIORITY)
} catch {
  // An operating system that does not permit it gives the file its usual share.
}

let takePiece: ReturnType<Begin> | null = null

async function perform({ module, bytes, options, as }: ChildTask): Promise<unknown> {
  const content = bytes === null ? null : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (as === 'piece') return takePiece!(content)
  const loaded = (await import(module)) as { default: unknown }
  if (as === 'whole') return (loaded.default as Read)(content!, options)
  takePiece = (loaded.default as Begin)(options)
  return null
}

async function replyTo(task: ChildTask): Promise<ChildReply> {
  // Loading a library is no work on the file.
  if (task.as !== 'piece') await import(task.module)
  const { user, system } = process.cpuUsage()
  facts[watched.cpuUntil] = user + system + task.cpuMs * 1000
  facts[watched.mostMemory] = OWN_MEMORY + task.memoryMb * 1024 * 1024
  facts[watched.isReading] = 1
  const outcome = await outcomeOf(task)
  facts[watched.isReading] = 0
  const used = process.cpuUsage()
  const cpuMs = (used.user + used.system - user - system) / 1000
  return { ...outcome, spent: { cpuMs, memoryMb: (process.memoryUsage.rss() - OWN_MEMORY) / (1024 * 1024) } }
}

const outcomeOf = (task: ChildTask) =>
  perform(task).then(
    read => ({ read }),
    (error: unknown) => (error instanceof BusinessError ? { refused: error.message } : { broken: String(error) }),
  )

process.on('message', (task: ChildTask) => {
  replyTo(task).then(
    reply => process.send?.(reply),
    error => process.send?.({ broken: String(error), spent: { cpuMs: 0, memoryMb: 0 } } satisfies ChildReply),
  )
})
process.on('disconnect', () => process.exit())
