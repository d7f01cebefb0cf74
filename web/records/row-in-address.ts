import { useCallback, useMemo } from 'react'
import type { Page } from '#web/engine/page-context.ts'
import { NEW_VALUE, newValuesOf } from '#web/list/page/list-query.ts'

/**
 * The row named in the address, initial values of a new one, and how to change it; the initial values are removed
 * when it closes.
 */
export function useRowInAddress({ query, key, setQuery }: Page) {
  const begin = useMemo(() => newValuesOf(query), [query])
  const show = useCallback(
    (row: string | undefined) => {
      const begun = Object.keys(begin).map(name => [`${NEW_VALUE}${name}`, undefined])
      setQuery({ row, ...Object.fromEntries(begun) })
    },
    [begin, setQuery],
  )
  return { shown: query.row ?? key ?? undefined, begin, show }
}
