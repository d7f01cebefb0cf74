import { Link } from 'react-router'
import type { Against } from '#kernel/values/comparison.ts'
import { type BoardRow, type BoardTable, CHANGE } from '#kernel/wall/board-table.ts'
import { changeIn, exactText } from '#web/board/board-text.ts'
import css from '#web/board/Board.module.css'

type Props = {
  readonly label: string
  readonly table: BoardTable
  readonly against: Against | null
  readonly chosen: number | null
  /** Null: a row of this card narrows nothing. */
  readonly onPick: ((at: number) => void) | null
  readonly listOf: (row: BoardRow) => string | null
}

/** The figures of a card in full: every picture has this table behind it. */
export function CardTable({ label, table, against, chosen, onPick, listOf }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled by keys
    <div className={css.table} tabIndex={0} role="group" aria-label={label}>
      <table>
        <thead>
          <tr>
            <th scope="col">{table.head}</th>
            {table.columns.map(({ name, label: title, as }) => (
              <th key={name} scope="col" data-figure={as !== 'text'}>
                {title}
              </th>
            ))}
            <th scope="col">
              <span className={css.unseen}>明细</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, at) => {
            const list = listOf(row)
            return (
              <tr key={`${row.key}${row.label}${at}`} data-chosen={chosen === at}>
                <th scope="row">
                  {onPick === null || row.key === null ? (
                    row.label
                  ) : (
                    <button type="button" aria-pressed={chosen === at} onClick={() => onPick(at)}>
                      {row.label}
                    </button>
                  )}
                </th>
                {table.columns.map(({ name, as }) => (
                  <td key={name} data-figure={as !== 'text'}>
                    {name === CHANGE
                      ? changeIn(row, against, row.as ?? table.columns[0]!.as)
                      : exactText(row.cells[name], name === 'share' || as === 'text' ? as : (row.as ?? as))}
                  </td>
                ))}
                <td>{list !== null && <Link to={list}>明细</Link>}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
