import { Worker } from 'node:worker_threads'

const MB = 1024 * 1024
const PATIENCE_MS = 15_000
const LOOK_MS = 25
/** Memory limit for reading: a file of a few megabytes may unpack to much more. */
const MOST_MEMORY = 300 * MB

/**
 * A PDF with the text drawn over every page, made in its own thread that is ended when it takes too long or too much
 * memory: a small file can unpack to any size. Fails on files that are not PDF, need a password or have too many
 * pages.
 */
export function overPages(bytes: Buffer, text: string): Promise<Buffer> {
  const worker = new Worker(new URL('./pdf-worker.ts', import.meta.url), {
    workerData: { bytes, text },
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY / MB },
  })
  const before = process.memoryUsage.rss()
  return new Promise<Buffer>((resolve, reject) => {
    const until = Date.now() + PATIENCE_MS
    const watch = setInterval(() => {
      if (process.memoryUsage.rss() - before > MOST_MEMORY || Date.now() > until)
        reject(new Error('the PDF takes too much'))
    }, LOOK_MS)
    worker.once('message', (notified: Uint8Array) => resolve(Buffer.from(notified)))
    worker.once('error', reject)
    worker.once('exit', () => (clearInterval(watch), reject(new Error('the PDF was not read'))))
  }).finally(() => worker.terminate())
}
