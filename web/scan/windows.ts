import { parseInteger } from '#kernel/values/integer.ts'
import { newRequestId } from '#web/engine/http/request.ts'

/** This window, as long as it is not loaded again: two windows of one browser share its storage and nothing else. */
const WINDOW = newRequestId()
const BEAT = 'scans-window:'
const BEAT_MS = 5_000
/** A window that has not been heard of for so long is gone. */
const SILENCE_MS = 3 * BEAT_MS

export type Shelves = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

let beats = false
/** Says from time to time that this window is there, whichever page is in front, until it goes. */
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
 * Where this window keeps the scans of a paper that was not saved yet, under `place`. What a window left behind that is gone is
 * taken over, so that nothing is lost; what another window is scanning stays its own.
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
