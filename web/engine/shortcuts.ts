import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { createListeners } from '#web/engine/listeners.ts'

/** A key of the page in view. Without `run` a part of the page handles it itself, and it is only listed. */
export type Shortcut = {
  /** As it is shown: modifiers and key with blanks between them, such as `Ctrl Shift Enter`. */
  readonly keys: string
  readonly what: string
  readonly run?: () => void
}
export type ShortcutGroup = { readonly group: string; readonly shortcuts: readonly Shortcut[] }

/** The shortcuts of the pages in view; a page behind another has no effects, and so no keys. */
let groups: readonly (ShortcutGroup & { readonly owner: object })[] = []
const { subscribe, notify } = createListeners()
function settle(next: typeof groups): void {
  groups = next
  notify()
}
/** The keys in view, by group: several parts may add keys to one group. */
export const useShortcutsInView = (): readonly ShortcutGroup[] => {
  const all = useSyncExternalStore(subscribe, () => groups)
  return [...Map.groupBy(all, each => each.group)].map(([group, parts]) => ({
    group,
    shortcuts: [...new Map(parts.flatMap(part => part.shortcuts).map(each => [each.keys, each])).values()],
  }))
}

type Pressed = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/** True if an event is the shortcut. Letters are compared by their key, as Alt writes other characters on a Mac. */
export function isPressed(keys: string, event: Pressed): boolean {
  const parts = keys.split(' ')
  const key = parts.at(-1) ?? ''
  const wants = (modifier: string) => parts.slice(0, -1).includes(modifier)
  return (
    wants('Ctrl') === (event.ctrlKey || event.metaKey) &&
    wants('Alt') === event.altKey &&
    wants('Shift') === event.shiftKey &&
    (event.key.toLowerCase() === key.toLowerCase() ||
      (/^[A-Z]$/.test(key) && event.code === `Key${key}`) ||
      (key === '/' && event.code === 'Slash'))
  )
}

/** Offers keys while the caller is in view. Input in a cell or field is written before the key runs. */
export function useShortcuts(group: string, shortcuts: readonly Shortcut[]): void {
  const names = shortcuts.map(({ keys, what }) => `${keys}=${what}`).join('|')
  const current = useEffectEvent(() => shortcuts)
  useEffect(() => {
    const owner = {}
    settle([...groups, { owner, group, shortcuts: current() }])
    return () => settle(groups.filter(each => each.owner !== owner))
  }, [group, names])
  const run = useEffectEvent((keys: string) => shortcuts.find(each => each.keys === keys)?.run?.())
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.isComposing) return
    const found = shortcuts.find(({ keys, run }) => run !== undefined && isPressed(keys, event))
    if (found === undefined) return
    event.preventDefault()
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    setTimeout(() => run(found.keys))
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}
