import { wantedOf } from '#kernel/tables/foreign-table.ts'
import { foreignTableOf } from '#kernel/registry.ts'
import type { Customisation } from '#web/engine/customisation.ts'
import type { InputProps } from '#web/fields/field-renderer.ts'
import { ColumnPicks, type Picked } from '#web/sheets/ColumnPicks.tsx'

/** The columns of a stored mapping, among the headings of its file. */
function ColumnsInput({ value, row, disabled, onChange }: InputProps) {
  const table = foreignTableOf(String(row.file_kind))
  if (table === undefined || typeof value !== 'string') return <span className="faint">—</span>
  return (
    <ColumnPicks
      wanted={wantedOf(table)}
      headings={String(row.headings).split('\n')}
      value={JSON.parse(value) as Picked}
      disabled={disabled}
      onChange={next => onChange(JSON.stringify(next))}
    />
  )
}

export const columnMappingLook: Customisation = { of: 'columnMapping', inputs: { columns: ColumnsInput } }
