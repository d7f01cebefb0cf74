/** The limits for one file: its bytes, processor time, and memory of the worker. */
export type ReaderLimits = {
  readonly mostBytes: number
  readonly cpuMs: number
  readonly memoryMb: number
}

/** A way to read files: the module whose default export does it in a worker, and its limits. */
export type FileReader<Options, Result> = {
  readonly module: string
  readonly limits: ReaderLimits
  /** A phantom for the types of the module; no value has it. */
  readonly reads?: (bytes: Buffer, options: Options) => Result
}

const MB = 1024 * 1024
const known = new Map<string, FileReader<unknown, unknown>>()

/** Every reader that the program has made: whatever it reads of a file, one of these reads it. */
export const fileReaders = (): readonly FileReader<unknown, unknown>[] => [...known.values()]

const usual: ReaderLimits = { mostBytes: 20 * MB, cpuMs: 10_000, memoryMb: 512 }

// oxlint-disable-next-line typescript/no-explicit-any -- the options of any reader
type AnyRead = (bytes: Buffer, options: any) => unknown

/**
 * A reader by its module: `fileReader<typeof import(…).default>(new URL(…,
 * import.meta.url))`. The module is loaded in the workers alone.
 */
export const fileReader = <Read extends AnyRead>(
  module: URL,
  limits: Partial<ReaderLimits> = {},
): FileReader<Parameters<Read>[1], Awaited<ReturnType<Read>>> => {
  const reader = { module: module.href, limits: { ...usual, ...limits } }
  known.set(reader.module, reader)
  return reader
}
