import { useMemo } from 'react'
import type { Column } from '#web/list/table/column.ts'
import { useCanSeeField } from '#web/shell/menu/menu.ts'

/** The columns that this person is told: none of money for whoever may not know it. */
export function useVisibleColumns(columns: readonly Column[]): readonly Column[] {
  const notified = useCanSeeField()
  return useMemo(() => columns.filter(column => notified(column.field)), [columns, notified])
}
