import type { FoundColumns, ReadPreview, Rows } from '#kernel/tables/foreign-table.ts'
import { minuteOf, momentOf } from '#kernel/values/date.ts'
import { inexact } from '#kernel/values/inexact.ts'
import { halfWidth } from '#kernel/values/trimmed.ts'
import { namesRecorders, type recorderTable } from '#modules/trade/transport/cold-chain/recorder-table.ts'
import {
  momentReader,
  ofUnknownZone,
  unknownZoneIn,
  zoneIn,
  zoneOfLine,
} from '#modules/trade/transport/cold-chain/recorder-time.ts'

/** A measurement of a recorder at a moment (ISO 8601); humidity in percent where it has a sensor. */
export type Reading = {
  readonly at: string
  readonly celsius: number
  readonly humidity: number | null
  /** Which of several probes, or of several recorders, measured it; null: there is one. */
  readonly probe: string | null
}
/** A file as it was read, or the sentence that says why it cannot be. */
export type RecorderFile =
  | {
      readonly logger_no: string | null
      /** The probes of its readings are recorders, each by its number. */
      readonly hasRecorders: boolean
      /** In the order of time; several of one moment where it has several probes. */
      readonly readings: readonly Reading[]
      /** Rows in which nothing that was measured could be read. */
      readonly skipped: number
    }
  | { readonly refused: string }

const SERIAL =
  /(设备|仪器|记录仪|终端|探头)?(编号|序列号|号码|ID)|serial(\s{0,3}(no|number))?|logger|device\s{0,3}(id|no)|^sn$/i

const PREVIEWED = 6
const LONGEST_PROBE = 60
/** `Temperature Unit: F`, `单位：℉` above the headings. */
const UNIT_LINE = /\bunits?\b|单位/i

/** A unit in a heading, in a cell of its own, or behind a figure: `Temp (F)`, `Temp_F`, `deg F`, `ºF`, `TempF`. */
const FAHRENHEIT = /℉|华氏|fahr|(?:^|[^a-z])f(?:[^a-z]|$)|temp(?:erature)?f$/i
const CELSIUS = /℃|摄氏|celsius|(?:^|[^a-z])c(?:[^a-z]|$)|temp(?:erature)?c$|^度$/i
const KELVIN = /kelvin|开尔文|(?:^|[([,_]|(?<!type)\s)k[)\]]?$/i
/** Words that name a unit and never a probe. */
const FAHRENHEIT_ALONE = /℉|[°º˚]\s?f\b|华氏|fahr/i
const CELSIUS_ALONE = /℃|[°º˚]\s?c\b|摄氏|celsius/i
/** The mark of an alarm behind a figure: `9.1 H`, `9.1*`. */
const ALARM = /\s?(?:[*!↑↓▲▼]|\(?(?:hh?|ll?|hi|lo)\)?)$/i
/** A figure with nothing behind it but a unit. */
const FIGURE =
  /^([<>≤≥])?\s?([-+]?\d{1,9}(?:[.,]\d{1,9})?)\s{0,3}(?:℃|℉|[°º˚]?\s?[cf]|deg\s?[cf]|摄?氏?度|华氏度|%\s?(?:rh)?)?$/i
/** A probe, unit or figure of humidity. */
const HUMIDITY = /湿度|humid|%|\brh\b/i

export type RecorderColumns = FoundColumns<keyof typeof recorderTable.columns>

/** True if the lines above the headings say that all is in Fahrenheit, or have figures of their own in it alone. */
function isFahrenheitAbove(rows: Rows, row: number): boolean {
  const lines = rows.slice(0, row).map(cells => cells.join(' '))
  const isSaid = lines.some(line => UNIT_LINE.test(line) && FAHRENHEIT.test(line) && !CELSIUS.test(line))
  return isSaid || (lines.some(line => FAHRENHEIT_ALONE.test(line)) && !lines.some(line => CELSIUS_ALONE.test(line)))
}

