import type { Tone } from '#kernel/wall/wall-definition.ts'
import type { Picture } from '#web/charts/pictures/picture.ts'
import { COLUMNS, middleOf, ROWS, tiles } from '#web/charts/pictures/tile-map.ts'
import { type Palette, palettes, type ThemeName } from '#web/theme/palette.ts'

/** The text of a length, in the unit of its figure. */
export type Say = (value: number) => string
type Given = {
  readonly picture: Picture
  readonly theme: ThemeName
  readonly fontFamily: string
  readonly say: Say
  /** The text of a row beside its length. */
  readonly sayRow: (at: number) => string
  /** The rows that the reader chose: all others step back. */
  readonly chosen: number | null
  /** Read from six metres. */
  readonly onWall?: boolean
}

/** Amounts from ten thousand on are read in 万: an axis has little room. */
const short = (value: number): string =>
  Math.abs(value) >= 10_000 ? `${(value / 10_000).toLocaleString('zh-CN', { maximumFractionDigits: 1 })}万` : `${value}`

const FAINT = 0.35
const shade = (chosen: number | null, at: number) => (chosen === null || chosen === at ? 1 : FAINT)

const toneOf = (colours: Palette, tone: Tone): string =>
  ({
    brand: colours.brand,
    calm: colours.success,
    info: colours.info,
    warning: colours.warning,
    danger: colours.danger,
  })[tone]

function parts({ theme, fontFamily, say }: Given) {
  const colours = palettes[theme]
  const text = { color: colours.inkSoft, fontFamily, fontSize: 12 }
  const axisLine = { lineStyle: { color: colours.border } }
  return {
    colours,
    text,
    base: {
      animation: false,
      textStyle: { fontFamily },
      color: [colours.brand, colours.info, colours.warning, colours.success, colours.danger, colours.neutral],
    },
    grid: {
      left: 8,
      right: 16,
      top: 32,
      bottom: 8,
      outerBoundsMode: 'same' as const,
      outerBoundsContain: 'axisLabel' as const,
    },
    category: (data: readonly string[]) => ({
      type: 'category' as const,
      data: [...data],
      axisLabel: { ...text, hideOverlap: true },
      axisTick: { show: false },
      axisLine,
    }),
    value: {
      type: 'value' as const,
      axisLabel: { ...text, formatter: short },
      splitLine: { lineStyle: { color: colours.split } },
    },
    tooltip: {
      confine: true,
      // Names are people's: they are letters of the picture, never markup.
      renderMode: 'richText' as const,
      backgroundColor: colours.raised,
      borderColor: colours.border,
      textStyle: { color: colours.ink, fontFamily, fontSize: 13 },
    },
    legend: { top: 0, type: 'scroll' as const, textStyle: text, icon: 'roundRect', itemWidth: 14, itemHeight: 8 },
    said: (at: unknown, value: unknown) => (typeof value === 'number' ? say(value) : String(at)),
  }
}

/** The options with which ECharts draws a picture. */
export function optionOf(given: Given): Readonly<Record<string, unknown>> {
  const { picture } = given
  switch (picture.shape) {
    case 'lines':
      return lines(given, picture)
    case 'bars':
      return bars(given, picture)
    case 'tree':
      return tree(given, picture)
    case 'map':
      return map(given, picture)
    case 'scatter':
      return scatter(given, picture)
    case 'funnel':
      return funnel(given, picture)
    case 'waterfall':
      return waterfall(given, picture)
    case 'combo':
      return combo(given, picture)
    case 'calendar':
      return calendar(given, picture)
    case 'sankey':
      return sankey(given, picture)
  }
}

type Of<S extends Picture['shape']> = Extract<Picture, { shape: S }>

function lines(given: Given, { axis, series, asBars }: Of<'lines'>): Readonly<Record<string, unknown>> {
  const { base, grid, category, value, tooltip, legend } = parts(given)
  return {
    ...base,
    grid,
    legend,
    tooltip: { ...tooltip, trigger: 'axis', valueFormatter: (figure: unknown) => given.say(figure as number) },
    xAxis: category(axis),
    yAxis: value,
    series: series.map(({ name, values, dotted }) => ({
      name,
      data: values.map((figure, at) =>
        asBars && !dotted ? { value: figure, itemStyle: { opacity: shade(given.chosen, at) } } : figure,
      ),
      ...(asBars && !dotted
        ? { type: 'bar', barMaxWidth: 32 }
        : {
            type: 'line',
            symbolSize: 6,
            showSymbol: axis.length < 32,
            lineStyle: { width: dotted ? 1.5 : 2.5, type: dotted ? 'dotted' : 'solid' },
          }),
    })),
  }
}

