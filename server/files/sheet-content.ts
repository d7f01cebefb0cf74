import { Worker } from 'node:worker_threads'

/** What a sheet says to a machine: its text page by page, its QR codes, and the XML within. */
export type SheetContent = {
  readonly texts: readonly string[]
  readonly codes: readonly string[]
  readonly xml: readonly string[]
}

const PATIENCE_MS = 20_000
const MOST_MEMORY_MB = 400
/** Kinds of files that can be read. */
const READABLE: ReadonlySet<string> = new Set(['pdf', 'ofd', 'xml', 'png', 'jpg', 'webp', 'gif'])

export const isReadableSheet = (name: string): boolean => READABLE.has(name.split('.').at(-1) ?? '')

/**
 * Reads a PDF, an OFD, an XML or a picture in a thread of its own that is ended when it takes too long or too much
 * memory. Null where it is none of these, or broken.
 */
export function sheetContent(bytes: Buffer, name: string): Promise<SheetContent | null> {
  const extension = name.split('.').at(-1) ?? ''
  if (!isReadableSheet(name)) return Promise.resolve(null)
  const worker = new Worker(new URL('./sheet-worker.ts', import.meta.url), {
    workerData: { bytes, extension },
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB },
  })
  return new Promise<SheetContent | null>(resolve => {
    const late = setTimeout(() => resolve(null), PATIENCE_MS)
    const end = (content: SheetContent | null) => (clearTimeout(late), resolve(content))
    worker.once('message', end)
    worker.once('error', () => end(null))
    worker.once('exit', () => end(null))
  }).finally(() => worker.terminate())
}
