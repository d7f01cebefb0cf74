import { momentOf } from '#kernel/values/date.ts'
import { inexact } from '#kernel/values/inexact.ts'
import { momentReader, zoneIn } from '#modules/transport/cold-chain/recorder-time.ts'

/** What a recorder measured at a moment (ISO 8601); humidity in percent where it has a sensor. */
export type Reading = { readonly at: string; readonly celsius: number; readonly humidity: number | null }
/** A file as it was read, or the sentence that says why it cannot be. */
export type RecorderFile =
  | {
      readonly logger_no: string | null
      /** In the order of time; several of one moment where it has several probes. */
      readonly readings: readonly Reading[]
      /** Rows in which nothing that was measured could be read. */
      readonly skipped: number
    }
  | { readonly refused: string }

/** Headings stand below what a recorder says of itself: within so many rows. */
const DEEPEST_HEADING = 100

const TIME = /时间|日期|记录时刻|time|date/i
const DAY_ONLY = /^(日期|记录日期|date|day)$/i
const CLOCK_ONLY = /^(时间|时刻|记录时间|time|hour)$/i
const TEMPERATURE = /温度|temp|℃|°c|℉|°f/i
const HUMIDITY = /湿度|humid|%rh|^rh/i
/** Columns that are about a temperature and are not the measured one. */
const LIMITS = /上限|下限|报警|警|最高|最低|平均|high|low|limit|alarm|max|min|avg|mean|设定|set/i
const SERIAL =
  /(设备|仪器|记录仪|终端|探头)?(编号|序列号|号码|ID)|serial(\s{0,3}(no|number))?|logger|device\s{0,3}(id|no)|^sn$/i

/** `Temperature Unit: F` above the headings. */
const UNIT_LINE = /temp(?:erature)?\s{0,3}unit|温度单位/i

type Rows = readonly (readonly string[])[]
type Columns = {
  readonly row: number
  readonly time: readonly number[]
  /** One for each probe. */
  readonly temperatures: readonly number[]
  readonly humidity: number | null
  /** Columns in Fahrenheit. */
  readonly fahrenheit: ReadonlySet<number>
  readonly zone: string | null
}

const LONGEST_HEADING = 120
const FAHRENHEIT = /℉|°\s?f\b|fahrenheit|华氏/i
/** A heading without what it says in brackets of the sensor: `Temp, °C (LGR S/N: 2012, SEN S/N: 3)`. */
function titleOf(heading: string): string {
  const sensor = heading.indexOf('(LGR S/N')
  return (sensor < 0 ? heading : heading.slice(0, sensor)).trim()
}

/** The row of headings: it names a moment, and temperatures that are measured. */
function columnsOf(rows: Rows): Columns | null {
  for (const [row, cells] of rows.slice(0, DEEPEST_HEADING).entries()) {
    const titles = cells.map(cell => (cell.length <= LONGEST_HEADING ? titleOf(cell) : ''))
    const find = (fits: (title: string) => boolean) => titles.findIndex(fits)
    const isMeasured = (title: string) => TEMPERATURE.test(title) && !LIMITS.test(title) && !TIME.test(title)
    const temperatures = titles.flatMap((title, at) => (isMeasured(title) ? [at] : []))
    if (temperatures.length === 0) continue
    const [day, clock] = [find(title => DAY_ONLY.test(title)), find(title => CLOCK_ONLY.test(title))]
    const one = find(title => TIME.test(title) && !TEMPERATURE.test(title))
    const time = day >= 0 && clock >= 0 ? [day, clock] : one >= 0 ? [one] : []
    if (time.length === 0) continue
    const humidity = find(title => HUMIDITY.test(title) && !LIMITS.test(title))
    const above = rows
      .slice(0, row)
      .some(said => UNIT_LINE.test(said.join(' ')) && /[\s:：]°?f\b|℉/i.test(said.join(' ')))
    return {
      row,
      time,
      temperatures,
      humidity: humidity < 0 ? null : humidity,
      fahrenheit: new Set(temperatures.filter(at => above || FAHRENHEIT.test(titles[at]!))),
      zone: time.map(at => zoneIn(titles[at]!)).find(zone => zone !== null) ?? null,
    }
  }
  return null
}

/** The number by which a recorder names itself above its readings: `设备编号：TL-8812`, or in the next cell. */
function serialOf(rows: Rows, before: number): string | null {
  for (const cells of rows.slice(0, before))
    for (const [at, cell] of cells.entries()) {
      const [title = '', ...rest] = cell.split(/[:：=]/)
      if (!SERIAL.test(title.trim()) || title.length > 30) continue
      const value = (rest.join(':').trim() || (cells.slice(at + 1).find(next => next.trim() !== '') ?? '')).trim()
      if (value !== '' && value.length <= 60) return value
    }
  return null
}

/** More than a sensor can show: `>12.0` is told from 12.0 by this much. */
const BEYOND = 0.01

