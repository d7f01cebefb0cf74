import { useMemo } from 'react'
import type { Column } from '#web/list/table/column.ts'
import { useCanSeeField } from '#web/shell/menu/menu.ts'

/** The columns this user may see: no money without the permission. */
export function useVisibleColumns(columns: readonly Column[]): readonly Column[] {
  const notified = useCanSeeField()
  return useMemo(() => columns.filter(column => notified(column.field)), [columns, notified])
}
