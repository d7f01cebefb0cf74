import { workerData } from 'node:worker_threads'
import { watched } from '#server/file-workers/in-worker.ts'

const LOOK_MS = 20
const facts = new Float64Array(workerData as SharedArrayBuffer)
const pause = new Int32Array(new SharedArrayBuffer(4))

/**
 * Ends the process whose file takes too much. A thread of its own: the one that reads may be busy for ever, and native
 * code counts too.
 */
for (;;) {
  Atomics.wait(pause, 0, 0, LOOK_MS)
  if (facts[watched.isReading] === 0) continue
  const { user, system } = process.cpuUsage()
  const isLate = user + system > facts[watched.cpuUntil]!
  if (isLate || process.memoryUsage.rss() > facts[watched.mostMemory]!) process.kill(process.pid, 'SIGKILL')
}
