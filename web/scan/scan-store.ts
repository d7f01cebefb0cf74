import { parseCode } from '#kernel/codes/parse-code.ts'
import { today } from '#kernel/values/date.ts'
import { CallFailure, sentenceOf } from '#web/engine/http/request-error.ts'
import { newRequestId } from '#web/engine/http/request.ts'
import { parseScan, type Scanned } from '#web/engine/parse-scan.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import type { Entry } from '#web/scan/tally.ts'

/** The call that books what was scanned, kept until its answer is there: made again it is the same call. */
export type Sending = {
  readonly path: string
  readonly form: Row
  readonly requestId: string
  /** What is called once this was answered. */
  readonly next?: Sending
}
export type Base = { readonly version: number | null; readonly header: Row; readonly lines: readonly Row[] }
/** A scan counter's memory, in this browser until the paper is saved. */
export type ScanState = {
  readonly entries: readonly Entry[]
  /** The paper as it stood when the scanning began: what is not saved yet is kept with the scans. */
  readonly base: Base | null
  readonly sending: Sending | null
  /** The server did not answer: scans wait. */
  readonly offline: boolean
}
type Kept = Pick<ScanState, 'base' | 'sending'> & {
  readonly scans: readonly { readonly id: string; readonly code: string }[]
  readonly reads: Readonly<Record<string, Scanned | string>>
}
/** Where it is kept: the browser's storage, or a test's. */
export type Shelf = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
type Options = {
  readonly key: string
  readonly shelf: Shelf
  readonly read?: (code: string) => Promise<Scanned>
}

const PREFIX = 'scans:'
const nothing: ScanState = { entries: [], base: null, sending: null, offline: false }

/** Papers that were not saved yet have one place a kind and window: `ownPlace`. */
export const scanKey = (user: string, kind: string, sn: string | null): string =>
  `${PREFIX}${user}:${kind}:${sn ?? 'new'}`
/** Whether scans were left behind that no paper has yet. */
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

/** A label's second symbol needs nobody to say what it is; every other code is looked up in the house. */
const localRead = (code: string): Scanned | null => {
  const parsed = parseCode(code, { today: today() })
  return !parsed.ok && parsed.fragment !== undefined ? { parsed, specification: null, unit: null, lot: null } : null
}

const isUnknown = (known: Entry['read']): boolean =>
  known !== null &&
  typeof known !== 'string' &&
  known.specification === null &&
  (known.parsed.ok || known.parsed.fragment === undefined)

const isAway = (thrown: unknown): boolean =>
  thrown instanceof CallFailure && ['unreachable', 'timeout', 'repeated', 'session'].includes(thrown.kind)

/** Writes down what is not on a paper yet; nothing is left of what is. */
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
 * The scans of one paper. Each stands in the browser's storage before anything is asked about it, so neither a dead network nor
 * a closed page loses one; a code that was read once is known from then on.
 */
export function createScanStore({ key, shelf, read = parseScan }: Options) {
  let state = load(key, shelf)
  const reads = new Map(
    state.entries.flatMap(({ code, read: known }) => (known === null ? [] : [[code, known] as const])),
  )
  const listeners = new Set<() => void>()
  let reading: Promise<void> | null = null

  const change = (next: Partial<ScanState>) => {
    state = { ...state, ...next }
    keep(key, shelf, state, reads)
    for (const listener of listeners) listener()
  }
  const learn = (code: string, known: Scanned | string) => {
    reads.set(code, known)
    change({
      offline: false,
      entries: state.entries.map(entry =>
        entry.code === code && entry.read === null ? { ...entry, read: known } : entry,
      ),
    })
  }
  async function readWaiting(): Promise<void> {
    for (;;) {
      const waiting = state.entries.find(entry => entry.read === null)
      if (waiting === undefined) return
      try {
        learn(waiting.code, localRead(waiting.code) ?? (await read(waiting.code)))
      } catch (thrown) {
        if (isAway(thrown)) return change({ offline: true })
        learn(waiting.code, sentenceOf(thrown))
      }
    }
  }
  /** Reads what waits, one after the other; called again while it reads it goes on. */
  const work = (): Promise<void> => {
    reading ??= readWaiting().finally(() => (reading = null))
    return reading
  }
  return {
    state: () => state,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** Takes a code at once; what it means comes when the server says it. */
    scan: (code: string) => {
      change({ entries: [...state.entries, { id: newRequestId(), code, read: reads.get(code) ?? null }] })
      return work()
    },
    /** Takes the last scan back. */
    undo: () => change({ entries: state.entries.slice(0, -1) }),
    begin: (base: Base) => (state.entries.length === 0 ? change({ base }) : undefined),
    work,
    /** Asks again about codes that named nothing known. */
    readAgain: () => {
      const unknown = state.entries.filter(({ read: known }) => isUnknown(known))
      if (unknown.length === 0) return
      for (const { code } of unknown) reads.delete(code)
      change({ entries: state.entries.map(entry => (isUnknown(entry.read) ? { ...entry, read: null } : entry)) })
    },
    send: (sending: Sending | null) => change({ sending }),
    clear: () => change(nothing),
  }
}
export type ScanStore = ReturnType<typeof createScanStore>