/** The unit that a text names. A letter may be that of a probe: it decides where no sign of a unit does. */
function unitNamed(said: string): Unit | null {
  if (FAHRENHEIT_ALONE.test(said)) return 'fahrenheit'
  if (CELSIUS.test(said)) return 'celsius'
  return FAHRENHEIT.test(said) ? 'fahrenheit' : KELVIN.test(said) ? 'other' : null
}

type Unit = 'celsius' | 'fahrenheit' | 'other'

/** In what the figure in a column of a row is measured: as its column of units says, a person, or else its heading. */
function unitIn(rows: Rows, { row, titles, at, units }: RecorderColumns) {
  const said = units.temperature
  const unit = at.unit[0]
  // Units may stand in a row of their own below the headings.
  const below = (column: number) => (/\d/.test(rows[row + 1]?.[column] ?? '') ? '' : (rows[row + 1]?.[column] ?? ''))
  const headed = new Map(
    at.temperature.map(column => [column, unitNamed(titles[column] ?? '') ?? unitNamed(below(column))]),
  )
  const isAbove = isFahrenheitAbove(rows, row)
  return (cells: readonly string[], column: number): Unit => {
    const written = unit === undefined ? '' : (cells[unit] ?? '').trim()
    if (written !== '') return unitNamed(written) ?? 'other'
    if (said !== undefined) return said === 'fahrenheit' ? 'fahrenheit' : 'celsius'
    return headed.get(column) ?? (isAbove ? 'fahrenheit' : 'celsius')
  }
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

/** A difference smaller than a sensor can show: `>12.0` is stored as 12.0 plus this. */
const BEYOND = 0.01

/** `4.5`, `4.5℃`, `4,5`, `−18.2 °C`, `>12.0`; null: nothing was measured, or what stands there is no one figure. */
function figureOf(text: string | undefined): number | null {
  const said = halfWidth(text ?? '')
    .trim()
    .replace(ALARM, '')
  const found = FIGURE.exec(said.replace(/[\u2212\u2013]/g, '-'))
  if (!found) return null
  const value = inexact(found[2]!.replace(',', '.'))
  const beyond = found[1] === '>' ? BEYOND : found[1] === '<' ? -BEYOND : 0
  return Number.isFinite(value) ? value + beyond : null
}

/** A temperature in Celsius: Fahrenheit by its column or its own unit. */
function celsiusOf(text: string | undefined, unit: Unit): number | null {
  const figure = figureOf(text)
  if (figure === null || unit === 'other' || HUMIDITY.test(text ?? '')) return null
  const isFahrenheit = FAHRENHEIT.test(text ?? '') || (unit === 'fahrenheit' && !CELSIUS.test(text ?? ''))
  const celsius = isFahrenheit ? ((figure - 32) * 5) / 9 : figure
  return celsius < -200 || celsius > 200 ? null : celsius
}

const rounded = (value: number): number => Math.round(value * 100) / 100

/**
 * Reads the file of a Berlinger tag (Q-tag, Fridge-tag): the lowest and the highest temperature of each day, with their
 * times. Null: it is another file.
 *
 *     Serial: 16040001
 *     Date: 2026-11-26
 *     Min T: +3.9, TS Min T: 05:31
 *     Max T: +6.2, TS Max T: 14:10
 */
export function readTag(rows: Rows): RecorderFile | null {
  const lines = rows.map(cells => cells.join(',').trim())
  if (!lines.some(line => /TS M(in|ax) T\s{0,3}:/i.test(line))) return null
  const readings: Reading[] = []
  let [day, skipped]: [string | null, number] = [null, 0]
  const unit = lines.some(line => /^Temp unit\s{0,3}:\s{0,3}F/i.test(line)) ? 'fahrenheit' : 'celsius'
  for (const line of lines) {
    day = /^Date\s{0,3}:\s{0,3}(\d{4}-\d{2}-\d{2})/i.exec(line)?.[1] ?? day
    const [, figure, clock] =
      /^M(?:in|ax) T\s{0,3}:\s{0,3}([^,]{1,12}),\s{0,3}TS M(?:in|ax) T\s{0,3}:\s{0,3}(\d{1,2}:\d{2})/i.exec(line) ?? []
    if (figure === undefined || clock === undefined) continue
    const at = day === null ? null : momentOf(`${day}T${clock.padStart(5, '0')}+08:00`)
    const celsius = celsiusOf(figure, unit)
    if (at === null || celsius === null) skipped += 1
    else readings.push({ at, celsius: rounded(celsius), humidity: null, probe: null })
  }
  if (readings.length === 0) return { refused: '文件中没有可读取的温度数据' }
  const serial = lines.map(line => /^Serial\s{0,3}:\s{0,3}([\w-]{1,60})/i.exec(line)?.[1]).find(Boolean)
  return { logger_no: serial ?? null, hasRecorders: false, readings: inOrder(readings), skipped }
}

/** By time; the same figure of a probe at the same moment once. */
export function inOrder(readings: readonly Reading[]): readonly Reading[] {
  const once = new Map(readings.map(reading => [`${reading.at} ${reading.celsius} ${reading.probe}`, reading]))
  return [...once.values()].toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.celsius - b.celsius))
}

