import { useSyncExternalStore } from 'react'
import { readCookie, writeCookie } from '#web/engine/session/cookies.ts'
import { cssVariables, palettes, type ThemeName } from '#web/theme/palette.ts'

const COOKIE = 'theme'
const listeners = new Set<() => void>()
let current: ThemeName = readCookie(COOKIE) === 'dark' ? 'dark' : 'light'

/** Sets the variables on the root element; called before the first render, so nothing flashes. */
export function paintTheme(): void {
  const root = document.documentElement
  root.dataset.theme = current
  root.style.colorScheme = current
  for (const [name, value] of Object.entries(cssVariables(palettes[current]))) root.style.setProperty(name, value)
}

export function toggleTheme(): void {
  current = current === 'light' ? 'dark' : 'light'
  writeCookie(COOKIE, current)
  paintTheme()
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Light until the user chooses otherwise; the choice is a cookie. */
export const useThemeName = (): ThemeName => useSyncExternalStore(subscribe, () => current)
