import { inexact } from '#kernel/values/inexact.ts'
import { momentReader } from '#modules/transport/cold-chain/recorder-time.ts'

/** What a recorder measured at a moment (ISO 8601); humidity in percent where it has a sensor. */
export type Reading = { readonly at: string; readonly celsius: number; readonly humidity: number | null }
/** A file as it was read, or the sentence that says why it cannot be. */
export type RecorderFile =
  | { readonly logger_no: string | null; readonly readings: readonly Reading[]; readonly skipped: number }
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

type Rows = readonly (readonly string[])[]
type Columns = {
  readonly row: number
  readonly time: readonly number[]
  readonly temperature: number
  readonly humidity: number | null
  readonly isFahrenheit: boolean
}

/** The row of headings: it names a moment, and a temperature that is measured. */
function columnsOf(rows: Rows): Columns | null {
  for (const [row, cells] of rows.slice(0, DEEPEST_HEADING).entries()) {
    const find = (fits: (title: string) => boolean) => cells.findIndex(title => title.length <= 40 && fits(title))
    const temperature = find(title => TEMPERATURE.test(title) && !LIMITS.test(title) && !TIME.test(title))
    if (temperature < 0) continue
    const [day, clock] = [find(title => DAY_ONLY.test(title.trim())), find(title => CLOCK_ONLY.test(title.trim()))]
    const one = find(title => TIME.test(title) && !TEMPERATURE.test(title))
    const time = day >= 0 && clock >= 0 ? [day, clock] : one >= 0 ? [one] : []
    if (time.length === 0) continue
    const humidity = find(title => HUMIDITY.test(title) && !LIMITS.test(title))
    return {
      row,
      time,
      temperature,
      humidity: humidity < 0 ? null : humidity,
      isFahrenheit: /℉|°f|fahrenheit|华氏/i.test(cells[temperature]!),
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

/** `4.5`, `4.5℃`, `4,5`, `-18.2 °C`; null: nothing was measured. */
function figureOf(text: string | undefined): number | null {
  const found = /^[-+－]?\d+([.,]\d+)?/.exec((text ?? '').trim().replace('－', '-'))
  if (!found) return null
  const value = inexact(found[0].replace(',', '.'))
  return Number.isFinite(value) ? value : null
}

const rounded = (value: number): number => Math.round(value * 100) / 100

/**
 * Reads what a temperature recorder exported: rows of cells with its headings anywhere near the top, the moment in
 * one column or in two, in Celsius or Fahrenheit. Rows without a measurement are counted and left out.
 */
export function readRecorder(rows: Rows): RecorderFile {
  const columns = columnsOf(rows)
  if (columns === null) return { refused: '没有找到时间列和温度列，请使用记录仪导出的原始文件' }
  const body = rows.slice(columns.row + 1)
  const written = (cells: readonly string[]) =>
    columns.time
      .map(at => cells[at]?.trim() ?? '')
      .join(' ')
      .trim()
  const moments = body.map(written)
  const reader = momentReader(moments.filter(text => text !== ''))
  if ('refused' in reader) return reader
  const readings = new Map<string, Reading>()
  let skipped = 0
  for (const [at, cells] of body.entries()) {
    const [moment, figure] = [reader.read(moments[at]!), figureOf(cells[columns.temperature])]
    if (cells.every(cell => cell === '')) continue
    const celsius = figure === null ? null : columns.isFahrenheit ? ((figure - 32) * 5) / 9 : figure
    if (moment === null || celsius === null || celsius < -200 || celsius > 200) {
      skipped += 1
      continue
    }
    const humidity = columns.humidity === null ? null : figureOf(cells[columns.humidity])
    const isMeasured = humidity !== null && humidity >= 0 && humidity <= 100
    readings.set(moment, { at: moment, celsius: rounded(celsius), humidity: isMeasured ? rounded(humidity) : null })
  }
  if (readings.size === 0) return { refused: '文件中没有可读取的温度数据' }
  return {
    logger_no: serialOf(rows, columns.row),
    readings: [...readings.values()].toSorted((a, b) => (a.at < b.at ? -1 : 1)),
    skipped,
  }
}
