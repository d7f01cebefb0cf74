import { CallFailure, sentenceOf } from '#web/engine/http/request-error.ts'
import { newRequestId } from '#web/engine/http/request.ts'
import { parseScan, type Scanned } from '#web/engine/parse-scan.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import type { Entry } from '#web/scan/tally.ts'
import { createListeners } from '#web/engine/listeners.ts'

/** The call that posts the scans, kept until it is answered: repeated, it is the same call. */
export type Sending = {
  readonly path: string
  readonly form: Row
  readonly requestId: string
  /** The call to make after this one was answered. */
  readonly next?: Sending
}
export type Base = { readonly version: number | null; readonly header: Row; readonly lines: readonly Row[] }
/** The scan counter's state, stored in this browser until the document is saved. */
export type ScanState = {
  readonly entries: readonly Entry[]
  /** The document as it was when scanning began: unsaved input is stored with the scans. */
  readonly base: Base | null
  readonly sending: Sending | null
  /** The server did not answer: scans wait. */
  readonly offline: boolean
}
type Kept = Pick<ScanState, 'base' | 'sending'> & {
  readonly scans: readonly { readonly id: string; readonly code: string }[]
  readonly reads: Readonly<Record<string, Scanned | string>>
}
/** The storage used: the browser's, or a test's. */
export type Shelf = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
type Options = {
  readonly key: string
  readonly shelf: Shelf
  readonly read?: (code: string) => Promise<Scanned>
}

const PREFIX = 'scans:'
const nothing: ScanState = { entries: [], base: null, sending: null, offline: false }

/** Unsaved documents have one key per kind and window: `ownPlace`. */
export const scanKey = (user: string, kind: string, sn: string | null): string =>
  `${PREFIX}${user}:${kind}:${sn ?? 'new'}`
/** True if there are scans that are not yet on a document. */
export const hasScans = (key: string, shelf: Shelf): boolean => {
  const kept = load(key, shelf)
  return kept.entries.length > 0 || kept.sending !== null
}

function load(key: string, shelf: Shelf): ScanState {
  try {
    const kept = JSON.parse(shelf.getItem(key) ?? 'null') as Kept | null
    if (kept === null) return nothing
    return {
      entries: kept.scans.map(({ id, code }) => ({ id, code, read: kept.reads[code] ?? null })),
      base: kept.base,
      sending: kept.sending,
      offline: false,
    }
  } catch {
    return nothing
  }
}

const isUnknown = (known: Entry['read']): boolean =>
  known !== null &&
  typeof known !== 'string' &&
  known.specification === null &&
  (known.parsed.ok || known.parsed.fragment === undefined)

const isAway = (thrown: unknown): boolean =>
  thrown instanceof CallFailure && ['unreachable', 'timeout', 'repeated', 'session'].includes(thrown.kind)

/** Stores what is not on a document yet, and removes what is. */
function keep(
  key: string,
  shelf: Shelf,
  { entries, base, sending }: ScanState,
  reads: ReadonlyMap<string, Scanned | string>,
): void {
  if (entries.length === 0 && sending === null) return shelf.removeItem(key)
  const kept: Kept = {
    scans: entries.map(({ id, code }) => ({ id, code })),
    reads: Object.fromEntries(entries.flatMap(({ code }) => (reads.has(code) ? [[code, reads.get(code)!]] : []))),
    base,
    sending,
  }
  shelf.setItem(key, JSON.stringify(kept))
}

/**
 * The scans of one document. Each is in the browser's storage before it is looked up, so neither a lost network nor
 * a closed page loses one; a code read once is cached.
 */
export function createScanStore({ key, shelf, read = parseScan }: Options) {
  let state = load(key, shelf)
  const reads = new Map(
    state.entries.flatMap(({ code, read: known }) => (known === null ? [] : [[code, known] as const])),
  )
  const { subscribe, notify } = createListeners()
  let reading: Promise<void> | null = null
  const chosen = new Map<string, string>()

  const change = (next: Partial<ScanState>) => {
    state = { ...state, ...next }
    keep(key, shelf, state, reads)
    notify()
  }
  const learn = (code: string, known: Scanned | string) => {
    const parts = typeof known === 'string' ? undefined : known.pack?.parts
    if (parts !== undefined)
      return change({
        offline: false,
        entries: state.entries.flatMap(entry =>
          entry.code === code && entry.read === null ? partsOf(entry, parts) : [entry],
        ),
      })
    reads.set(code, known)
    change({
      offline: false,
      entries: state.entries.map(entry =>
        entry.code === code && entry.read === null ? { ...entry, read: known } : entry,
      ),
    })
  }
  /** A combined pack was scanned as all its parts. */
  const partsOf = ({ id }: Entry, parts: readonly string[]): Entry[] =>
    parts.map((code, at) => ({ id: `${id}.${at}`, code, read: reads.get(code) ?? null }))
  async function readWaiting(): Promise<void> {
    for (;;) {
      const waiting = state.entries.find(entry => entry.read === null)
      if (waiting === undefined) return
      try {
        learn(waiting.code, await read(waiting.code))
      } catch (thrown) {
        if (isAway(thrown)) return change({ offline: true })
        learn(waiting.code, sentenceOf(thrown))
      }
    }
  }
  /** Reads waiting scans one after another; calling it while it runs is allowed. */
  const work = (): Promise<void> => {
    reading ??= readWaiting().finally(() => (reading = null))
    return reading
  }
  return {
    state: () => state,
    subscribe,
    /** Accepts a code at once; its meaning follows when the server replies. */
    scan: (scanned: string) => {
      const code = chosen.get(scanned) ?? scanned
      change({ entries: [...state.entries, { id: newRequestId(), code, read: reads.get(code) ?? null }] })
      return work()
    },
    /** Takes a code that may be read in several ways as another one, here and when it is scanned again. */
    choose: (code: string, meant: string) => {
      chosen.set(code, meant)
      change({
        entries: state.entries.map(entry =>
          entry.code === code ? { ...entry, code: meant, read: reads.get(meant) ?? null } : entry,
        ),
      })
      return work()
    },
    /** Removes the last scan. */
    undo: () => change({ entries: state.entries.slice(0, -1) }),
    begin: (base: Base) => (state.entries.length === 0 ? change({ base }) : undefined),
    work,
    /** Looks up again codes that were unknown. */
    readAgain: () => {
      const unknown = state.entries.filter(({ read: known }) => isUnknown(known))
      if (unknown.length === 0) return
      for (const { code } of unknown) reads.delete(code)
      change({ entries: state.entries.map(entry => (isUnknown(entry.read) ? { ...entry, read: null } : entry)) })
    },
    send: (sending: Sending | null) => change({ sending }),
    clear: () => {
      chosen.clear()
      change(nothing)
    },
  }
}
export type ScanStore = ReturnType<typeof createScanStore>
