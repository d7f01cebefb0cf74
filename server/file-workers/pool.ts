import { BusinessError } from '#kernel/rules/errors.ts'
import { RateLimited } from '#server/access/overload.ts'
import { isInTransaction } from '#server/database/in-transaction.ts'
import { FileProcess } from '#server/file-workers/process.ts'
import type { FileReader } from '#server/file-workers/reader.ts'

/** The sender of a file: files of one person or one organisation do not take the turn of others. */
export type Sender = { readonly person: string; readonly organisation: string }

/** Files that are read at once, in all and of one person or organisation: one organisation never takes all workers. */
const MOST_WORKERS = 4
const MOST_OF_ONE = 2
/** Files of one organisation that wait for their turn, and what all that wait may hold in memory. */
const MOST_WAITING = 20
const MOST_HELD = 256 * 1024 * 1024
const RETRY_AFTER = 5
const MB = 1024 * 1024

type Waiting = {
  readonly sender: Sender
  readonly held: number
  readonly begin: (worker: FileProcess) => void
}

let idle: readonly FileProcess[] = []
const underWay = new Map<string, number>()
let running = 0
let waiting: readonly Waiting[] = []

const keysOf = ({ person, organisation }: Sender): readonly string[] => [
  `organisation ${organisation}`,
  `person ${organisation} ${person}`,
]
const count = (sender: Sender, more: 1 | -1) => {
  for (const key of keysOf(sender)) {
    const left = (underWay.get(key) ?? 0) + more
    if (left > 0) underWay.set(key, left)
    else underWay.delete(key)
  }
}
const hasTurn = ({ sender }: Waiting): boolean => keysOf(sender).every(key => (underWay.get(key) ?? 0) < MOST_OF_ONE)

function restingWorker(): FileProcess | undefined {
  const worker = idle.at(-1)
  idle = idle.slice(0, -1)
  return worker
}

function beginNext(): void {
  while (running < MOST_WORKERS) {
    const next = waiting.find(hasTurn)
    if (!next) return
    waiting = waiting.filter(each => each !== next)
    count(next.sender, 1)
    running += 1
    next.begin(restingWorker() ?? new FileProcess(ended => (idle = idle.filter(each => each !== ended))))
  }
}

/** Waits for the sender's turn and runs `work` with a worker of its own. */
async function inTurn<T>(sender: Sender, held: number, work: (worker: FileProcess) => Promise<T>): Promise<T> {
  if (isInTransaction()) throw new Error('a file is read outside transactions: see readStoredFile')
  const own = waiting.filter(each => each.sender.organisation === sender.organisation)
  const bytes = waiting.reduce((sum, each) => sum + each.held, held)
  if (own.length >= MOST_WAITING || (waiting.length > 0 && bytes > MOST_HELD))
    throw new RateLimited(RETRY_AFTER, '正在读取的文件过多，请等前面的文件读完后再试')
  const worker = await new Promise<FileProcess>(begin => {
    waiting = [...waiting, { sender, held, begin }]
    beginNext()
  })
  try {
    return await work(worker)
  } finally {
    count(sender, -1)
    running -= 1
    if (worker.isAlive) idle = [...idle, worker]
    beginNext()
  }
}

/**
 * Reads a file in a worker and within its limits, and gives the reader's result; a file that cannot be read is refused
 * with a sentence. `bytes` that are stored elsewhere are fetched when their turn has come. Never within a transaction.
 */
export function readFile<Options, Result>(
  { module, limits }: FileReader<Options, Result>,
  bytes: Buffer | (() => Promise<Buffer>),
  options: Options,
  sender: Sender,
): Promise<Result> {
  const held = typeof bytes === 'function' ? 0 : bytes.length
  return inTurn(sender, held, async worker => {
    const content = typeof bytes === 'function' ? await bytes() : bytes
    if (content.length > limits.mostBytes)
      throw new BusinessError('invalid', `文件超过${Math.floor(limits.mostBytes / MB)}MB，不能读取`)
    return (await worker.call({ module, ...limits, bytes: content, options, as: 'whole' })) as Result
  })
}

/**
 * The same for a file of any length, piece by piece: each has the limits of its reader, whose module takes pieces and
 * null at the end.
 */
export async function* readInPieces<Options, Result>(
  { module, limits }: FileReader<Options, (piece: Buffer | null) => Result>,
  pieces: AsyncIterable<Buffer>,
  options: Options,
  sender: Sender,
): AsyncGenerator<Awaited<Result>> {
  const { promise: done, resolve: end } = Promise.withResolvers<void>()
  const given = Promise.withResolvers<FileProcess>()
  const turn = inTurn(sender, 0, worker => (given.resolve(worker), done))
  turn.catch(given.reject)
  const worker = await given.promise
  try {
    const call = (as: 'begin' | 'piece', bytes: Buffer | null) =>
      worker.call({ module, ...limits, bytes, options, as }) as Promise<Awaited<Result>>
    await call('begin', null)
    for await (const piece of pieces) yield await call('piece', piece)
    yield await call('piece', null)
  } finally {
    end()
    await turn
  }
}
