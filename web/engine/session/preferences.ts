import { useSyncExternalStore } from 'react'
import { createListeners } from '#web/engine/listeners.ts'

/** Shell preferences of this browser. */
export type Preferences = {
  readonly menuFolded: boolean
  readonly trail: boolean
  readonly footer: boolean
  readonly railFolded: boolean
  readonly headerFolded: boolean
  readonly density: Density
}
export type Density = 'compact' | 'standard' | 'comfortable'
export const rowHeights: Readonly<Record<Density, number>> = { compact: 32, standard: 36, comfortable: 40 }

const STORE = 'shell-preferences'
/** Below this height the footer and wide rows take too much space from the lines. */
const ROOM_FOR_FOOTER = 800
const NARROW_WIDTH = 1440
/** On a tablet the page needs the width of the menu. */
const TABLET_WIDTH = 1100

function initial(): Preferences {
  const standard: Preferences = {
    menuFolded: window.innerWidth <= TABLET_WIDTH,
    trail: true,
    footer: window.innerHeight >= ROOM_FOR_FOOTER,
    railFolded: window.innerWidth < NARROW_WIDTH,
    headerFolded: false,
    density: window.innerHeight >= ROOM_FOR_FOOTER ? 'standard' : 'compact',
  }
  try {
    return { ...standard, ...(JSON.parse(localStorage.getItem(STORE) ?? '{}') as Partial<Preferences>) }
  } catch {
    return standard
  }
}

let current = initial()
const { subscribe, notify } = createListeners()

export function prefer(patch: Partial<Preferences>): void {
  current = { ...current, ...patch }
  const kept = JSON.parse(localStorage.getItem(STORE) ?? '{}') as Partial<Preferences>
  localStorage.setItem(STORE, JSON.stringify({ ...kept, ...patch }))
  notify()
}

export const usePreferences = (): Preferences => useSyncExternalStore(subscribe, () => current)