/** `4.5`, `4.5℃`, `4,5`, `−18.2 °C`, `>12.0`; null: nothing was measured. */
function figureOf(text: string | undefined): number | null {
  const said = (text ?? '').trim().replace(/[－\u2212\u2013]/g, '-')
  const found = /^([<>＜＞≤≥])?\s?([-+]?\d+(?:[.,]\d+)?)/.exec(said)
  if (!found) return null
  const value = inexact(found[2]!.replace(',', '.'))
  const beyond = found[1] === '>' || found[1] === '＞' ? BEYOND : found[1] === '<' || found[1] === '＜' ? -BEYOND : 0
  return Number.isFinite(value) ? value + beyond : null
}

/** A temperature in Celsius: Fahrenheit by its column or its own unit. */
function celsiusOf(text: string | undefined, isFahrenheit: boolean): number | null {
  const figure = figureOf(text)
  if (figure === null) return null
  const celsius = isFahrenheit || FAHRENHEIT.test(text ?? '') ? ((figure - 32) * 5) / 9 : figure
  return celsius < -200 || celsius > 200 ? null : celsius
}

const rounded = (value: number): number => Math.round(value * 100) / 100

/**
 * What tags of Berlinger (Q-tag, Fridge-tag) write: of each day the lowest and the highest, with their times.
 *
 *     Serial: 16040001
 *     Date: 2026-11-26
 *     Min T: +3.9, TS Min T: 05:31
 *     Max T: +6.2, TS Max T: 14:10
 */
function readTag(rows: Rows): RecorderFile | null {
  const lines = rows.map(cells => cells.join(',').trim())
  if (!lines.some(line => /TS M(in|ax) T\s{0,3}:/i.test(line))) return null
  const readings: Reading[] = []
  let [day, skipped]: [string | null, number] = [null, 0]
  for (const line of lines) {
    day = /^Date\s{0,3}:\s{0,3}(\d{4}-\d{2}-\d{2})/i.exec(line)?.[1] ?? day
    const [, figure, clock] =
      /^M(?:in|ax) T\s{0,3}:\s{0,3}([^,]{1,12}),\s{0,3}TS M(?:in|ax) T\s{0,3}:\s{0,3}(\d{1,2}:\d{2})/i.exec(line) ?? []
    if (figure === undefined || clock === undefined) continue
    const at = day === null ? null : momentOf(`${day}T${clock.padStart(5, '0')}+08:00`)
    const celsius = celsiusOf(figure, false)
    if (at === null || celsius === null) skipped += 1
    else readings.push({ at, celsius: rounded(celsius), humidity: null })
  }
  if (readings.length === 0) return { refused: '文件中没有可读取的温度数据' }
  const serial = lines.map(line => /^Serial\s{0,3}:\s{0,3}([\w-]{1,60})/i.exec(line)?.[1]).find(Boolean)
  return { logger_no: serial ?? null, readings: inOrder(readings), skipped }
}

/** By time; the same figure of the same moment once. */
export function inOrder(readings: readonly Reading[]): readonly Reading[] {
  const once = new Map(readings.map(reading => [`${reading.at} ${reading.celsius}`, reading]))
  return [...once.values()].toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.celsius - b.celsius))
}

/** `Temp, °C (LGR S/N: 20123456, SEN S/N: 1)`: the number of the recorder in its heading. */
const serialInHeadings = (headings: readonly string[]): string | null =>
  headings.map(heading => /LGR S\/N:\s{0,3}([\w-]{1,40})/i.exec(heading)?.[1]).find(Boolean) ?? null

/**
 * Reads what a temperature recorder exported: rows of cells with its headings anywhere near the top, the moment in
 * one column or in two, one temperature for each probe, in Celsius or Fahrenheit. Rows without a measurement are
 * counted and left out.
 */
export function readRecorder(rows: Rows): RecorderFile {
  const columns = columnsOf(rows)
  if (columns === null) return readTag(rows) ?? { refused: '没有找到时间列和温度列，请使用记录仪导出的原始文件' }
  const body = rows.slice(columns.row + 1)
  const written = (cells: readonly string[]) =>
    columns.time
      .map(at => cells[at]?.trim() ?? '')
      .join(' ')
      .trim()
  const moments = body.map(written)
  const reader = momentReader(
    moments.filter(text => text !== ''),
    columns.zone ?? undefined,
  )
  if ('refused' in reader) return reader
  const readings: Reading[] = []
  let skipped = 0
  for (const [row, cells] of body.entries()) {
    if (cells.every(cell => cell === '')) continue
    const at = reader.read(moments[row]!)
    const measured = columns.temperatures.flatMap(
      column => celsiusOf(cells[column], columns.fahrenheit.has(column)) ?? [],
    )
    if (at === null || measured.length === 0) {
      skipped += 1
      continue
    }
    const humidity = columns.humidity === null ? null : figureOf(cells[columns.humidity])
    const isMeasured = humidity !== null && humidity >= 0 && humidity <= 100
    const beside = isMeasured ? rounded(humidity) : null
    readings.push(...measured.map(celsius => ({ at, celsius: rounded(celsius), humidity: beside })))
  }
  if (readings.length === 0) return { refused: '文件中没有可读取的温度数据' }
  const logger_no = serialOf(rows, columns.row) ?? serialInHeadings(rows[columns.row]!)
  return { logger_no, readings: inOrder(readings), skipped }
}
