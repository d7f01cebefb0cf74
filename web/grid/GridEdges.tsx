import { faces } from '#web/fields/field-renderers.ts'
import type { GridColumn } from '#web/grid/grid-column.ts'
import css from '#web/grid/LineGrid.module.css'

type HeadProps = { readonly columns: readonly GridColumn[]; readonly width: number; readonly locked: boolean }

/** Column headings; always visible. */
export function GridHead({ columns, width, locked }: HeadProps) {
  return (
    <div role="row" className={css.head} aria-rowindex={1} style={{ width }}>
      <div role="columnheader" className={css.number}>
        #
      </div>
      {columns.map(column => (
        <div
          key={column.name}
          role="columnheader"
          className={css.headCell}
          data-align={faces[column.field.as].align}
          data-sticky={column.sticky || undefined}
          data-required={!locked && column.required}
          style={{ width: column.width }}
          title={column.field.hint ?? column.title}
        >
          {column.title}
        </div>
      ))}
    </div>
  )
}

type FootProps = {
  readonly columns: readonly GridColumn[]
  readonly width: number
  readonly count: number
  readonly totals: Readonly<Record<string, string>>
}

/** The number of lines and their totals. */
export function GridFoot({ columns, width, count, totals }: FootProps) {
  const textOf = (column: GridColumn): string => {
    if (column.sticky) return `共 ${count} 行`
    const value = totals[column.name]
    if (value === undefined) return ''
    return faces[column.field.as].text({ field: column.field, name: column.name, value, row: {} })
  }
  return (
    <div role="row" className={css.foot} style={{ width }}>
      <div role="rowheader" className={css.number}>
        合计
      </div>
      {columns.map(column => (
        <div
          key={column.name}
          role="gridcell"
          className={css.headCell}
          data-align={faces[column.field.as].align}
          data-sticky={column.sticky || undefined}
          style={{ width: column.width }}
        >
          {textOf(column)}
        </div>
      ))}
    </div>
  )
}
