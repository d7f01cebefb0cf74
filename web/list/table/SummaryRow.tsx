import { Explained } from '#web/fields/Explained.tsx'
import { faces } from '#web/fields/field-renderers.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import type { Placed } from '#web/list/table/DataTable.tsx'
import css from '#web/list/table/DataTable.module.css'

/** The sums over the whole filter, under their columns; nothing where none of them is shown. */
export function SummaryRow({
  columns,
  summary,
  selectable,
  hasActions,
}: {
  columns: readonly Placed[]
  summary: Row
  selectable: boolean
  hasActions: boolean
}) {
  if (columns.every(({ name, field }) => field.as === 'text' || summary[name] === undefined)) return null
  return (
    <tfoot>
      <tr>
        {selectable && <td data-pinned="left" style={{ left: 0 }} />}
        {columns.map((column, at) => {
          const face = faces[column.field.as]
          const sum = summary[column.name]
          return (
            <td
              key={column.name}
              data-align={face.align}
              data-pinned={column.pin ?? undefined}
              style={column.pin === 'left' ? { left: column.offset } : undefined}
            >
              {at === 0 ? (
                '合计'
              ) : sum === undefined ? null : (
                <Explained says={saysOfSum(column)}>
                  <face.Cell field={column.field} name={column.name} value={sum} row={summary} />
                </Explained>
              )}
            </td>
          )
        })}
        {hasActions && <td className={css.actions} data-pinned="right" />}
      </tr>
    </tfoot>
  )
}

const saysOfSum = ({ title, says = [] }: Placed): readonly string[] =>
  says.length === 0 ? [] : [`${title}合计，按当前筛选条件的全部行`, ...says]
