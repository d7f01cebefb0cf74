import { useSyncExternalStore } from 'react'

/** A body of at most this many pixels is a small screen. */
export const SMALL_HEIGHT = 680

const isSmall = (): boolean => document.body.clientHeight <= SMALL_HEIGHT
const listeners = new Set<() => void>()

/** Marks the root element, so that styles may ask too. */
function mark(): void {
  const small = String(isSmall())
  if (document.documentElement.dataset.smallScreen === small) return
  document.documentElement.dataset.smallScreen = small
  for (const listener of listeners) listener()
}

/** Keeps the mark true to the window's height from now on. */
export function watchHeight(): void {
  mark()
  window.addEventListener('resize', mark)
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
export const useSmallScreen = (): boolean => useSyncExternalStore(subscribe, isSmall)
