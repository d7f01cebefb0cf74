import { useSyncExternalStore } from 'react'
import { readCookie, writeCookie } from '#web/engine/session/cookies.ts'
import { cssVariables, palettes, type ThemeName } from '#web/theme/palette.ts'
import { createListeners } from '#web/engine/listeners.ts'

const COOKIE = 'theme'
const { subscribe, notify } = createListeners()
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
  notify()
}

/** Light until the user chooses otherwise; the choice is a cookie. */
export const useThemeName = (): ThemeName => useSyncExternalStore(subscribe, () => current)