/** `Temp, °C (LGR S/N: 20123456, SEN S/N: 1)`: the number of the recorder in its heading. */
const serialInHeadings = (headings: readonly string[] = []): string | null =>
  headings.map(heading => /LGR S\/N:\s{0,3}([\w-]{1,40})/i.exec(heading)?.[1]).find(Boolean) ?? null

/** Reads the moment of a row as the file writes all of its moments, or says why they cannot be read. */
function momentsIn(rows: Rows, body: Rows, { row, at, titles }: RecorderColumns) {
  const written = (cells: readonly string[]) =>
    at.time
      .map(column => cells[column]?.trim() ?? '')
      .join(' ')
      .trim()
  const unknown = at.time.map(column => unknownZoneIn(titles[column] ?? '')).find(Boolean)
  if (unknown !== undefined) return { refused: ofUnknownZone(unknown) }
  const headed = at.time.map(column => zoneIn(titles[column] ?? '')).find(each => each !== null)
  const above = rows.slice(0, Math.max(0, row)).map(cells => zoneOfLine(cells.join(' ')))
  const zone = headed ?? above.find(each => each !== null)
  if (typeof zone === 'object') return zone
  const reader = momentReader(body.map(written).filter(Boolean), zone ?? undefined)
  return 'refused' in reader ? reader : { read: (cells: readonly string[]) => reader.read(written(cells)) }
}

/** The temperatures of one row: one for each of its columns, by the probe that the row or the heading names. */
function measuredIn(rows: Rows, columns: RecorderColumns) {
  const { at, titles } = columns
  const unit = unitIn(rows, columns)
  const [probe] = at.probe
  const titleOf = (column: number) => (titles[column] ?? '').trim().slice(0, LONGEST_PROBE)
  // Two probes may have the same heading.
  const headingOf = (column: number): string => {
    const alike = at.temperature.filter(each => each <= column && titleOf(each) === titleOf(column)).length
    return alike > 1 ? `${titleOf(column)} (${alike})` : titleOf(column)
  }
  const probeIn = (cells: readonly string[], column: number): string | null => {
    const said = probe === undefined ? '' : (cells[probe] ?? '').trim().slice(0, LONGEST_PROBE)
    const heading = at.temperature.length > 1 ? headingOf(column) : ''
    return [said, heading].filter(Boolean).join(' ') || null
  }
  return (cells: readonly string[]) =>
    at.temperature.flatMap(column => {
      const celsius = celsiusOf(cells[column], unit(cells, column))
      return celsius === null ? [] : [{ celsius: rounded(celsius), probe: probeIn(cells, column) }]
    })
}

