import { inexact } from '#kernel/values/inexact.ts'

/** Reads a moment as one recorder writes all of its moments; null: this is none. */
export type MomentReader = { readonly read: (text: string) => string | null }

type Order = 'ymd' | 'dmy' | 'mdy'
type Parts = {
  readonly first: number
  readonly second: number
  readonly third: number
  readonly isYearFirst: boolean
  readonly clock: readonly [hour: number, minute: number, second: number]
  readonly zone: string | null
}

/** Recorders tell the wall time of where they travel. */
const SHANGHAI = '+08:00'
const CLOCK = /(\d{1,2})[:时点](\d{1,2})(?:[:分](\d{1,2})(?:\.\d+)?)?/
const DATE = /(\d{1,4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,4})/
const ZONE = /(Z|[+-]\d{2}:?\d{2})$/
const AFTERNOON = /pm|下午|晚上/i
const MORNING = /am|上午|凌晨/i
/** Days since 1899-12-30, as Excel counts them: 1995 to 2080. */
const EXCEL_DAYS = /^(3[5-9]\d{3}|[45]\d{4}|6[0-5]\d{3})(\.\d+)?$/
const DAY_MS = 86_400_000

const number = (text: string | undefined): number => (text === undefined ? 0 : inexact(text))

function partsOf(text: string): Parts | null {
  const date = DATE.exec(text)
  if (!date) return null
  const rest = text.slice(date.index + date[0].length)
  const clock = CLOCK.exec(rest)
  const hour = number(clock?.[1])
  const noon = AFTERNOON.test(rest) ? (hour < 12 ? 12 : 0) : MORNING.test(rest) && hour === 12 ? -12 : 0
  const isYearFirst = date[1]!.length === 4
  if (!isYearFirst && date[3]!.length !== 4) return null
  return {
    first: number(date[1]),
    second: number(date[2]),
    third: number(date[3]),
    isYearFirst,
    clock: [hour + noon, number(clock?.[2]), number(clock?.[3])],
    zone: ZONE.exec(rest.trim())?.[1] ?? null,
  }
}

function momentOf({ first, second, third, clock, zone }: Parts, order: Order): string | null {
  const [year, month, day] =
    order === 'ymd' ? [first, second, third] : order === 'dmy' ? [third, second, first] : [third, first, second]
  const [hour, minute, seconds] = clock
  if (year < 1990 || year > 2100 || month < 1 || month > 12 || day < 1 || day > 31) return null
  if (hour > 23 || minute > 59 || seconds > 59) return null
  const two = (value: number) => String(value).padStart(2, '0')
  const written = `${year}-${two(month)}-${two(day)}`
  const at = new Date(`${written}T${two(hour)}:${two(minute)}:${two(seconds)}${zone ?? SHANGHAI}`)
  // 2026-02-30 is no day.
  const isReal = new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day
  return isReal && !Number.isNaN(at.getTime()) ? at.toISOString() : null
}

/** Excel's count of days, which knows no zone: the wall time of where the recorder was. */
const ofExcel = (text: string): string =>
  new Date(Math.round((inexact(text) - 25_569) * DAY_MS) - 8 * 3_600_000).toISOString()

const monthsAlong = (moments: readonly (string | null)[]): number => {
  const known = moments.flatMap(moment => (moment === null ? [] : [Date.parse(moment)]))
  return known.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...known) - Math.min(...known)
}

/**
 * How the moments of one file are read. Whether the day or the month comes first in `03/04/2026` is decided by the
 * whole file: by a figure above 12, else by which reading makes the shorter journey. Refused when both are as likely.
 */
export function momentReader(samples: readonly string[]): MomentReader | { readonly refused: string } {
  const read = (order: Order) => (text: string) => {
    if (EXCEL_DAYS.test(text)) return ofExcel(text)
    const parts = partsOf(text)
    return parts === null ? null : momentOf(parts, parts.isYearFirst ? 'ymd' : order)
  }
  const open = samples.map(partsOf).filter(parts => parts !== null && !parts.isYearFirst) as readonly Parts[]
  if (open.length === 0) return { read: read('ymd') }
  if (open.some(({ first }) => first > 12)) return { read: read('dmy') }
  if (open.some(({ second }) => second > 12)) return { read: read('mdy') }
  const [byDay, byMonth] = [read('dmy'), read('mdy')]
  const [ofDays, ofMonths] = [monthsAlong(samples.map(byDay)), monthsAlong(samples.map(byMonth))]
  if (ofDays === ofMonths)
    return open.every(({ first, second }) => first === second)
      ? { read: byDay }
      : { refused: '无法判断日期中的日和月，请在记录仪软件中改为“年-月-日”格式后重新导出' }
  return { read: ofDays < ofMonths ? byDay : byMonth }
}
