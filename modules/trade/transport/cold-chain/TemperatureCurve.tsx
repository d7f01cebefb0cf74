import { type CurvePoint } from '#modules/trade/transport/cold-chain/temperature-curve.ts'
import css from '#modules/trade/transport/cold-chain/temperature-curve.module.css'
import { isOutside, type TemperatureBounds } from '#modules/base/vocabulary/storage-conditions.ts'
import { wallTime } from '#web/fields/kinds/timestamp.tsx'

type Props = { readonly curve: readonly CurvePoint[]; readonly bounds: TemperatureBounds | null }

const WIDTH = 900
const HEIGHT = 220
const LEFT = 44
const RIGHT = 12
const TOP = 12
const BOTTOM = 28

/** Whole degrees beyond the measured and the allowed range, so that no line is drawn on the frame. */
function scaleOf(curve: readonly CurvePoint[], bounds: TemperatureBounds | null): readonly [number, number] {
  const figures = [...curve.map(([, celsius]) => celsius), bounds?.min, bounds?.max].filter(
    figure => typeof figure === 'number',
  )
  return [Math.floor(Math.min(...figures)) - 1, Math.ceil(Math.max(...figures)) + 1]
}

/** The curve of a journey: the allowed band behind it, every reading outside it marked. */
export function TemperatureCurve({ curve, bounds }: Props) {
  const times = curve.map(([at]) => Date.parse(at))
  const [first, last] = [times[0] ?? 0, times.at(-1) ?? 0]
  const [low, high] = scaleOf(curve, bounds)
  const x = (at: number) => LEFT + ((WIDTH - LEFT - RIGHT) * (at - first)) / Math.max(1, last - first)
  const y = (celsius: number) => TOP + ((HEIGHT - TOP - BOTTOM) * (high - celsius)) / (high - low)
  const lines = [...Map.groupBy(curve, ([, , probe]) => probe ?? '').entries()].map(([probe, points]) => ({
    probe,
    points: points.map(([at, celsius]) => `${x(Date.parse(at)).toFixed(1)},${y(celsius).toFixed(1)}`).join(' '),
  }))
  const bad = bounds === null ? [] : curve.filter(([, celsius]) => isOutside(bounds, celsius))
  const step = Math.max(1, Math.ceil((high - low) / 6))
  const grid = Array.from({ length: Math.floor((high - low) / step) + 1 }, (_, at) => low + at * step)
  const said =
    `在途温度曲线，${wallTime(curve[0]?.[0])}至${wallTime(curve.at(-1)?.[0])}，` +
    (bad.length === 0 ? '没有超出储运条件' : `${bad.length}个点超出储运条件`)
  return (
    <svg role="img" aria-label={said} className={css.curve} viewBox={`0 0 ${WIDTH} ${HEIGHT}`}>
      {bounds !== null && (
        <rect
          className={css.allowed}
          x={LEFT}
          width={WIDTH - LEFT - RIGHT}
          y={y(bounds.max ?? high)}
          height={Math.max(0, y(bounds.min ?? low) - y(bounds.max ?? high))}
        />
      )}
      {grid.map(celsius => (
        <g key={celsius}>
          <line className={css.grid} x1={LEFT} x2={WIDTH - RIGHT} y1={y(celsius)} y2={y(celsius)} />
          <text className={css.degree} x={LEFT - 6} y={y(celsius)}>
            {celsius}℃
          </text>
        </g>
      ))}
      {lines.map(({ probe, points }) => (
        <polyline key={probe} className={css.line} points={points}>
          {probe !== '' && <title>{probe}</title>}
        </polyline>
      ))}
      {bad.map(([at, celsius, probe = '']) => (
        <circle key={`${at} ${probe} ${celsius}`} className={css.outside} cx={x(Date.parse(at))} cy={y(celsius)} r={4}>
          <title>{`${wallTime(at)}　${probe}　${celsius}℃`}</title>
        </circle>
      ))}
      <text className={css.start} x={LEFT} y={HEIGHT - 8}>
        {wallTime(curve[0]?.[0])}
      </text>
      <text className={css.end} x={WIDTH - RIGHT} y={HEIGHT - 8}>
        {wallTime(curve.at(-1)?.[0])}
      </text>
    </svg>
  )
}
