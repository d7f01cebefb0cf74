import { useSyncExternalStore } from 'react'
import { createListeners } from '#web/engine/listeners.ts'

/** Maximum body height in pixels of a small screen. */
export const SMALL_HEIGHT = 680

const isSmall = (): boolean => document.body.clientHeight <= SMALL_HEIGHT
const { subscribe, notify } = createListeners()

/** Marks the root element, for use in styles. */
function mark(): void {
  const small = String(isSmall())
  if (document.documentElement.dataset.smallScreen === small) return
  document.documentElement.dataset.smallScreen = small
  notify()
}

/** Keeps the mark in line with the window height from now on. */
export function watchHeight(): void {
  mark()
  window.addEventListener('resize', mark)
}

export const useSmallScreen = (): boolean => useSyncExternalStore(subscribe, isSmall)

/** Largest width in pixels of a phone held upright; styles name it as `max-width: 767px`. */
export const PHONE_WIDTH = 767

const isNarrow = (): boolean => window.innerWidth <= PHONE_WIDTH
const subscribeToWidth = (listener: () => void) => {
  window.addEventListener('resize', listener)
  return () => window.removeEventListener('resize', listener)
}
/** True if the page is as narrow as a phone: its menu then covers it, and lists are cards. */
export const usePhone = (): boolean => useSyncExternalStore(subscribeToWidth, isNarrow)
