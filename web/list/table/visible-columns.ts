import { useMemo, useState } from 'react'
import type { Screen } from '#kernel/definition/screen.ts'
import type { Column } from '#web/list/table/column.ts'
import { atFirst, roomFor } from '#web/list/table/first-columns.ts'
import { useCanSeeField } from '#web/shell/menu/menu.ts'

type Table = {
  readonly screen: Screen
  readonly selectable: boolean
  /** Width of the column of actions in pixels, 0 without one. */
  readonly actions: number
  /** Width of the parts beside the table. */
  readonly aside?: number
  /** The columns by which its rows are summed. */
  readonly first?: readonly string[]
  /** The sums for which a report is read. */
  readonly totals?: readonly string[] | undefined
}

/** The columns this user may see, no money without the permission; those that fit are shown at first. */
export function useVisibleColumns(columns: readonly Column[], table: Table): readonly Column[] {
  const { screen, selectable, actions, aside, totals, first } = table
  const notified = useCanSeeField()
  // Resizing the window does not take away the columns that the user is reading.
  const [width] = useState(() => window.innerWidth)
  return useMemo(() => {
    const seen = columns.filter(column => notified(column.field))
    const room = roomFor(width, { selectable, actions, ...(aside === undefined ? {} : { aside }) })
    return atFirst(seen, { first, named: screen.keyColumns, also: totals }, room)
  }, [columns, notified, screen, selectable, actions, aside, totals, width, first])
}
