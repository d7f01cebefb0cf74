/** The environment variable by which a process knows that it is a file worker. */
export const FILE_WORKER = 'FILE_WORKER'

/**
 * The places of an array by which a worker reports to the thread that watches it: whether it reads a file, and the
 * processor time (microseconds) and the memory (bytes) at which it ends.
 */
export const watched = { isReading: 0, cpuUntil: 1, mostMemory: 2 } as const

/** Throws anywhere but in a file worker: foreign bytes are not opened where they could hold up other calls. */
export function onlyInFileWorker(what: string): void {
  if (process.env[FILE_WORKER] === undefined) throw new Error(`${what} is opened in a file worker only`)
}
