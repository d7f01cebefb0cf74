import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import type { Reading } from '#kernel/wall/wall-definition.ts'
import { dayOf } from '#kernel/values/date.ts'
import type { Drawn } from '#web/wall/cards/WallCardView.tsx'
import { behind } from '#web/wall/wall-address.ts'
import { cellText, fieldOf } from '#web/wall/wall-figures.ts'
import css from '#web/wall/Wall.module.css'

/** The time for which a page of rows stays before the next. */
const TURN_MS = 10_000
/** The height of a row on the stage. */
const ROW = 38

/** The width of a column, by its kind; texts share the rest. */
const widths: Readonly<Record<string, string>> = {
  instant: '108px',
  day: '112px',
  count: '76px',
  quantity: '96px',
  price: '112px',
  amount: '112px',
  rate: '92px',
  pick: 'minmax(0, 0.7fr)',
  lot: 'minmax(0, 0.8fr)',
}
const widthsOf = (reading: Reading, columns: readonly string[]): string =>
  columns.map(name => widths[fieldOf(reading, name)?.as ?? ''] ?? 'minmax(0, 1fr)').join(' ')

/** As many rows as the card holds, turned like pages where there are more. */
export function Rows({ card, answers, draws, query, at }: Drawn<'list'>) {
  const place = useRef<HTMLDivElement>(null)
  const [fits, setFits] = useState(8)
  const [page, setPage] = useState(0)
  const navigate = useNavigate()
  const reading = card.reads[draws.of]!
  const rows = answers[draws.of]?.rows ?? []
  const pages = Math.max(1, Math.ceil(rows.length / fits))
  useEffect(() => {
    if (place.current !== null) setFits(Math.max(1, Math.floor(place.current.clientHeight / ROW)))
  }, [])
  useEffect(() => {
    const timer = setInterval(() => setPage(before => before + 1), TURN_MS)
    return () => clearInterval(timer)
  }, [])
  const today = dayOf(new Date(at))
  const template = widthsOf(reading, draws.columns)
  const shown = rows.slice((page % pages) * fits, (page % pages) * fits + fits)
  return (
    <div className={css.rows}>
      <div className={css.heads} style={{ gridTemplateColumns: template }}>
        {draws.columns.map(name => (
          <span key={name} data-as={fieldOf(reading, name)?.as}>
            {fieldOf(reading, name)?.label}
          </span>
        ))}
      </div>
      <div ref={place} className={css.turning}>
        {rows.length === 0 && <p className={css.nothing}>{draws.empty}</p>}
        {shown.map((row, index) => {
          const to = behind(card, query, row)
          return (
            <div
              key={`${page % pages} ${index} ${draws.columns.map(name => row[name]).join(' ')}`}
              className={css.row}
              style={{ gridTemplateColumns: template }}
              data-opens={to !== null || undefined}
              onClick={to === null ? undefined : () => void navigate(to)}
            >
              {draws.columns.map(name => (
                <span
                  key={name}
                  data-as={fieldOf(reading, name)?.as}
                  data-alert={reading.of.alerts?.[name]?.(row) ?? undefined}
                  title={cellText(reading, name, row, today)}
                >
                  {cellText(reading, name, row, today)}
                </span>
              ))}
            </div>
          )
        })}
      </div>
    </div>
  )
}
