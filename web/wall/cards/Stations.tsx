import { compare, type Decimal, isDecimal, zero } from '#kernel/values/decimal.ts'
import { NOTHING_TO_SAY } from '#kernel/values/big-number.ts'
import type { Row } from '#kernel/wall/wall-definition.ts'
import { useSession } from '#web/engine/session/session.ts'
import { listAddressOf } from '#web/shell/menu/screen-index.ts'
import type { Drawn } from '#web/wall/cards/WallCardView.tsx'
import { cellText, largeText } from '#web/wall/wall-figures.ts'
import css from '#web/wall/Wall.module.css'

/** The width of the stream that runs through the stations. */
const isMore = (a: string | null | undefined, b: Decimal): boolean =>
  typeof a === 'string' && isDecimal(a) && compare(a, b) > 0

/**
 * A river: what passed each station in the period, what waits before it, and how long it takes to the next one. The
 * station with the longest queue is the one that is looked at.
 */
export function Stations({ card, answers, draws }: Drawn<'stations'>) {
  const session = useSession()
  const reading = card.reads[draws.of]!
  const rows = (answers[draws.of]?.rows ?? []).toSorted((a, b) => compare(placeOf(a), placeOf(b)))
  const kinds = answers[draws.kinds]?.rows ?? []
  const most = rows.reduce((largest, { waiting }) => (isMore(waiting, largest) ? (waiting as Decimal) : largest), zero)
  const listOf = (station: string | null | undefined) => {
    const own = kinds.filter(row => row.station === station)
    const [first] = own.toSorted((a, b) => compare((b.waiting ?? '0') as Decimal, (a.waiting ?? '0') as Decimal))
    if (!first?.waiting_kind || session === null || session.orgType === 'P') return null
    return listAddressOf(first.waiting_kind, session.orgType, { state: first.waiting_states ?? '' })
  }
  return (
    <ol className={css.river}>
      {rows.map((row, at) => {
        const list = listOf(row.station)
        const waits = isMore(row.waiting, zero)
        return (
          <li key={row.station} data-longest={(waits && row.waiting === most) || undefined}>
            <span className={css.stationName}>{cellText(reading, 'station', row)}</span>
            <b key={row.done}>{largeText(row.done, 'count')}</b>
            <i aria-hidden="true" style={{ animationDelay: `${at * 250}ms` }} />
            <span className={css.queue} data-waits={waits || undefined}>
              {list === null ? (
                <>待处理 {largeText(row.waiting, 'count')}</>
              ) : (
                <a href={list} target="_blank" rel="noreferrer">
                  待处理 {largeText(row.waiting, 'count')}
                </a>
              )}
            </span>
            <small>{row.median_hours ? `到下一环节 ${row.median_hours} 小时` : `到下一环节 ${NOTHING_TO_SAY}`}</small>
          </li>
        )
      })}
    </ol>
  )
}

const placeOf = (row: Row): Decimal => (row.place ?? '0') as Decimal
