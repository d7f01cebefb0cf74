import { useEffect, useMemo, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { NOTHING_TO_SAY } from '#kernel/values/big-number.ts'
import { MASKED, type Row, type Tone } from '#kernel/wall/wall-definition.ts'
import { compare, type Decimal, divide, isDecimal, sum } from '#kernel/values/decimal.ts'
import type { CardProps, Drawn } from '#web/wall/cards/WallCardView.tsx'
import { behind } from '#web/wall/wall-address.ts'
import { fieldOf, type Part, partsOf } from '#web/wall/wall-figures.ts'
import css from '#web/wall/Wall.module.css'

export type Props = Drawn<'bars' | 'columns' | 'ring' | 'tiles' | 'areas'>
/** Parts of a ring and bars beside each other, where labels have no meaning of their own. */
const TONES: readonly Tone[] = ['brand', 'info', 'warning', 'calm', 'danger']

/** The parts of a card, in the order in which they are drawn. */
export function partsIn({ card, answers, draws }: Props): readonly Part[] {
  const { of, label, values } = draws
  const answer = answers[of]
  if (answer === undefined) return []
  const parts = partsOf(card.reads[of]!, answer, label, values)
  if (!draws.inOrder) return parts
  const order = Object.keys(fieldOf(card.reads[of]!, label)?.choices ?? {})
  return parts.toSorted((a, b) => order.indexOf(a.key) - order.indexOf(b.key))
}

const toneOf = (tones: Readonly<Record<string, Tone>> | undefined, key: string, otherwise: Tone): Tone =>
  tones?.[key] ?? otherwise

/** The colour of a figure that is beyond its bounds. */
function alarmOf({ alarms, values: [first] }: Props['draws'], row: Row): Tone | null {
  const value = row[alarms?.of ?? first ?? '']
  if (alarms === undefined || typeof value !== 'string' || !isDecimal(value, 8)) return null
  return compare(value, alarms.danger) > 0 ? 'danger' : compare(value, alarms.warning) > 0 ? 'warning' : 'calm'
}

/** Opens the wall behind the row of a part that was clicked. */
export function useOpen({ card, query }: CardProps) {
  const navigate = useNavigate()
  return (row: Row) => {
    const to = behind(card, query, row)
    return to === null ? undefined : () => void navigate(to)
  }
}

const Nothing = ({ text = '暂无数据' }: { readonly text?: string | undefined }) => <p className={css.nothing}>{text}</p>

/** A ranking: the name, a length, and the figure. */
export function Bars(props: Props) {
  const parts = partsIn(props)
  const open = useOpen(props)
  if (parts.length === 0) return <Nothing text={props.draws.nothing} />
  return (
    <ol className={css.bars}>
      {parts.map(({ row, label, key, value, more, change, length }) => (
        <li key={key + label} onClick={open(row)} data-opens={open(row) !== undefined || undefined}>
          <span className={css.name}>{label}</span>
          <b>
            {value === NOTHING_TO_SAY ? (props.draws.nothing ?? value) : value}
            {change !== '' && <small>{change}</small>}
            {more !== '' && (props.draws.says === 'second' || value === MASKED) && <small>{more}</small>}
          </b>
          <span className={css.track}>
            <i
              data-tone={alarmOf(props.draws, row) ?? toneOf(props.draws.tones, key, 'brand')}
              style={{ transform: `scaleX(${divide(length, '100' as Decimal, 4)})` }}
            />
          </span>
        </li>
      ))}
    </ol>
  )
}

/** Vertical bars, in the given order. */
export function Columns(props: Props) {
  const parts = partsIn(props)
  const open = useOpen(props)
  if (parts.length === 0) return <Nothing />
  return (
    <ol className={css.columns}>
      {parts.map(({ row, label, key, value, length }) => (
        <li key={key} onClick={open(row)} data-opens={open(row) !== undefined || undefined}>
          <b>{value}</b>
          <span className={css.pole}>
            <i
              data-tone={toneOf(props.draws.tones, key, 'brand')}
              style={{ transform: `scaleY(${divide(length, '100' as Decimal, 4)})` }}
            />
          </span>
          <span className={css.name}>{label}</span>
        </li>
      ))}
    </ol>
  )
}

/** Parts of a whole, the first at noon and clockwise. */
export function Ring(props: Props) {
  const parts = partsIn(props)
  const open = useOpen(props)
  if (parts.length === 0) return <Nothing />
  const shares = parts.map(({ share }) => (share.endsWith('%') ? share.slice(0, -1) : '0') as Decimal)
  return (
    <div className={css.ring}>
      <svg viewBox="0 0 42 42" aria-hidden="true">
        {parts.map(({ key }, at) => (
          <circle
            key={key}
            data-tone={toneOf(props.draws.tones, key, TONES[at % TONES.length]!)}
            cx="21"
            cy="21"
            r="15.9155"
            pathLength="100"
            strokeDasharray={`${shares[at]!} 100`}
            strokeDashoffset={`-${sum(shares.slice(0, at), 2)}`}
          />
        ))}
      </svg>
      <ul>
        {parts.map(({ row, label, key, value, more, share }, at) => (
          <li key={key} onClick={open(row)} data-opens={open(row) !== undefined || undefined}>
            <i data-tone={toneOf(props.draws.tones, key, TONES[at % TONES.length]!)} aria-hidden="true" />
            <span>{label}</span>
            <b>{share}</b>
            <small>{value === MASKED && more !== '' ? more : value}</small>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The time for which a tile flashes whose urgent figure grew. */
const FLASH_MS = 10_000

/** The rows of which a figure grew since the last reading, for ten seconds; the first reading is no growth. */
function useGrown(parts: readonly Part[], column: string | undefined): ReadonlySet<string> {
  const [grown, setGrown] = useState<ReadonlySet<string>>(new Set())
  const before = useRef<ReadonlyMap<string, string> | null>(null)
  useEffect(() => {
    if (column === undefined) return undefined
    const now = new Map(parts.map(({ key, row }) => [key, row[column] ?? '0']))
    const known = before.current
    before.current = now
    const more = [...now].filter(([key, value]) => isMore(value, known?.get(key))).map(([key]) => key)
    if (known === null || more.length === 0) return undefined
    setGrown(new Set(more))
    const timer = setTimeout(() => setGrown(new Set()), FLASH_MS)
    return () => clearTimeout(timer)
  }, [parts, column])
  return grown
}

const isMore = (now: string, before: string | undefined): boolean =>
  before !== undefined && isDecimal(now) && isDecimal(before) && compare(now, before) > 0

/** A few figures without bars. */
export function Tiles(props: Props) {
  const parts = useMemo(() => partsIn(props), [props])
  const open = useOpen(props)
  const grown = useGrown(parts, props.draws.flashes)
  if (parts.length === 0) return <Nothing />
  return (
    <ul className={css.tiles}>
      {parts.map(({ row, label, key, value, more }) => (
        <li
          key={key}
          onClick={open(row)}
          data-opens={open(row) !== undefined || undefined}
          data-flashing={grown.has(key) || undefined}
          data-tone={value === '0' ? 'calm' : toneOf(props.draws.tones, key, 'brand')}
        >
          <span>{label}</span>
          <b key={value}>{value}</b>
          {more !== '' && (
            <small>
              {fieldOf(props.card.reads[props.draws.of]!, props.draws.values[1]!)?.label} {more}
            </small>
          )}
        </li>
      ))}
    </ul>
  )
}
