import { Link } from 'react-router'
import { againstLabels, wayOf } from '#kernel/values/comparison.ts'
import { columnField } from '#kernel/definition/report.ts'
import type { Decimal } from '#kernel/values/decimal.ts'
import { figuresFor } from '#kernel/wall/board-definition.ts'
import { MASKED } from '#kernel/wall/wall-definition.ts'
import { BEFORE, type BoardRow, type BoardTable, CHANGE, type CardRead, NOW } from '#kernel/wall/board-table.ts'
import { changeIn, exactText, shortText } from '#web/board/board-text.ts'
import css from '#web/board/Board.module.css'
import { daysSaid, Explained, ExplainedControl } from '#web/fields/Explained.tsx'

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
        const { name, label, as, note, hint, isNow, reading, column = '' } = figures[at]!
        const list = listOf(row)
        const without = ignored[name] ?? []
        const compared = against === null || isNow ? null : read.answers[name]?.compared?.[against]
        const says = [
          hint ?? (reading && columnField(reading.of, column)?.hint),
          without.length > 0 ? `不受${without.join('、')}筛选` : null,
          isNow ? '截至现在' : daysSaid(read.days.begin, read.days.end),
        ]
        const change = row.cells[CHANGE]
        const named = (
          <span>
            {label}
            {without.length > 0 && <span className={css.partly}>*</span>}
          </span>
        )
        const waits = note !== undefined && (row.cells[NOW] ?? null) === null
        return (
          <li key={name}>
            <span className={css.figureLabel}>
              {list === null ? (
                <Explained says={says}>{named}</Explained>
              ) : (
                <ExplainedControl says={says} of={label}>
                  <Link to={list}>{named}</Link>
                </ExplainedControl>
              )}
            </span>
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
                  data-way={wayOf((change ?? null) === MASKED ? null : ((change ?? null) as Decimal | null))}
                  title={`${against === 'previous' ? '上期' : '去年同期'} ${exactText(row.cells[BEFORE], as)}`}
                >
                  {againstLabels[against]} {changeIn(row, against, as)}
                </span>
              )}
            </small>
            {compared && <small title={compared}>{compared}</small>}
          </li>
        )
      })}
    </ul>
  )
}
