/**
 * Listeners that are notified when a value outside React changes: `subscribe` has the form that `useSyncExternalStore`
 * takes.
 */
export function createListeners() {
  const listeners = new Set<() => void>()
  return {
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    notify: () => {
      for (const listener of listeners) listener()
    },
  }
}
