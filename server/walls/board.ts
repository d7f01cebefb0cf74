import {
  type BoardCard,
  type BoardChoice,
  type BoardDefinition,
  type BoardGrain,
  type BoardRun,
  boardGrains,
  filtersFor,
  measuresFor,
  parameterOf,
  readingsOf,
  refusedDays,
  standardGrain,
} from '#kernel/wall/board-definition.ts'
import type { Answer } from '#kernel/wall/wall-definition.ts'
import { type Against, againstLabels, comparedWith, type Range } from '#kernel/values/comparison.ts'
import { f } from '#kernel/definition/field.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { type Day, today } from '#kernel/values/date.ts'
import { parseFields } from '#kernel/rules/parse-fields.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { may, type Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'
import { finished, mergeAnswers } from '#server/walls/merge.ts'
import { read } from '#server/walls/wall.ts'
import { type Looking, requireOwnRows } from '#server/walls/who-looks.ts'

/** The parameters of a board: days, the comparison, filters, and the reader's choice. */
export type BoardAsked = {
  readonly days: Range
  readonly filters: Readonly<Record<string, string>>
  readonly choice: BoardChoice
}

/** The answers of a card, by the names of its readings, and the filters that a reading does not obey. */
export type CardAnswer = {
  readonly answers: Readonly<Record<string, Answer>>
  readonly ignored: Readonly<Record<string, readonly string[]>>
}

const asksBeside = {
  begin_date: f.day('开始日期'),
  end_date: f.day('结束日期'),
  against: f.pick('对比期', againstLabels),
  measure: f.text('指标', { max: 40 }),
  grain: f.pick('周期', boardGrains),
  level: f.text('层级', { match: /^\d$/, matchMsg: '层级应为0到9的数字' }),
} as const
const NONE = 'none'

/** True if a user has the board. */
export const hasBoard = (session: Session, { screen }: BoardDefinition): boolean =>
  screen.orgs.includes(session.org.type) && may(session, `page:${screen.route}`)

export function requireBoard(session: Session, board: BoardDefinition): void {
  if (!hasBoard(session, board)) throw new BusinessError('forbidden')
}

/** Reads the call. Defaults: this month, and the first measure that the reader may see. */
export function readBoardCall(
  board: BoardDefinition,
  session: Session,
  query: Readonly<Record<string, unknown>>,
): BoardAsked {
  const { type } = session.org
  const fields = Object.fromEntries(Object.entries(filtersFor(board, type)).map(([name, { field }]) => [name, field]))
  const { against: comparison, ...rest } = query
  const own = Object.fromEntries(Object.entries(rest).filter(([name]) => name in asksBeside))
  const { values, problems } = parseFields(
    fields,
    Object.fromEntries(Object.entries(rest).filter(([name]) => !(name in asksBeside))),
  )
  const compared = comparison === NONE ? {} : { against: comparison ?? 'previous' }
  const asked = parseFields(asksBeside, { ...own, ...compared })
  problems.push(...asked.problems)
  if (problems.length > 0) throw new BusinessError('invalid', undefined, problems)
  const now = today()
  const days = {
    begin: (asked.values.begin_date ?? `${now.slice(0, 8)}01`) as Day,
    end: (asked.values.end_date ?? now) as Day,
  }
  const msg = refusedDays(days)
  if (msg !== null) throw new BusinessError('invalid', msg, [{ field: 'begin_date', msg }])
  const measures = measuresFor(board, type, right => may(session, right))
  const measure = asked.values.measure ? measures.find(({ name }) => name === asked.values.measure) : measures[0]
  if (measure === undefined) throw new BusinessError('invalid', '没有这个指标，或没有查看它的权限')
  const filters = Object.entries(values).filter(([, value]) => value !== null && value !== undefined)
  return {
    days,
    filters: Object.fromEntries(filters.map(([name, value]) => [name, String(value)])),
    choice: {
      org: type,
      against: (asked.values.against as Against | null | undefined) ?? null,
      measure,
      grain: (asked.values.grain as BoardGrain | null | undefined) ?? standardGrain(days),
      level: parseInteger(asked.values.level ?? 0),
    },
  }
}

/** The days that are compared with; null where nothing is. */
export const comparedDays = ({ days, choice }: BoardAsked): Range | null =>
  choice.against === null ? null : comparedWith(days, null, choice.against, today())

/**
 * The readings of a card: `own` are run as its reader, `each` for every organisation where the platform adds them up.
 */
export function runsOf(board: BoardDefinition, card: BoardCard, { choice }: BoardAsked) {
  const runs = Object.entries(readingsOf(board, card, choice))
  const isSum = (run: BoardRun) => choice.org === 'P' && run.each !== undefined
  return { own: runs.filter(([, run]) => !isSum(run)), each: runs.filter(([, run]) => isSum(run)) }
}

/** A reading for somebody, under the filters that its report knows. */
export async function readRun(
  tx: Tx,
  run: BoardRun,
  { days, filters }: BoardAsked,
  looking: Looking,
  alone: boolean,
): Promise<Answer> {
  const known = Object.entries(filters).flatMap(([name, value]) => {
    const parameter = parameterOf(run, name)
    return parameter === null ? [] : [[parameter, value] as const]
  })
  return read(tx, { ...run, span: 'asked' }, { days, filters: Object.fromEntries(known) }, looking, alone)
}

/** Refuses rows of other organisations among the filters. */
export const requireOwnFilters = (tx: Tx, board: BoardDefinition, { filters, choice }: BoardAsked, org: string) =>
  requireOwnRows(
    tx,
    {
      filters: Object.fromEntries(
        Object.entries(filtersFor(board, choice.org)).map(([name, { field }]) => [name, field]),
      ),
    },
    filters,
    org,
  )

/** The answer of one organisation, or the merged answers of several, with rates. */
export const wholeOf = (run: BoardRun, answers: readonly Answer[]): Answer => {
  const reading = { ...run, span: 'asked' } as const
  return finished(reading, mergeAnswers(reading, answers))
}

/** The labels of the chosen filters that a reading does not obey. */
export function ignoredBy(board: BoardDefinition, run: BoardRun, { filters }: BoardAsked): readonly string[] {
  return Object.keys(filters).flatMap(name =>
    parameterOf(run, name) !== null || (name === board.whose && run.each !== undefined)
      ? []
      : [board.filters[name]!.field.label],
  )
}

/** The place of the reader's organisation, for the map. */
export async function placeOf(tx: Tx, org: string): Promise<{ name: string; division_name: string } | null> {
  const [row] = await tx<{ name: string; division_name: string }[]>`
    select name, division_name from organisation where id = ${org}`
  return row ?? null
}
