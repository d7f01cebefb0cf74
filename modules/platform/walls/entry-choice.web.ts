/** The choices on the entry page, kept in this browser: a wall is opened by the machine on which it is shown. */
export type EntryChoice = {
  /** Kinds of walls that take part in the carousel. */
  readonly ticked: readonly string[]
  /** Seconds that each of them stays. */
  readonly dwell: number
  /** When each was opened last. */
  readonly opened: Readonly<Record<string, string>>
}

const STORE = 'wall-entry'
const STANDARD: EntryChoice = { ticked: ['screenOverview', 'screenProcess', 'screenWarning'], dwell: 30, opened: {} }

export function readEntry(): EntryChoice {
  try {
    return { ...STANDARD, ...(JSON.parse(localStorage.getItem(STORE) ?? '{}') as Partial<EntryChoice>) }
  } catch {
    return STANDARD
  }
}

export function saveEntry(patch: Partial<EntryChoice>): EntryChoice {
  const next = { ...readEntry(), ...patch }
  localStorage.setItem(STORE, JSON.stringify(next))
  return next
}
