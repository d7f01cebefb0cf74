import { Tooltip } from 'antd'
import { Link } from 'react-router'
import { boardAgainst, figuresFor } from '#kernel/wall/board-definition.ts'
import { BEFORE, type BoardRow, type BoardTable, CHANGE, type CardRead, NOW } from '#kernel/wall/board-table.ts'
import { changeText, exactText, shortText, wayOf } from '#web/board/board-text.ts'
import css from '#web/board/Board.module.css'

type Props = {
  readonly read: CardRead
  readonly table: BoardTable
  readonly ignored: Readonly<Record<string, readonly string[]>>
  readonly listOf: (row: BoardRow) => string | null
}

/** 核心指标: large numbers, how they changed, and the list behind each. */
export function Figures({ read, table, ignored, listOf }: Props) {
  const figures = figuresFor(read.board, read.choice.org)
  const against = read.choice.against
  return (
    <ul className={css.figures}>
      {table.rows.map((row, at) => {
        const { name, label, as, note, hint, isNow } = figures[at]!
        const list = listOf(row)
        const without = ignored[name] ?? []
        const said = [hint, without.length > 0 ? `不受${without.join('、')}筛选` : undefined].filter(Boolean).join('；')
        const change = row.cells[CHANGE]
        const waits = note !== undefined && (row.cells[NOW] ?? null) === null
        return (
          <li key={name}>
            <Tooltip title={said || undefined}>
              <span className={css.figureLabel}>
                {list === null ? label : <Link to={list}>{label}</Link>}
                {without.length > 0 && <span className={css.partly}>*</span>}
              </span>
            </Tooltip>
            <b title={exactText(row.cells[NOW], as)}>{waits ? '—' : shortText(row.cells[NOW], as)}</b>
            <small>
              {waits ? (
                note
              ) : isNow ? (
                '截至现在'
              ) : against === null ? (
                ''
              ) : (
                <span
                  data-way={wayOf(change)}
                  title={`${against === 'previous' ? '上期' : '去年同期'} ${exactText(row.cells[BEFORE], as)}`}
                >
                  {boardAgainst[against]} {changeText(change, as)}
                </span>
              )}
            </small>
          </li>
        )
      })}
    </ul>
  )
}
