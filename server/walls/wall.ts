import {
  type Answer,
  daysOf,
  grainOfSpan,
  isMoney,
  MASKED,
  type Reading,
  type Row,
  type WallDefinition,
} from '#kernel/wall/wall-definition.ts'
import { type Against, comparedWith, comparedWords, type Range } from '#kernel/values/comparison.ts'
import { f } from '#kernel/definition/field.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { type Day, today } from '#kernel/values/date.ts'
import { parseFields } from '#kernel/rules/parse-fields.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import type { Tx } from '#server/database/transaction.ts'
import { isRestricted, WHOLE_ONLY } from '#server/access/data-scope.ts'
import { mergeAnswers, finished } from '#server/walls/merge.ts'
import { engineValues } from '#server/reports/report-sql.ts'
import { ALL, readingSql } from '#server/reports/reading-sql.ts'
import { type Looking, requireOwnRows, seesColumn, seesCosts } from '#server/walls/who-looks.ts'

/** The parameters of a wall: its days and its filters. */
export type WallAsked = { readonly days: Range; readonly filters: Readonly<Record<string, string>> }
/** The answers of a wall: by card, and by the readings of each. */
export type WallAnswer = Readonly<Record<string, Readonly<Record<string, Answer>>>>

/** Most days that a wall may be asked for. */
const MOST_DAYS = 366
/** Most groups of one organisation that are added to those of others. */
const MOST_GROUPS = 500
const daysAsked = { begin_date: f.day('开始日期'), end_date: f.day('结束日期') }

/** Reads the call: its days, this month where none are named, and the filters that the wall has. */
export function readWallCall(wall: WallDefinition, query: Readonly<Record<string, unknown>>): WallAsked {
  const { begin_date, end_date, org: _org, ...rest } = query
  const { values, problems } = parseFields(wall.filters, rest)
  const now = today()
  const begin = (begin_date ?? `${now.slice(0, 8)}01`) as Day
  const end = (end_date ?? now) as Day
  const days = parseFields(daysAsked, { begin_date: begin, end_date: end })
  problems.push(...days.problems)
  if (problems.length > 0) throw new BusinessError('invalid', undefined, problems)
  if (begin > end) throw refused('开始日期不能大于结束日期')
  if (Date.parse(end) - Date.parse(begin) >= MOST_DAYS * 86_400_000) throw refused('查询区间不能超过12个月')
  const missing = Object.entries(wall.filters).find(([name, field]) => field.required && !values[name])
  if (missing) throw new BusinessError('invalid', undefined, [{ field: missing[0], msg: `请选择${missing[1].label}` }])
  const filters = Object.entries(values).filter(([, value]) => value !== null && value !== undefined)
  const named = filters.map(([name, value]) => [wall.narrows?.[name] ?? name, String(value)])
  return { days: { begin, end }, filters: Object.fromEntries(named) }
}

const refused = (msg: string) => new BusinessError('invalid', msg, [{ field: 'begin_date', msg }])

/** The parameters of a report for a reading of these days. */
function parametersOf({ of, where }: Reading, { begin, end }: Range, filters: WallAsked['filters']) {
  const known = (values: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => name in of.parameters))
  return { ...known({ begin_date: begin, end_date: end }), ...known(filters), ...where }
}

/**
 * The answer in place of a reading that the reader may not see: masked sums or no rows, since a zero would be a figure.
 */
function withheldOf({ of, sums = [], by, rows, step }: Reading): Answer {
  const isOne = by === undefined && rows === undefined && step === undefined
  return {
    rows: isOne ? [Object.fromEntries(sums.map(name => [name, MASKED]))] : [],
    total: 0,
    before: {},
    asked: {},
    withheld: `${of.title}${WHOLE_ONLY}`,
  }
}

