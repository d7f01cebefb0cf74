import {
  addDays,
  addYears,
  type Day,
  daysBetween,
  isLastOfMonth,
  monthBegin,
  shiftMonths,
  weekBegin,
} from '#kernel/values/date.ts'
import { percent } from '#kernel/values/big-number.ts'
import {
  absolute,
  compare,
  type Decimal,
  divide,
  isNegative,
  isZero,
  multiply,
  subtract,
} from '#kernel/values/decimal.ts'
import { parseInteger } from '#kernel/values/integer.ts'

/** A range of days, both included. */
export type Range = { readonly begin: Day; readonly end: Day }

/** The period of comparison: the one before (环比), or the same days a year earlier (同比). */
export type Against = 'previous' | 'year'
export const againstLabels = { previous: '环比', year: '同比' } as const satisfies Readonly<Record<Against, string>>

/** The lengths of periods by which figures are summed; without one a whole range is one period. */
export const grains = { day: '日', week: '周', month: '月', quarter: '季', year: '年' } as const
export type Grain = keyof typeof grains

/** The length by which the comparison goes back. */
type Unit = { readonly months: number } | { readonly days: number }

const units: Readonly<Record<Grain, Unit>> = {
  day: { days: 1 },
  week: { days: 7 },
  month: { months: 1 },
  quarter: { months: 3 },
  year: { months: 12 },
}
const [WEEK, MONTH, QUARTER, YEAR] = [7, 1, 3, 12]

const monthNumber = (day: Day): number => parseInteger(day.slice(0, 4)) * 12 + parseInteger(day.slice(5, 7)) - 1
const isFirst = (day: Day): boolean => day.endsWith('-01')

/**
 * The unit of a range without a grain: the month, quarter or year that begins with it, so many whole months, the week
 * that it begins, or else so many days.
 */
function unitOf({ begin, end }: Range): Unit {
  const days = daysBetween(begin, end) + 1
  if (!isFirst(begin)) return { days: days > 1 && days < WEEK && weekBegin(begin) === begin ? WEEK : days }
  const first = monthNumber(begin)
  const months = monthNumber(end) - first + 1
  if (isLastOfMonth(end)) return { months }
  const calendar = [MONTH, QUARTER, YEAR].find(length => first % length === 0 && months <= length)
  return { months: calendar ?? months }
}

/** The days of a range that have come: a month that runs is compared by its days so far. */
const comeUntil = ({ begin, end }: Range, today: Day): Range => ({
  begin,
  end: end > today && begin <= today ? today : end,
})

/** A day so many months later; the last of a month stays the last. */
const monthsLater = (day: Day, months: number): Day =>
  isLastOfMonth(day) ? addDays(shiftMonths(monthBegin(day), months + 1), -1) : shiftMonths(day, months)

function before({ begin, end }: Range, unit: Unit, against: Against): Range {
  if (against === 'previous')
    return 'months' in unit
      ? { begin: shiftMonths(begin, -unit.months), end: monthsLater(end, -unit.months) }
      : { begin: addDays(begin, -unit.days), end: addDays(end, -unit.days) }
  if ('days' in unit && unit.days === WEEK) return { begin: addDays(begin, -364), end: addDays(end, -364) }
  return { begin: addYears(begin, -1), end: isLastOfMonth(end) ? monthsLater(end, -YEAR) : addYears(end, -1) }
}

/**
 * The days that a range is compared with, like with like. With a grain every period of the range is compared with the
 * one before it; without, the range with the month, quarter, year or week before, where it begins one, else with as
 * many days before it. Whole months are compared with whole ones; of a period that runs, the days until today with the
 * same days (until the last one, where that month is shorter). A year earlier it is the same days; for weeks, the same
 * weekdays.
 */
export function comparedWith(range: Range, grain: Grain | null, against: Against, today: Day): Range {
  const come = comeUntil(range, today)
  return before(come, grain === null ? unitOf(come) : units[grain], against)
}

