import { useEffect, useRef } from 'react'
import { usePage } from '#web/engine/page-context.ts'
import type { Row } from '#web/fields/field-renderer.ts'

/**
 * Opens the document the address points at, once the list has found it. The pointer is removed first, so that going
 * back shows the list and not the document again; an unknown number leaves an empty list.
 */
export function usePointedAt(
  list: { readonly rows: readonly Row[]; readonly isFetching: boolean },
  open: (row: Row) => void,
) {
  const { pointedAt, query, setQuery } = usePage()
  const wanted = useRef<string | null>(null)
  useEffect(() => {
    if (pointedAt === null) return
    wanted.current = pointedAt
    setQuery({})
  }, [pointedAt, setQuery])
  useEffect(() => {
    if (wanted.current === null || list.isFetching || pointedAt !== null || query.sn !== wanted.current) return
    const row = list.rows.find(each => each.sn === wanted.current)
    wanted.current = null
    if (row !== undefined) open(row)
  }, [list, pointedAt, query.sn, open])
}