/** A row of a file in which each probe has its own, and this one measures humidity. */
const isHumidityRow = (cells: readonly string[], { at }: RecorderColumns): boolean =>
  [...at.probe, ...at.unit].some(column => HUMIDITY.test(cells[column] ?? ''))

/** A row whose figures were parted by their decimal commas: digits stand beyond the last heading. */
function isParted(cells: readonly string[], { titles, at }: RecorderColumns): boolean {
  const beyond = cells.slice(titles.findLastIndex(title => title !== '') + 1).filter(cell => cell !== '')
  const isWhole = (cell: string | undefined) => /^[-+\u2212]?\d*$/.test(cell ?? '')
  return beyond.length > 0 && beyond.every(cell => /^\d+$/.test(cell)) && at.temperature.every(at => isWhole(cells[at]))
}

/** Readings whose only probe needs no name. */
function withFewProbes(readings: readonly Reading[]): readonly Reading[] {
  const isOne = new Set(readings.map(({ probe }) => probe)).size === 1
  return isOne ? readings.map(reading => ({ ...reading, probe: null })) : readings
}

/** The number of the recorder that wrote the file: in its only row of names, above the headings or in one of them. */
function loggerOf(rows: Rows, { row, at, titles }: RecorderColumns, readings: readonly Reading[]) {
  const hasRecorders = at.probe.some(column => namesRecorders(titles[column] ?? ''))
  const names = new Set(readings.map(({ probe }) => probe))
  const [only] = hasRecorders && names.size === 1 ? names : []
  const logger_no = only ?? serialOf(rows, row) ?? serialInHeadings(rows[row])
  return { logger_no, hasRecorders: hasRecorders && names.size > 1 }
}

/**
 * Reads what a temperature recorder exported, by its columns: the moment in one or in two, one temperature for each
 * probe or one probe in each row, in Celsius or Fahrenheit. Rows without a measurement are counted and left out.
 */
export function readRecorder(rows: Rows, columns: RecorderColumns): RecorderFile {
  const { at } = columns
  const body = rows.slice(columns.row + 1).filter(cells => cells.some(cell => cell !== ''))
  const moments = momentsIn(rows, body, columns)
  if ('refused' in moments) return moments
  const measured = measuredIn(rows, columns)
  const readings: Reading[] = []
  let skipped = 0
  for (const cells of body) {
    if (isHumidityRow(cells, columns)) continue
    const moment = moments.read(cells)
    const found = isParted(cells, columns) ? [] : measured(cells)
    if (moment === null || found.length === 0) {
      skipped += 1
      continue
    }
    const humidity = at.humidity[0] === undefined ? null : figureOf(cells[at.humidity[0]])
    const isMeasured = humidity !== null && humidity >= 0 && humidity <= 100
    const beside = isMeasured ? rounded(humidity) : null
    readings.push(...found.map(({ celsius, probe }) => ({ at: moment, celsius, humidity: beside, probe })))
  }
  if (readings.length === 0) return { refused: '文件中没有可读取的温度数据' }
  return { ...loggerOf(rows, columns, readings), readings: inOrder(withFewProbes(readings)), skipped }
}

/** The first readings, shown to the user who maps the columns. */
export function previewRecorder(file: RecorderFile): ReadPreview {
  const headings = ['时间', '温度', '湿度', '探头']
  if ('refused' in file) return { headings, rows: [], said: '', refused: file.refused }
  const { readings, skipped } = file
  return {
    headings,
    rows: readings
      .slice(0, PREVIEWED)
      .map(({ at, celsius, humidity, probe }) => [
        minuteOf(new Date(at)),
        `${celsius}℃`,
        humidity === null ? '' : `${humidity}%`,
        probe ?? '',
      ]),
    said: `读到${readings.length}条${skipped > 0 ? `，${skipped}行未能读取` : ''}`,
    refused: null,
  }
}
