import { parseInteger } from '#kernel/values/integer.ts'
import { newRequestId } from '#web/engine/http/request.ts'

/** This window, until reloaded: two windows of one browser share only their storage. */
const WINDOW = newRequestId()
const BEAT = 'scans-window:'
const BEAT_MS = 5_000
/** A window without a heartbeat for this long is gone. */
const SILENCE_MS = 3 * BEAT_MS

export type Shelves = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

let beats = false
/** Sends this window's heartbeat, whichever page is in front, until it closes. */
export function beat(shelves: Shelves, mine = WINDOW): void {
  if (beats) return
  beats = true
  const say = () => shelves.setItem(BEAT + mine, String(Date.now()))
  say()
  setInterval(say, BEAT_MS)
  window.addEventListener('pagehide', () => shelves.removeItem(BEAT + mine))
}

const isThere = (shelves: Shelves, name: string): boolean =>
  Date.now() - parseInteger(shelves.getItem(BEAT + name) ?? 0) < SILENCE_MS

/**
 * Storage key for this window's scans of an unsaved document, under `place`. Scans of a closed window are taken
 * over, so that nothing is lost; those of another open window are left alone.
 */
export function ownPlace(place: string, shelves: Shelves, mine = WINDOW): string {
  const own = `${place}:${mine}`
  if (shelves.getItem(own) !== null) return own
  const names = Array.from({ length: shelves.length }, (_, at) => shelves.key(at) ?? '')
  const left = names.find(
    name => name === place || (name.startsWith(`${place}:`) && !isThere(shelves, name.slice(place.length + 1))),
  )
  const kept = left === undefined ? null : shelves.getItem(left)
  if (left !== undefined && kept !== null) {
    shelves.setItem(own, kept)
    shelves.removeItem(left)
  }
  return own
}
