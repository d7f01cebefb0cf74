/** The environment variable by which a process knows that it is a file worker. */
export const FILE_WORKER = 'FILE_WORKER'

/** Throws anywhere but in a file worker: foreign bytes are not opened where they could hold up other calls. */
export function onlyInFileWorker(what: string): void {
  if (process.env[FILE_WORKER] === undefined) throw new Error(`${what} is opened in a file worker only`)
}
