import { useMemo } from 'react'
import type { Column } from '#web/list/column.ts'
import { useTold } from '#web/shell/menu.ts'

/** The columns that this person is told: none of money for whoever may not know it. */
export function useToldColumns(columns: readonly Column[]): readonly Column[] {
  const told = useTold()
  return useMemo(() => columns.filter(column => told(column.field)), [columns, told])
}
