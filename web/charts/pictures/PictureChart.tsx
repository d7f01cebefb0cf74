import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import {
  BarChart,
  CustomChart,
  FunnelChart,
  HeatmapChart,
  LineChart,
  LinesChart,
  SankeyChart,
  ScatterChart,
  TreemapChart,
} from 'echarts/charts'
import {
  CalendarComponent,
  GridComponent,
  LegendComponent,
  TooltipComponent,
  VisualMapContinuousComponent,
} from 'echarts/components'
import { type ECharts, init, use as register } from 'echarts/core'
import { LabelLayout } from 'echarts/features'
import { SVGRenderer } from 'echarts/renderers'
import { type Picture, rowsDrawn } from '#web/charts/pictures/picture.ts'
import { optionOf, type Say } from '#web/charts/pictures/picture-option.ts'
import { useThemeName } from '#web/theme/theme-store.ts'
import css from '#web/charts/pictures/PictureChart.module.css'

register([
  BarChart,
  CustomChart,
  FunnelChart,
  HeatmapChart,
  LineChart,
  LinesChart,
  SankeyChart,
  ScatterChart,
  TreemapChart,
  CalendarComponent,
  GridComponent,
  LegendComponent,
  TooltipComponent,
  VisualMapContinuousComponent,
  // Names that would overlap are left out: the table has them.
  LabelLayout,
  SVGRenderer,
])

type Props = {
  readonly picture: Picture
  readonly label: string
  readonly say: Say
  readonly sayRow: (at: number) => string
  /** The row that the reader chose. */
  readonly chosen: number | null
  /** On a wall: dark whatever the theme is, and in large letters. */
  readonly onWall?: boolean
  /** A click, or Enter. */
  readonly onPick?: ((at: number) => void) | undefined
  /** A double click, or Ctrl and Enter. */
  readonly onDrill?: ((at: number) => void) | undefined
}

/** Two clicks within this are one double click. */
const DOUBLE_MS = 260

/** The row of the table behind the picture that was clicked; in charts with axes the nearest one. */
function rowAt(chart: ECharts, picture: Picture, x: number, y: number): number | null {
  const isAcross = picture.shape === 'bars'
  if (!isAcross && !['lines', 'combo', 'waterfall'].includes(picture.shape)) return null
  if (!chart.containPixel({ gridIndex: 0 }, [x, y])) return null
  const found = chart.convertFromPixel({ gridIndex: 0 }, [x, y]) as readonly number[] | undefined
  const place = found?.[isAcross ? 1 : 0]
  return place === undefined ? null : (rowsDrawn(picture)[place] ?? null)
}

/** A picture of a card: what is clicked narrows, what is double-clicked opens; the arrow keys walk through it. */
export default function PictureChart({ picture, label, say, sayRow, chosen, onWall = false, onPick, onDrill }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const ofReader = useThemeName()
  const theme = onWall ? 'dark' : ofReader
  const [walked, setWalked] = useState<number | null>(null)
  const waiting = useRef<ReturnType<typeof setTimeout> | null>(null)
  const pick = useEffectEvent((at: number) => {
    if (waiting.current !== null) {
      clearTimeout(waiting.current)
      waiting.current = null
      return onDrill?.(at)
    }
    waiting.current = setTimeout(() => {
      waiting.current = null
      onPick?.(at)
    }, DOUBLE_MS)
  })
  const sayLength = useEffectEvent((value: number) => say(value))
  const sayOf = useEffectEvent((at: number) => sayRow(at))
  useEffect(() => {
    if (place.current === null) return
    const chart = init(place.current, null, { renderer: 'svg' })
    const fontFamily = getComputedStyle(place.current).fontFamily
    chart.setOption(
      optionOf({ picture, theme, fontFamily, say: value => sayLength(value), sayRow: at => sayOf(at), chosen, onWall }),
    )
    chart.getZr().on('click', ({ offsetX, offsetY }: { offsetX: number; offsetY: number }) => {
      const at = rowAt(chart, picture, offsetX, offsetY)
      if (at !== null) pick(at)
    })
    chart.on('click', ({ data, dataIndex }) => {
      const own = (data as { at?: number; value?: readonly number[] } | undefined) ?? {}
      const at =
        own.at ??
        (picture.shape === 'scatter' ? own.value?.[2] : undefined) ??
        (picture.shape === 'funnel' || picture.shape === 'calendar' ? rowsDrawn(picture)[dataIndex] : undefined)
      if (at !== undefined) pick(at)
    })
    const watch = new ResizeObserver(() => chart.resize())
    watch.observe(place.current)
    return () => {
      watch.disconnect()
      chart.dispose()
    }
  }, [picture, theme, chosen, onWall])
  const onKeyDown = (event: KeyboardEvent) => {
    const rows = rowsDrawn(picture)
    const last = rows.length - 1
    const now = walked === null ? -1 : rows.indexOf(walked)
    const next = { ArrowRight: now + 1, ArrowDown: now + 1, ArrowLeft: now - 1, ArrowUp: now - 1, Home: 0, End: last }[
      event.key
    ]
    if (next !== undefined && last >= 0) {
      event.preventDefault()
      setWalked(rows[Math.min(last, Math.max(0, next))]!)
    } else if (event.key === 'Enter' && walked !== null) {
      event.preventDefault()
      if (event.ctrlKey) onDrill?.(walked)
      else onPick?.(walked)
    }
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys walk through the picture
    <div
      className={css.frame}
      role="group"
      tabIndex={0}
      aria-label={label}
      onKeyDown={onKeyDown}
      onBlur={() => setWalked(null)}
    >
      <div ref={place} className={css.chart} aria-hidden />
      <p className={css.walked} aria-live="polite" data-shown={walked !== null}>
        {walked === null ? '' : sayRow(walked).replaceAll('\n', ' ')}
      </p>
    </div>
  )
}
