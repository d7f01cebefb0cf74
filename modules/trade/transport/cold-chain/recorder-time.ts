import { inexact } from '#kernel/values/inexact.ts'
import { unknownMonth, withMonthNumber } from '#modules/trade/transport/cold-chain/month-names.ts'

/** Reads a moment in the form in which one recorder writes all of its moments; null: the text is no moment. */
export type MomentReader = { readonly read: (text: string) => string | null }

type Order = 'ymd' | 'dmy' | 'mdy'
/** Orders of day, month and year for dates whose year has two digits, or comes last. */
const orders: readonly Order[] = ['dmy', 'mdy', 'ymd']
type Parts = {
  readonly first: number
  readonly second: number
  readonly third: number
  readonly isYearFirst: boolean
  /** The year has two digits: it may come first or last. */
  readonly isShort: boolean
  /** The month has a name: it stands in the middle. */
  readonly isNamed: boolean
  readonly clock: readonly [hour: number, minute: number, second: number]
  readonly zone: string | null
}

/** Recorders write the wall time of where they travel. */
const SHANGHAI = '+08:00'
const CLOCK = /(\d{1,2})[:时点](\d{1,2})(?:[:分](\d{1,2})(?:\.\d+)?)?/
const DATE = /(\d{1,4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,4})/
/** An offset, with or without a name before it, or the name of a zone; `am` and `pm` are none. */
const ZONE = /(?:Z|(?:GMT|UTC)?\s?[+-]\d{1,2}(?::?\d{2})?|(?<![A-Z])(?!AM|PM)[A-Z]{2,4})$/i
/** Zones that recorders and their programs name. CST is China's here. */
const zones: Readonly<Record<string, string>> = {
  Z: '+00:00',
  UTC: '+00:00',
  GMT: '+00:00',
  CST: SHANGHAI,
  HKT: SHANGHAI,
  SGT: SHANGHAI,
  JST: '+09:00',
  KST: '+09:00',
  EST: '-05:00',
  EDT: '-04:00',
  MST: '-07:00',
  MDT: '-06:00',
  PST: '-08:00',
  PDT: '-07:00',
  CET: '+01:00',
  CEST: '+02:00',
  BST: '+01:00',
}
const AFTERNOON = /(?<![A-Z])p\.?\s?m(?![A-Z])\.?|下午|傍晚|晚上|午後|오후/i
const MORNING = /(?<![A-Z])a\.?\s?m(?![A-Z])\.?|上午|凌晨|早上|清晨|午前|오전/i
/** From eleven to two. */
const NOON = /中午/
/** Words beside a time that do not change it. */
const BESIDE =
  /星期[一二三四五六日天]|周[一二三四五六日]|[日号时点分秒]|\b(?:t|h|at|um|(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*)\b/gi
/** Days since 1899-12-30, as Excel counts them: 1995 to 2080. */
const EXCEL_DAYS = /^(3[5-9]\d{3}|[45]\d{4}|6[0-5]\d{3})(\.\d+)?$/
const DAY_MS = 86_400_000

/** The offset of a zone as it is written; null for one that nobody here knows. */
function offsetOf(written: string): string | null {
  const [, sign, hour = '', minute = '00'] = /([+-])(\d{1,2}):?(\d{2})?$/.exec(written) ?? []
  return sign === undefined ? (zones[written.toUpperCase()] ?? null) : `${sign}${hour.padStart(2, '0')}:${minute}`
}

/** The hours that a part of the day adds to an hour of twelve. */
function shiftOf(hour: number, said: string): number {
  if (AFTERNOON.test(said)) return hour < 12 ? 12 : 0
  if (NOON.test(said)) return hour < 3 ? 12 : 0
  return MORNING.test(said) && hour === 12 ? -12 : 0
}

const number = (text: string | undefined): number => (text === undefined ? 0 : inexact(text))

function partsOf(said: string): Parts | null {
  const renamed = withMonthNumber(said)
  const text = renamed?.text ?? said
  const date = DATE.exec(text)
  if (!date) return null
  const rest = text
    .slice(date.index + date[0].length)
    .replaceAll('\u2212', '-')
    .replaceAll(/[()]|\blocal\b|\buhr\b/gi, ' ')
  const clock = CLOCK.exec(rest)
  // A time that cannot be read is no midnight.
  if (clock === null && /\d/.test(rest)) return null
  const named = clock === null ? undefined : ZONE.exec(rest.slice(clock.index + clock[0].length).trim())?.[0]
  const zone = named === undefined ? null : offsetOf(named)
  if (named !== undefined && zone === null) return null
  const words = [AFTERNOON, MORNING, NOON, BESIDE].reduce(
    (left, known) => left.replace(known, ' '),
    rest.replace(named ?? '', '').replace(/(?<=\d)T(?=\d)|^T/, ' '),
  )
  // A word that nobody here knows may be the afternoon of another language.
  if (/\p{L}/u.test(words)) return null
  const hour = number(clock?.[1])
  const isYearFirst = date[1]!.length === 4
  const isShort = !isYearFirst && date[3]!.length === 2
  if (!isYearFirst && !isShort && date[3]!.length !== 4) return null
  return {
    first: number(date[1]),
    second: number(date[2]),
    third: number(date[3]),
    isYearFirst,
    isShort,
    isNamed: renamed !== null,
    clock: [hour + shiftOf(hour, rest), number(clock?.[2]), number(clock?.[3])],
    zone,
  }
}

function momentOf(
  { first, second, third, isShort, isNamed, clock, zone }: Parts,
  order: Order,
  here: string,
): string | null {
  if (isNamed && order === 'mdy') return null
  const [said, month, day] =
    order === 'ymd' ? [first, second, third] : order === 'dmy' ? [third, second, first] : [third, first, second]
  const year = isShort ? 2000 + said : said
  const [hour, minute, seconds] = clock
  if (year < 1990 || year > 2100 || month < 1 || month > 12 || day < 1 || day > 31) return null
  if (hour > 23 || minute > 59 || seconds > 59) return null
  const two = (value: number) => String(value).padStart(2, '0')
  const written = `${year}-${two(month)}-${two(day)}`
  const at = new Date(`${written}T${two(hour)}:${two(minute)}:${two(seconds)}${zone ?? here}`)
  // A date such as 2026-02-30 does not exist.
  const isReal = new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day
  return isReal && !Number.isNaN(at.getTime()) ? at.toISOString() : null
}

/** Excel's count of days, which knows no zone: the wall time of where the recorder was. */
const ofExcel = (text: string, here: string): string => {
  const wall = new Date(Math.round((inexact(text) - 25_569) * DAY_MS)).toISOString().slice(0, 19)
  return new Date(`${wall}${here}`).toISOString()
}

/** The zone in brackets that a heading names and that nobody here knows: `Time (IST)`. */
export const unknownZoneIn = (heading: string): string | undefined =>
  zoneIn(heading) === null ? /[([]\s{0,3}([A-Z]{2,3}T)\s{0,3}[)\]]/.exec(heading)?.[1] : undefined

/** The zone that a heading names: `Date Time, GMT+08:00`, `Time (UTC)`, `Time (EST)`; null: none. */
export function zoneIn(heading: string): string | null {
  const said = heading.replaceAll('\u2212', '-')
  const [, sign, hour, minute = '00'] = /(?:GMT|UTC)\s{0,2}(?:([+-])(\d{1,2})(?::?(\d{2}))?)?/i.exec(said) ?? []
  if (sign !== undefined && hour !== undefined) return `${sign}${hour.padStart(2, '0')}:${minute}`
  const named = said.split(/[^A-Za-z]+/).find(word => word.length > 1 && zones[word.toUpperCase()] !== undefined)
  return named === undefined ? null : offsetOf(named)
}

const ZONE_LINE = /(?:时区|time\s?zone)\s{0,3}[:：=]?(.*)/i
const CHINA = /北京|中国|东八|china|beijing|shanghai|本地|local/i

/**
 * The zone that a line above the readings names: `Time Zone: UTC-05:00`, `时区：+8`. Null: it names none. One that nobody
 * here knows is refused.
 */
export function zoneOfLine(line: string): string | null | { readonly refused: string } {
  const said = ZONE_LINE.exec(line)?.[1]?.trim() ?? ''
  if (said === '') return null
  const bare = /(?<![\d:])([+-]\d{1,2}(?::?\d{2})?)(?!\d)/.exec(said.replaceAll('\u2212', '-'))?.[1]
  const zone = zoneIn(said) ?? (bare === undefined ? null : offsetOf(bare)) ?? (CHINA.test(said) ? SHANGHAI : null)
  if (zone !== null) return zone
  return { refused: ofUnknownZone(said) }
}
export const ofUnknownZone = (said: string): string =>
  `无法识别时区“${said.slice(0, 40)}”，请在记录仪软件中改为 UTC+08:00 后重新导出`

const monthsAlong = (moments: readonly (string | null)[]): number => {
  const known = moments.flatMap(moment => moment ?? []).toSorted()
  return known.length === 0 ? Number.POSITIVE_INFINITY : Date.parse(known.at(-1)!) - Date.parse(known[0]!)
}

/**
 * Finds the form in which one file writes its moments; they are wall time `here` where they name no zone. Whether day,
 * month or year comes first in `03/04/26` is decided by the whole file: by which readings are dates at all, then by
 * which makes the shorter journey. Refuses when several are as likely.
 */
export function momentReader(
  samples: readonly string[],
  here: string = SHANGHAI,
): MomentReader | { readonly refused: string } {
  const read = (order: Order) => (text: string) => {
    if (EXCEL_DAYS.test(text)) return ofExcel(text, here)
    const parts = partsOf(text)
    return parts === null ? null : momentOf(parts, parts.isYearFirst ? 'ymd' : order, here)
  }
  const unknown = samples.every(text => partsOf(text) === null) && samples.map(unknownMonth).find(Boolean)
  if (unknown) return { refused: `无法识别月份“${unknown}”，请在记录仪软件中改为“年-月-日”的数字日期后重新导出` }
  const open = samples.map(partsOf).filter(parts => parts !== null && !parts.isYearFirst) as readonly Parts[]
  if (open.length === 0) return { read: read('ymd') }
  const possible = orders
    .filter(order => order !== 'ymd' || open.every(({ isShort }) => isShort))
    .map(order => ({ order, moments: open.map(parts => momentOf(parts, order, here)) }))
  const most = Math.max(...possible.map(({ moments }) => moments.filter(Boolean).length))
  const likely = possible
    .filter(({ moments }) => moments.filter(Boolean).length === most)
    .map(each => ({ ...each, along: monthsAlong(each.moments) }))
    .toSorted((one, other) => one.along - other.along)
  const [best, next] = likely
  const isSame = next !== undefined && String(next.moments) === String(best!.moments)
  // 12-Mar-26 has the day first wherever nothing speaks for the year.
  const isUsual = open.every(({ isNamed }) => isNamed) && best!.order === 'dmy'
  if (next !== undefined && next.along === best!.along && !isSame && !isUsual)
    return { refused: '无法判断日期中的年月日顺序，请在记录仪软件中改为“年-月-日”格式后重新导出' }
  return { read: read(best!.order) }
}