/** Reads one reading for one organisation: a statement, and one more for each earlier period. */
export async function read(
  tx: Tx,
  reading: Reading,
  asked: WallAsked,
  looking: Looking,
  alone: boolean,
): Promise<Answer> {
  const { as } = looking
  if (reading.of.wholeOnly !== undefined && isRestricted(as)) return withheldOf(reading)
  const sees = (column: string) => seesColumn(looking, reading, column)
  const days = daysOf(reading.span, asked.days, today())
  const take = reading.rows || alone ? (reading.take ?? MOST_GROUPS) : MOST_GROUPS
  const rowsOf = async (range: Range) => {
    const { values, problems } = parseFields(reading.of.parameters, parametersOf(reading, range, asked.filters))
    if (problems.length > 0) throw new BusinessError('invalid', undefined, problems)
    const given = { ...values, ...engineValues(as, seesCosts(looking)) }
    const statement = readingSql(reading, given, sees, take)
    return tx.unsafe<Record<string, unknown>[]>(statement.text, [...statement.values])
  }
  const found = await rowsOf(days)
  const before: Partial<Record<Against, readonly Row[]>> = {}
  const compared: Partial<Record<Against, string>> = {}
  for (const against of reading.against ?? []) {
    const on = [days, grainOfSpan(reading.span), against, today()] as const
    before[against] = (await rowsOf(comparedWith(...on))).map(row => readable(row, sees))
    compared[against] = comparedWords(...on)
  }
  return {
    rows: found.map(row => readable(row, sees)),
    total: parseInteger(found[0]?.[ALL] ?? 0),
    before,
    ...(reading.against === undefined ? {} : { compared }),
    asked: parametersOf(reading, days, asked.filters),
  }
}

/** A row as it leaves the server: texts, and no money for who may not see it. */
function readable(row: Readonly<Record<string, unknown>>, sees: (column: string) => boolean): Row {
  const { [ALL]: _all, sum_of_order: _order, ...shown } = row
  return Object.fromEntries(
    Object.entries(shown).map(([name, value]) => [
      name,
      value === null || value === undefined
        ? null
        : !sees(name)
          ? MASKED
          : value instanceof Date
            ? value.toISOString()
            : String(value),
    ]),
  )
}

/** Amounts with another organisation that did not let the platform read them are not shown. */
function withoutOthersMoney(reading: Reading, answer: Answer, granting: ReadonlySet<string>): Answer {
  const { partner } = reading
  if (partner === undefined) return answer
  const masked = (row: Row): Row =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, isMoney(reading, name) ? MASKED : value]))
  return { ...answer, rows: answer.rows.map(row => (granting.has(row[partner] ?? '') ? row : masked(row))) }
}

/** The readings of a wall that are read as somebody: all, those of single organisations, or those of the network. */
export type Part = 'all' | 'organisations' | 'network'
const isIn = (part: Part, { network }: Reading): boolean =>
  part === 'all' || (part === 'network') === (network === true)

/** True if a wall has something to say of the whole network. */
export const saysOfNetwork = ({ cards }: WallDefinition): boolean =>
  cards.some(({ reads }) => Object.values(reads).some(reading => isIn('network', reading)))

/** A wall for one organisation: as many statements as it has readings and comparisons, whatever their rows. */
export async function readWall(
  tx: Tx,
  wall: WallDefinition,
  asked: WallAsked,
  looking: Looking,
  alone: boolean,
  part: Part = 'all',
): Promise<WallAnswer> {
  await requireOwnRows(tx, wall, asked.filters, looking.as.org.id)
  const cards: Record<string, Record<string, Answer>> = {}
  for (const { name, reads } of wall.cards) {
    const answers: Record<string, Answer> = {}
    for (const [reading, each] of Object.entries(reads))
      if (isIn(part, each)) answers[reading] = await read(tx, each, asked, looking, alone)
    cards[name] = answers
  }
  return cards
}

/** The walls of several organisations as one. */
export const mergeWalls = (wall: WallDefinition, answers: readonly WallAnswer[]): WallAnswer =>
  eachReading(wall, (card, name, reading) => {
    const all = answers.flatMap(answer => answer[card]![name] ?? [])
    return finished(reading, mergeAnswers(reading, all))
  })

/** A wall as the platform reads it: without amounts of which one side did not let it. */
export const maskOthers = (wall: WallDefinition, answer: WallAnswer, granting: ReadonlySet<string>): WallAnswer =>
  eachReading(wall, (card, name, reading) => withoutOthersMoney(reading, answer[card]![name]!, granting))

const eachReading = (
  { cards }: WallDefinition,
  answerOf: (card: string, name: string, reading: Reading) => Answer,
): WallAnswer =>
  Object.fromEntries(
    cards.map(({ name: card, reads }) => [
      card,
      Object.fromEntries(Object.entries(reads).map(([name, reading]) => [name, answerOf(card, name, reading)])),
    ]),
  )
