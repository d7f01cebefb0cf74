import { nullIfAbsent } from '#server/files/absent.ts'
import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** The store for the bytes of uploaded files. Names are generated and contain no path. */
export interface FileStore {
  /** Complete or not stored at all. */
  put(name: string, bytes: AsyncIterable<Buffer>): Promise<void>
  /** The whole, or the bytes from `start` to `end`, both included. Null: the file does not exist. */
  open(name: string, part?: { readonly start: number; readonly end: number } | null): Promise<Readable | null>
  remove(name: string): Promise<void>
}

/** Files in a folder, spread over subfolders by the first letters of their names. */
export function diskStore(folder: string): FileStore {
  const placeOf = (name: string) => path.join(folder, name.slice(0, 2), name)
  return {
    put: async (name, bytes) => {
      const place = placeOf(name)
      // Each of its own, also for two who store the same at once.
      const draft = `${place}.${randomUUID()}.part`
      await mkdir(path.dirname(place), { recursive: true })
      try {
        await pipeline(bytes, createWriteStream(draft))
        await rename(draft, place)
      } catch (error) {
        await rm(draft, { force: true })
        throw error
      }
    },
    open: async (name, part) => {
      const found = await stat(placeOf(name)).catch(nullIfAbsent)
      return found?.isFile() ? createReadStream(placeOf(name), part ?? {}) : null
    },
    remove: name => rm(placeOf(name), { force: true }),
  }
}