function bars(given: Given, { items }: Of<'bars'>): Readonly<Record<string, unknown>> {
  const { base, category, value, grid, tooltip, text, colours } = parts(given)
  return {
    ...base,
    grid: { ...grid, top: 4, right: 64 },
    tooltip: { ...tooltip, formatter: ({ dataIndex }: { dataIndex: number }) => given.sayRow(items[dataIndex]!.at) },
    xAxis: { ...value, axisLabel: { show: false }, splitLine: { show: false } },
    // The largest bar is on top.
    yAxis: {
      ...category(items.map(({ name }) => name)),
      inverse: true,
      axisLabel: { ...text, width: 108, overflow: 'truncate' },
      axisLine: { show: false },
    },
    series: [
      {
        type: 'bar',
        barMaxWidth: 16,
        label: {
          show: true,
          position: 'right',
          ...text,
          formatter: ({ value: of }: { value: number }) => given.say(of),
        },
        data: items.map(({ value: of, at, tone }) => ({
          value: of,
          itemStyle: {
            opacity: shade(given.chosen, at),
            borderRadius: [0, 3, 3, 0],
            ...(tone ? { color: toneOf(colours, tone) } : {}),
          },
        })),
      },
    ],
  }
}

/** Colours on which white letters are readable in either theme. */
const AREAS = ['#0b7a75', '#1b5fae', '#18713a', '#8f5200', '#4d6166', '#7a3e9d', '#a33a5a', '#3b6b8c']

function tree(given: Given, { items }: Of<'tree'>): Readonly<Record<string, unknown>> {
  const { base, tooltip, colours } = parts(given)
  return {
    ...base,
    tooltip: {
      ...tooltip,
      formatter: ({ data }: { data?: { at?: number } }) => (data?.at === undefined ? '' : given.sayRow(data.at)),
    },
    series: [
      {
        type: 'treemap',
        roam: false,
        nodeClick: false,
        breadcrumb: { show: false },
        left: 0,
        right: 0,
        top: 0,
        bottom: 0,
        itemStyle: { borderColor: colours.surface, borderWidth: 2, gapWidth: 1 },
        label: {
          fontSize: given.onWall ? 20 : 13,
          lineHeight: given.onWall ? 26 : 18,
          color: '#ffffff',
          overflow: 'truncate',
          formatter: ({ name, value }: { name: string; value: number }) => `${name}\n${given.say(value)}`,
        },
        data: items.map(({ name, value, at }, index) => ({
          name,
          value,
          at,
          itemStyle: { color: AREAS[index % AREAS.length], opacity: shade(given.chosen, at) },
        })),
      },
    ],
  }
}

type Api = {
  readonly value: (at: number) => number
  readonly coord: (point: readonly number[]) => readonly [number, number]
  readonly size: (point: readonly number[]) => readonly [number, number]
}

function map(given: Given, { tiles: filled, flows }: Of<'map'>): Readonly<Record<string, unknown>> {
  const { base, tooltip, colours, text } = parts(given)
  const most = Math.max(0, ...Object.values(filled))
  const widest = Math.max(1, ...flows.map(({ value }) => value))
  const hidden = { type: 'value', show: false, min: 0 }
  const names = Object.keys(tiles)
  const sayTile = (name: string) => `${name} ${given.say(filled[name] ?? 0)}`
  const drawTile = (_: unknown, api: Api) => {
    const name = names[api.value(0)]!
    const [x, y] = api.coord(middleOf(name)!)
    const [width, height] = api.size([1, 1])
    const value = filled[name] ?? 0
    const strength = most === 0 || value === 0 ? 0 : 0.25 + 0.75 * Math.sqrt(value / most)
    const rect = { x: x - width * 0.46, y: y - height * 0.44, width: width * 0.92, height: height * 0.88, r: 4 }
    return {
      type: 'group',
      children: [
        { type: 'rect', shape: rect, style: { fill: colours.sunken, stroke: colours.border } },
        { type: 'rect', shape: rect, style: { fill: colours.brand, opacity: strength * 0.55 } },
      ],
    }
  }
  // Names are drawn above the lines.
  const drawName = (_: unknown, api: Api) => {
    const name = names[api.value(0)]!
    const [x, y] = api.coord(middleOf(name)!)
    const fill = filled[name] ? colours.ink : colours.inkFaint
    const style = { text: name, x, y, align: 'center', verticalAlign: 'middle', fill }
    return { type: 'text', silent: true, style: { ...style, font: `12px ${given.fontFamily}` } }
  }
  const places = {
    type: 'custom',
    coordinateSystem: 'cartesian2d',
    data: names.map((_, at) => [at]),
    encode: { x: -1, y: -1 },
  }
  return {
    ...base,
    grid: { left: 4, right: 4, top: 4, bottom: 4 },
    tooltip: {
      ...tooltip,
      formatter: ({ data, seriesIndex }: { data: { at?: number } | readonly number[]; seriesIndex: number }) =>
        seriesIndex === 0
          ? sayTile(names[(data as readonly number[])[0]!]!)
          : given.sayRow((data as { at: number }).at),
    },
    xAxis: { ...hidden, max: COLUMNS },
    yAxis: { ...hidden, max: ROWS },
    series: [
      { ...places, renderItem: drawTile },
      {
        type: 'lines',
        coordinateSystem: 'cartesian2d',
        z: 3,
        symbol: ['none', 'arrow'],
        symbolSize: 8,
        label: { show: false, ...text },
        data: flows
          .filter(({ from, to }) => from !== to)
          .map(({ from, to, value, at }) => ({
            at,
            coords: [middleOf(from), middleOf(to)],
            lineStyle: {
              color: colours.warning,
              width: 1.5 + 5 * Math.sqrt(value / widest),
              opacity: 0.85 * shade(given.chosen, at),
              curveness: 0.2,
            },
          })),
      },
      { ...places, renderItem: drawName, z: 5, silent: true, tooltip: { show: false } },
    ],
  }
}

