import type { Row } from '#web/fields/field-renderer.ts'

/** One call that saves, with the id under which the server runs it once. */
export type SaveCall = { readonly path: string; readonly values: Row; readonly requestId: string }
/** A save that could not reach the server: it is kept in this browser until it is answered or discarded. */
export type KeptSave = {
  readonly key: string
  readonly kind: string
  /** The page it was written on: its route and key. */
  readonly address: string
  readonly call: SaveCall
  /** Input that was typed after `call` was made, to be saved on top of it. */
  readonly next: Row | null
}
type Shelf = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

const PREFIX = 'kept-save:'
const prefixOf = (user: string) => `${PREFIX}${user}:`

/** Saves of a page in this window, which sends them itself. */
const live = new Map<string, KeptSave>()
export const isLive = (key: string): boolean => live.has(key)
export const liveSaves = (): readonly KeptSave[] => [...live.values()]

export const keptKey = (user: string, id: string): string => prefixOf(user) + id

/** Keeps a save. A browser without room for it still has it on the page. */
export function keepSave(save: KeptSave, shelf: Shelf = localStorage): void {
  live.set(save.key, save)
  try {
    shelf.setItem(save.key, JSON.stringify(save))
  } catch {
    // The page still has the input, and warns before it is closed.
  }
}
export function dropSave(key: string, shelf: Shelf = localStorage): void {
  live.delete(key)
  shelf.removeItem(key)
}

/** Saves of a user that no page of this window holds: their window was closed, or the machine went off. */
export function orphanedSaves(user: string, shelf: Shelf = localStorage): readonly KeptSave[] {
  const keys = Array.from({ length: shelf.length }, (_, at) => shelf.key(at))
  return keys
    .filter((key): key is string => key !== null && key.startsWith(prefixOf(user)) && !isLive(key))
    .flatMap(key => readKept(shelf.getItem(key)))
}

function readKept(text: string | null): readonly KeptSave[] {
  try {
    return text === null ? [] : [JSON.parse(text) as KeptSave]
  } catch {
    return []
  }
}
