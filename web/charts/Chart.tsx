import { useEffect, useRef } from 'react'
import { BarChart, LineChart } from 'echarts/charts'
import { GridComponent, LegendComponent, TooltipComponent } from 'echarts/components'
import { init, use as register } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import { inexact } from '#kernel/values/inexact.ts'
import type { Drawing } from '#web/charts/report-chart.ts'
import { palettes, type ThemeName } from '#web/theme/palette.ts'
import { useThemeName } from '#web/theme/theme-store.ts'
import css from '#web/charts/Chart.module.css'

register([BarChart, LineChart, GridComponent, LegendComponent, TooltipComponent, SVGRenderer])

/** Amounts from ten thousand on are read in 万: an axis has little room. */
const short = (value: number): string =>
  Math.abs(value) >= 10_000 ? `${(value / 10_000).toLocaleString('zh-CN', { maximumFractionDigits: 1 })}万` : `${value}`

type Props = {
  readonly drawing: Drawing
  /** On a wall: dark whatever the theme is, read from six metres, and drawn in once. */
  readonly onWall?: boolean
}

/** Draws what `drawingOf` made of an analysis, in the colours of the theme; it is as wide as its place. */
export default function Chart({ drawing, onWall = false }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const ofReader = useThemeName()
  const theme = onWall ? 'dark' : ofReader
  useEffect(() => {
    if (place.current === null) return
    const chart = init(place.current, null, { renderer: 'svg' })
    const option = optionOf(drawing, theme, getComputedStyle(place.current).fontFamily)
    chart.setOption(onWall ? largeOf(option) : option)
    const watch = new ResizeObserver(() => chart.resize())
    watch.observe(place.current)
    return () => {
      watch.disconnect()
      chart.dispose()
    }
  }, [drawing, theme, onWall])
  const names = drawing.series.map(({ name }) => name).join('、')
  return (
    <div
      ref={place}
      className={onWall ? css.onWall : css.chart}
      role="img"
      aria-label={`${drawing.title}${drawing.shape === 'bars' ? '排行' : '趋势'}：${names}，数字见下表`}
    />
  )
}

/** The same with large letters and thick lines, the space below each lightly filled. */
function largeOf(option: ReturnType<typeof optionOf>) {
  const letters = { fontSize: 17 }
  const axis = <A extends { readonly axisLabel: object }>(of: A): A => ({
    ...of,
    axisLabel: { ...of.axisLabel, ...letters, hideOverlap: true },
  })
  const { legend } = option as { legend?: { textStyle: object } }
  return {
    ...option,
    xAxis: axis(option.xAxis),
    yAxis: axis({ ...option.yAxis, splitNumber: 3 }),
    ...(legend
      ? { legend: { ...legend, right: 0, icon: 'roundRect', textStyle: { ...legend.textStyle, ...letters } } }
      : {}),
    tooltip: { ...option.tooltip, textStyle: { ...option.tooltip.textStyle, ...letters } },
    series: option.series.map(each => ({
      ...each,
      // A point with no neighbour has no line.
      showSymbol: each.data.filter(value => !Number.isNaN(value)).length < 8,
      symbolSize: 10,
      connectNulls: true,
      lineStyle: { width: 4 },
      areaStyle: { opacity: 0.1 },
    })),
  }
}

function optionOf({ shape, axis, series, unit }: Drawing, theme: ThemeName, fontFamily: string) {
  const colours = palettes[theme]
  const text = { color: colours.inkSoft, fontFamily }
  const category = { type: 'category' as const, data: [...axis], axisLabel: text, axisTick: { show: false } }
  const value = {
    type: 'value' as const,
    axisLabel: { ...text, formatter: short },
    ...(unit ? { name: unit, nameTextStyle: text } : {}),
    splitLine: { lineStyle: { color: colours.split } },
  }
  const across = shape === 'bars'
  return {
    animation: false,
    color: [
      colours.brand,
      colours.info,
      colours.warning,
      colours.success,
      colours.danger,
      colours.inkFaint,
      colours.neutral,
    ],
    grid: {
      left: 8,
      right: 24,
      // The name of the axis stands between the legend and the lines.
      top: across ? 8 : unit ? 56 : 36,
      bottom: 8,
      outerBoundsMode: 'same' as const,
      outerBoundsContain: 'axisLabel' as const,
    },
    tooltip: {
      trigger: 'axis' as const,
      backgroundColor: colours.raised,
      borderColor: colours.border,
      textStyle: { color: colours.ink },
      valueFormatter: (figure: unknown) =>
        inexact(figure as number).toLocaleString('zh-CN', { minimumFractionDigits: 2 }),
    },
    ...(across ? {} : { legend: { top: 0, type: 'scroll' as const, textStyle: text } }),
    // The largest bar is on top.
    xAxis: across ? value : category,
    yAxis: across ? { ...category, inverse: true } : value,
    series: series.map(({ name, values }) => ({
      name,
      data: [...values],
      ...(across
        ? { type: 'bar' as const, barMaxWidth: 18 }
        : { type: 'line' as const, symbolSize: 6, showSymbol: axis.length < 32 }),
    })),
  }
}
