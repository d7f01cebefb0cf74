import { inexact } from '#kernel/values/inexact.ts'
import { isZero } from '#kernel/values/decimal.ts'
import { Link, useNavigate } from 'react-router'
import { groupDigits } from '#web/fields/kinds/number-input.tsx'
import { Blank } from '#web/list/page/EmptyState.tsx'
import css from '#web/flow/Flow.module.css'

type Bar = { readonly partner_sn: string; readonly name: string; readonly amount: string }

/** Partners by traded amount, largest first; each links to the list behind it. */
export function FlowBars({
  bars,
  to,
}: {
  readonly bars: readonly Bar[]
  readonly to: (partner: string) => string | null
}) {
  if (bars.length === 0) return <Blank title="本期没有数据" />
  const most = Math.max(...bars.map(bar => inexact(bar.amount)), 1)
  return (
    <ol className={css.bars}>
      {bars.map(bar => (
        <li key={bar.partner_sn}>
          <Link to={to(bar.partner_sn) ?? '#'}>
            <span className={css.barName}>{bar.name}</span>
            <span className={css.barLine}>
              <span style={{ inlineSize: `${Math.max(1, (inexact(bar.amount) / most) * 100)}%` }} />
            </span>
            <span className={css.barValue}>{groupDigits(bar.amount)}</span>
          </Link>
        </li>
      ))}
    </ol>
  )
}

const WIDTH = 600
const HEIGHT = 160

/** A line chart by day; values of a day on hover, and a click opens the documents of that day. */
export function FlowTrend({
  trend,
  to,
}: {
  readonly trend: readonly { readonly day: string; readonly amount: string }[]
  readonly to: (day: string) => string | null
}) {
  const navigate = useNavigate()
  if (trend.every(point => isZero(point.amount))) return <Blank title="近30天没有数据" />
  const amounts = trend.map(point => inexact(point.amount))
  const [least, most] = [Math.min(0, ...amounts), Math.max(1, ...amounts)]
  const x = (at: number) => (at / Math.max(1, trend.length - 1)) * WIDTH
  const y = (amount: number) => HEIGHT - ((amount - least) / (most - least)) * HEIGHT
  const line = amounts.map((amount, at) => `${x(at).toFixed(1)},${y(amount).toFixed(1)}`).join(' ')
  return (
    <figure className={css.trend}>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`每日金额，最高 ${groupDigits(most.toFixed(2))}`}
      >
        <polygon points={`0,${y(0)} ${line} ${WIDTH},${y(0)}`} className={css.area} />
        <polyline points={line} className={css.line} vectorEffect="non-scaling-stroke" />
        {trend.map((point, at) => (
          <rect
            key={point.day}
            x={x(at) - WIDTH / trend.length / 2}
            y={0}
            width={WIDTH / trend.length}
            height={HEIGHT}
            fill="transparent"
            className={css.day}
            onClick={() => void navigate(to(point.day) ?? '#')}
          >
            <title>{`${point.day}　${groupDigits(point.amount)}`}</title>
          </rect>
        ))}
      </svg>
      <figcaption>
        <span>{trend[0]?.day}</span>
        <span>最高 {groupDigits(most.toFixed(2))}</span>
        <span>{trend.at(-1)?.day}</span>
      </figcaption>
    </figure>
  )
}