function scatter(given: Given, { points, across, up }: Of<'scatter'>): Readonly<Record<string, unknown>> {
  const { base, grid, value, tooltip, legend, colours, text } = parts(given)
  const bands = [...new Map(points.map(point => [point.band, point.tone]))]
  const named = { nameTextStyle: text, nameLocation: 'middle' as const }
  return {
    ...base,
    grid: { ...grid, bottom: 24, left: 24 },
    legend,
    tooltip: {
      ...tooltip,
      formatter: ({ data }: { data: readonly [number, number, number] }) => given.sayRow(data[2]),
    },
    xAxis: { ...value, type: 'log', min: 1, name: across, ...named, nameGap: 22 },
    yAxis: { ...value, type: 'log', min: 1, name: up, ...named, nameGap: 12, axisLabel: { ...value.axisLabel } },
    series: bands.map(([band, tone]) => ({
      type: 'scatter',
      name: band,
      symbolSize: 9,
      itemStyle: { color: toneOf(colours, tone), opacity: 0.8, borderColor: colours.surface },
      // Goods that last less than a day are shown at the edge, where the logarithm begins.
      data: points
        .filter(point => point.band === band)
        .map(({ x, y, at }) => ({
          value: [Math.max(1, x), Math.max(1, y), at],
          itemStyle: { opacity: 0.8 * shade(given.chosen, at) },
        })),
    })),
  }
}

function funnel(given: Given, { items }: Of<'funnel'>): Readonly<Record<string, unknown>> {
  const { base, tooltip, colours, text } = parts(given)
  return {
    ...base,
    tooltip: { ...tooltip, formatter: ({ dataIndex }: { dataIndex: number }) => given.sayRow(items[dataIndex]!.at) },
    series: [
      {
        type: 'funnel',
        left: 8,
        right: '38%',
        top: 8,
        bottom: 8,
        minSize: '12%',
        sort: 'none',
        gap: 3,
        label: {
          show: true,
          position: 'right',
          ...text,
          color: colours.ink,
          formatter: ({ name, value }: { name: string; value: number }) => `${name} ${given.say(value)}`,
        },
        labelLine: { length: 8, lineStyle: { color: colours.border } },
        itemStyle: { borderWidth: 0 },
        data: items.map(({ name, value, tone, at }) => ({
          name,
          value,
          itemStyle: { color: toneOf(colours, tone ?? 'brand'), opacity: shade(given.chosen, at) },
        })),
      },
    ],
  }
}

