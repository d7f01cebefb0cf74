import { useCallback, useMemo, useState } from 'react'
import type { Row } from '#web/fields/field-renderer.ts'

/** Ticked rows, kept across pages and filters until cleared. */
export function useSelection(keyOf: (row: Row) => string) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Row>>(new Map())
  const set = useCallback(
    (rows: readonly Row[], on: boolean) =>
      setChosen(before => {
        const next = new Map(before)
        for (const row of rows) {
          if (on) next.set(keyOf(row), row)
          else next.delete(keyOf(row))
        }
        return next
      }),
    [keyOf],
  )
  const selection = useMemo(
    () => ({
      keys: new Set(chosen.keys()),
      toggle: (row: Row, on: boolean) => set([row], on),
      toggleAll: set,
    }),
    [chosen, set],
  )
  return {
    selection,
    rows: useMemo(() => [...chosen.values()], [chosen]),
    clear: useCallback(() => setChosen(new Map()), []),
  }
}
