import type { BoardCard } from '#kernel/wall/board-definition.ts'
import { BEFORE, type BoardTable, NOW } from '#kernel/wall/board-table.ts'
import { STEP, type Tone } from '#kernel/wall/wall-definition.ts'
import { inexact } from '#kernel/values/inexact.ts'
import type { Item, Picture } from '#web/charts/pictures/picture.ts'

const lengthOf = (value: string | null | undefined): number => inexact(value) || 0
/** More points than this hide each other. */
const MOST_POINTS = 300
/** Days at the end of the axis. */
const FOR_EVER = 10_000
const tones: Readonly<Record<string, Tone>> = {
  expired: 'danger',
  month: 'warning',
  quarter: 'info',
  half: 'calm',
  later: 'brand',
}

/** The form of a trend: a line, bars, or the days of a calendar. */
export type TrendShape = 'line' | 'bars' | 'days'

/** The picture of a card's table; null where there is nothing to draw, or all of it is hidden. */
export function pictureOf({ draws }: BoardCard, table: BoardTable, trend: TrendShape): Picture | null {
  const { rows, columns } = table
  const items = rows
    .map(({ label, cells }, at): Item => ({ name: label, value: lengthOf(cells[NOW]), at }))
    .filter(({ value }) => value > 0)
  switch (draws.form) {
    case 'figures':
      return null
    case 'trend': {
      if (trend === 'days') return calendarOf(table)
      const [measure, before] = columns
      if (rows.every(({ cells }) => lengthOf(cells[NOW]) === 0 && lengthOf(cells[BEFORE]) === 0)) return null
      const compared =
        before?.name === BEFORE
          ? [{ name: before.label, values: rows.map(({ cells }) => lengthOf(cells[BEFORE])), dotted: true as const }]
          : []
      return {
        shape: 'lines',
        axis: rows.map(({ label }) => label),
        series: [{ name: measure!.label, values: rows.map(({ cells }) => lengthOf(cells[NOW])) }, ...compared],
        asBars: trend === 'bars',
      }
    }
    case 'calendar':
      return calendarOf(table)
    case 'tree':
      return items.length === 0 ? null : { shape: 'tree', items }
    case 'ranking':
    case 'bars':
      return items.length === 0
        ? null
        : { shape: 'bars', items: items.toSorted((a, b) => b.value - a.value).slice(0, 20) }
    case 'map':
      return mapOf(table)
    case 'scatter':
      return scatterOf(table, draws.expiry)
    case 'funnel': {
      const bands = rows.map(({ label, cells }, at) => ({
        name: label,
        value: lengthOf(cells[NOW]),
        at,
        tone: draws.bands[at]!.tone,
      }))
      return items.length === 0 ? null : { shape: 'funnel', items: bands }
    }
    case 'waterfall':
      return items.length === 0
        ? null
        : {
            shape: 'waterfall',
            items: rows.map(({ label, cells }, at) => ({ name: label, value: lengthOf(cells[NOW]), at })),
          }
    case 'combo': {
      const [line, ...bars] = columns.toReversed()
      if (rows.every(({ cells }) => bars.every(({ name }) => lengthOf(cells[name]) === 0))) return null
      return {
        shape: 'combo',
        axis: rows.map(({ label }) => label),
        bars: bars
          .toReversed()
          .map(({ name, label }) => ({ name: label, values: rows.map(({ cells }) => lengthOf(cells[name])) })),
        line: {
          name: line!.label,
          values: rows.map(({ cells }) => (cells[line!.name] == null ? null : lengthOf(cells[line!.name]))),
        },
      }
    }
    case 'sankey': {
      const nodes = new Map<string, { name: string; label: string; depth: number }>()
      const links = rows.flatMap(({ row, cells }, at) => {
        const named = draws.stations.map((station, depth) => {
          const label = row[station.name] || '未指定'
          const name = `${depth} ${label}`
          nodes.set(name, { name, label, depth })
          return name
        })
        return named.slice(1).map((target, index) => ({
          source: named[index]!,
          target,
          value: lengthOf(cells[NOW]),
          at,
        }))
      })
      const drawn = links.filter(({ value }) => value > 0)
      return drawn.length === 0 ? null : { shape: 'sankey', nodes: [...nodes.values()], links: drawn }
    }
  }
}

function calendarOf({ rows, columns }: BoardTable): Picture | null {
  // Periods that are no days have no square: those of the answer before.
  const days = rows.flatMap(({ label, cells }, at) =>
    label.length === 10 ? [{ day: label, value: lengthOf(cells[NOW]), at }] : [],
  )
  return days.every(({ value }) => value === 0) ? null : { shape: 'calendar', name: columns[0]!.label, days }
}

function mapOf({ rows }: BoardTable): Picture | null {
  const tiles: Record<string, number> = {}
  const flows = rows.flatMap(({ cells }, at) => {
    const { from, to } = cells
    const value = lengthOf(cells[NOW])
    if (value <= 0) return []
    for (const place of new Set([from, to])) if (place) tiles[place] = (tiles[place] ?? 0) + value
    return from && to ? [{ from, to, value, at }] : []
  })
  return Object.keys(tiles).length === 0 ? null : { shape: 'map', tiles, flows }
}

function scatterOf({ rows, columns }: BoardTable, expiry: string): Picture | null {
  const [across, up] = columns
  const points = rows.flatMap(({ label, cells, row }, at) => {
    const y = lengthOf(cells[NOW])
    // Goods of which nothing is taken last for ever: they are shown at the end of the axis.
    return y <= 0
      ? []
      : [
          {
            name: label,
            x: cells.across == null ? FOR_EVER : Math.min(lengthOf(cells.across), FOR_EVER),
            y,
            at,
            tone: tones[row[expiry] ?? ''] ?? ('brand' as const),
            band: cells.band ?? '',
          },
        ]
  })
  return points.length === 0
    ? null
    : { shape: 'scatter', across: across!.label, up: up!.label, points: points.slice(0, MOST_POINTS) }
}

/** The row of a table that was clicked on, where a click on this card narrows the others. */
export const chosenRow = (table: BoardTable, value: string | undefined): number | null => {
  if (value === undefined) return null
  const at = table.rows.findIndex(({ key, row }) => key === value || row[STEP] === value)
  return at < 0 ? null : at
}
