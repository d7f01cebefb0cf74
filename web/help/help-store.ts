import { useSyncExternalStore } from 'react'
import { createListeners } from '#web/engine/listeners.ts'

const { subscribe, notify } = createListeners()
/** What is looked for in the open help; null while it is closed. */
let sought: string | null = null

/** Opens the help, at what contains `text`; all of it where nothing is given. */
export function openHelp(text = ''): void {
  sought = text
  notify()
}

export function closeHelp(): void {
  sought = null
  notify()
}

export const useHelp = (): string | null => useSyncExternalStore(subscribe, () => sought)