/** 与上月同期（10月1日至29日）相比: the days with which a range is compared, in words. */
export function comparedWords(range: Range, grain: Grain | null, against: Against, today: Day): string {
  const come = comeUntil(range, today)
  const then = comparedWith(range, grain, against, today)
  if (grain !== null && !isOnePeriod(come, grain)) {
    const last = grain === 'day' ? '上一日' : `上一${grains[grain]}同期`
    return `各${grains[grain]}与${against === 'year' ? '去年同期' : last}相比`
  }
  const unit = grain === null ? unitOf(come) : units[grain]
  return `与${against === 'year' ? '去年同期' : nameOf(come, unit)}（${daysText(then, come)}）相比`
}

const isOnePeriod = ({ begin, end }: Range, grain: Grain): boolean => {
  const unit = units[grain]
  if ('months' in unit)
    return Math.floor(monthNumber(begin) / unit.months) === Math.floor(monthNumber(end) / unit.months)
  return unit.days === 1 ? begin === end : weekBegin(begin) === weekBegin(end)
}

const names: Readonly<Record<number, string>> = { [MONTH]: '上月', [QUARTER]: '上季度', [YEAR]: '上年' }
const ofWhole = (name: string, isWhole: boolean): string => (isWhole ? name : `${name}同期`)

function nameOf({ begin, end }: Range, unit: Unit): string {
  const isWhole =
    'months' in unit
      ? isFirst(begin) && isLastOfMonth(end) && monthNumber(end) - monthNumber(begin) + 1 === unit.months
      : daysBetween(begin, end) + 1 === unit.days
  if ('days' in unit)
    return unit.days === WEEK && weekBegin(begin) === begin ? ofWhole('上周', isWhole) : `前${unit.days}天`
  return ofWhole(names[unit.months] ?? `前${unit.months}个月`, isWhole)
}

/** 10月1日至29日: the year where it is another than that of the days beside which it is said. */
function daysText({ begin, end }: Range, beside: Range): string {
  const text = (day: Day, known: string) => {
    const [year, month, date] = [day.slice(0, 4), parseInteger(day.slice(5, 7)), parseInteger(day.slice(8))]
    if (known.slice(0, 7) === day.slice(0, 7)) return `${date}日`
    return `${year === known.slice(0, 4) ? '' : `${year}年`}${month}月${date}日`
  }
  const first = text(begin, beside.begin.slice(0, 4))
  return begin === end ? first : `${first}至${text(end, begin)}`
}

/** The change of a figure: rates in points, all others as a fraction of the former value; null where that was zero. */
export const changeOf = (now: Decimal, was: Decimal, as?: string): Decimal | null =>
  as === 'rate' ? subtract(now, was, 4) : isZero(was) ? null : divide(subtract(now, was, 8), absolute(was), 4)

/** A change beyond ten times the former value is shown without a number, since that would say nothing more. */
const BEYOND = '10' as Decimal
export const isFarBeyond = (change: Decimal): boolean => compare(absolute(change), BEYOND) > 0
/** A change of a rate by more than its whole is not shown: nobody compares such figures. */
const WHOLE = '1' as Decimal

const without = { previous: '上期无数据', year: '去年同期无数据' } as const satisfies Readonly<Record<Against, string>>

/**
 * A change as `changeOf` gives it, in words: +8.44%, -2.10个百分点, 增长超过10倍, 上期无数据. `as` is what the figure is of
 * which it is, not what the change is.
 */
export function changeText(change: Decimal | null, against: Against, as?: string): string {
  if (change === null) return without[against]
  const isDown = isNegative(change)
  const sign = isDown || isZero(change) ? '' : '+'
  const size = absolute(change)
  if (as === 'rate')
    return compare(size, WHOLE) > 0
      ? `${isDown ? '下降' : '上升'}超过100个百分点`
      : `${sign}${multiply(change, '100' as Decimal, 2)}个百分点`
  return isFarBeyond(change) ? `${isDown ? '下降' : '增长'}超过10倍` : `${sign}${percent(change)}`
}

export type Way = 'up' | 'down' | 'level'
/** The way in which a figure changed; level where there is nothing to compare with. */
export const wayOf = (change: Decimal | null): Way =>
  change === null || isZero(change) ? 'level' : isNegative(change) ? 'down' : 'up'
