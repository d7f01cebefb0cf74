import { useSyncExternalStore } from 'react'

/** Maximum body height in pixels of a small screen. */
export const SMALL_HEIGHT = 680

const isSmall = (): boolean => document.body.clientHeight <= SMALL_HEIGHT
const listeners = new Set<() => void>()

/** Marks the root element, for use in styles. */
function mark(): void {
  const small = String(isSmall())
  if (document.documentElement.dataset.smallScreen === small) return
  document.documentElement.dataset.smallScreen = small
  for (const listener of listeners) listener()
}

/** Keeps the mark in line with the window height from now on. */
export function watchHeight(): void {
  mark()
  window.addEventListener('resize', mark)
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
export const useSmallScreen = (): boolean => useSyncExternalStore(subscribe, isSmall)