function waterfall(given: Given, { items }: Of<'waterfall'>): Readonly<Record<string, unknown>> {
  const { base, grid, category, value, tooltip, colours, text } = parts(given)
  const lower = items.map((item, at) => (at === 0 ? 0 : Math.min(item.value, items[at - 1]!.value)))
  const gaps = items.map((item, at) => (at === 0 ? 0 : Math.abs(item.value - items[at - 1]!.value)))
  return {
    ...base,
    grid: { ...grid, top: 24 },
    tooltip: { ...tooltip, formatter: ({ dataIndex }: { dataIndex: number }) => given.sayRow(items[dataIndex]!.at) },
    xAxis: category(items.map(({ name }) => name)),
    yAxis: value,
    series: [
      {
        type: 'bar',
        stack: 'gap',
        barMaxWidth: 48,
        // All three series are drawn on top of one another.
        barGap: '-100%',
        silent: true,
        itemStyle: { color: 'transparent' },
        data: lower,
      },
      // The gap to the step before: less in red above the bar, more in green upon it.
      {
        type: 'bar',
        stack: 'gap',
        z: 3,
        barMaxWidth: 48,
        data: gaps.map((gap, at) => ({
          value: gap,
          itemStyle: {
            color: at > 0 && items[at]!.value < items[at - 1]!.value ? colours.danger : colours.success,
            opacity: 0.6,
            borderRadius: 3,
          },
        })),
      },
      {
        type: 'bar',
        barMaxWidth: 48,
        z: 2,
        label: { show: true, position: 'top', ...text, formatter: ({ value: of }: { value: number }) => given.say(of) },
        data: items.map(({ value: of, at }) => ({
          value: of,
          itemStyle: { color: colours.brand, opacity: shade(given.chosen, at), borderRadius: [3, 3, 0, 0] },
        })),
      },
    ],
  }
}

function combo(given: Given, { axis, bars: all, line }: Of<'combo'>): Readonly<Record<string, unknown>> {
  const { base, grid, category, value, tooltip, legend, text } = parts(given)
  return {
    ...base,
    grid,
    legend,
    tooltip: {
      ...tooltip,
      trigger: 'axis',
      formatter: (shown: readonly { dataIndex: number }[]) => given.sayRow(shown[0]!.dataIndex),
    },
    xAxis: category(axis),
    yAxis: [
      value,
      {
        type: 'value',
        min: 0,
        max: 1,
        axisLabel: { ...text, formatter: (of: number) => `${Math.round(of * 100)}%` },
        splitLine: { show: false },
      },
    ],
    series: [
      ...all.map(({ name, values }) => ({ name, type: 'bar', barMaxWidth: 14, data: [...values] })),
      { name: line.name, type: 'line', yAxisIndex: 1, symbolSize: 7, connectNulls: true, data: [...line.values] },
    ],
  }
}

function calendar(given: Given, { days, name }: Of<'calendar'>): Readonly<Record<string, unknown>> {
  const { base, tooltip, colours, text } = parts(given)
  const most = Math.max(1, ...days.map(({ value }) => value))
  return {
    ...base,
    tooltip: {
      ...tooltip,
      formatter: ({ dataIndex }: { dataIndex: number }) => `${name}\n${given.sayRow(days[dataIndex]!.at)}`,
    },
    visualMap: {
      min: 0,
      max: most,
      show: false,
      inRange: { color: [colours.sunken, colours.brandSoft, colours.brand] },
    },
    calendar: {
      range: [days[0]?.day, days.at(-1)?.day],
      left: 36,
      right: 8,
      top: 24,
      bottom: 8,
      cellSize: ['auto', 'auto'],
      itemStyle: { color: colours.surface, borderColor: colours.split },
      splitLine: { lineStyle: { color: colours.border } },
      dayLabel: { ...text, firstDay: 1, nameMap: ['日', '一', '二', '三', '四', '五', '六'] },
      monthLabel: { ...text, nameMap: Array.from({ length: 12 }, (_, at) => `${at + 1}月`) },
      yearLabel: { show: false },
    },
    series: [{ type: 'heatmap', coordinateSystem: 'calendar', data: days.map(({ day, value }) => [day, value]) }],
  }
}

function sankey(given: Given, { nodes, links }: Of<'sankey'>): Readonly<Record<string, unknown>> {
  const { base, tooltip, colours, text } = parts(given)
  return {
    ...base,
    tooltip: {
      ...tooltip,
      formatter: ({
        data,
        dataType,
        value,
      }: {
        data: { at?: number; label?: string }
        dataType: string
        value: number
      }) => (dataType === 'edge' && data.at !== undefined ? given.sayRow(data.at) : given.say(value)),
    },
    series: [
      {
        type: 'sankey',
        left: 8,
        right: 180,
        top: 8,
        bottom: 8,
        nodeGap: 10,
        nodeWidth: 14,
        draggable: false,
        emphasis: { focus: 'adjacency' },
        labelLayout: { hideOverlap: true },
        lineStyle: { color: 'gradient', opacity: 0.4 },
        label: {
          ...text,
          color: colours.ink,
          width: 170,
          overflow: 'truncate',
          formatter: ({ name }: { name: string }) => nodes.find(node => node.name === name)?.label ?? name,
        },
        data: nodes.map(({ name, depth }) => (depth === undefined ? { name } : { name, depth })),
        links: links.map(link => ({ ...link })),
      },
    ],
  }
}
