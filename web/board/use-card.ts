import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import {
  type BoardCard,
  type BoardDefinition,
  type BoardGrain,
  type BoardMeasure,
  boardGrains,
  readingsOf,
  standardGrain,
} from '#kernel/wall/board-definition.ts'
import { boardTable, type BoardTable, type CardRead } from '#kernel/wall/board-table.ts'
import { type Answer, isMoney, MASKED, type Row } from '#kernel/wall/wall-definition.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import type { Day } from '#kernel/values/date.ts'
import type { Against, Range } from '#kernel/values/comparison.ts'
import type { OrgType } from '#kernel/values/organisation-type.ts'
import { get } from '#web/engine/http/request.ts'

/** A card as the server answered it. */
export type CardInfo = {
  readonly at: string
  readonly begin_date: Day
  readonly end_date: Day
  readonly compared: Range | null
  readonly place: CardRead['place']
  readonly answers: Readonly<Record<string, Answer>>
  readonly ignored: Readonly<Record<string, readonly string[]>>
}
type Asked = Readonly<Record<string, string>>

/** The grain of a trend: as the reader chose, or by the number of its days. */
export const grainOf = ({ grain, begin_date, end_date }: Asked): BoardGrain =>
  grain !== undefined && grain in boardGrains
    ? (grain as BoardGrain)
    : standardGrain({ begin: begin_date as Day, end: end_date as Day })

/** The reader's choice in the address; where the address has no known value, the preset. */
export const choiceOf = (org: OrgType, asked: Asked, measures: readonly BoardMeasure[]): CardRead['choice'] => ({
  org,
  against: asked.against === 'none' ? null : ((asked.against as Against | undefined) ?? 'previous'),
  measure: measures.find(({ name }) => name === asked.measure) ?? measures[0]!,
  grain: grainOf(asked),
  level: parseInteger(asked.level ?? 0),
})

/**
 * Money that the server kept from a user without prices reads as hidden, and not as nothing. A reading that is called
 * like an amount did not come at all.
 */
function masked(
  board: BoardDefinition,
  card: BoardCard,
  choice: CardRead['choice'],
  answers: CardRead['answers'],
): CardRead['answers'] {
  return Object.fromEntries(
    Object.entries(readingsOf(board, card, choice)).map(([name, run]) => {
      const reading = { ...run, span: 'asked' } as const
      const answer = answers[name] ?? { rows: [{}], total: 0, before: {}, asked: {} }
      const money = (run.sums ?? []).filter(column => isMoney(reading, column))
      const mask = (row: Row): Row => ({ ...Object.fromEntries(money.map(column => [column, MASKED])), ...row })
      const before = Object.entries(answer.before).map(([against, rows]) => [against, rows.map(mask)])
      return [name, { ...answer, rows: answer.rows.map(mask), before: Object.fromEntries(before) }]
    }),
  )
}

export type CardTable = { readonly read: CardRead; readonly table: BoardTable; readonly ignored: readonly string[] }

/** A card's figures for its parameters; the old ones stay while it is read again. */
export function useCard(
  board: BoardDefinition,
  card: BoardCard,
  org: OrgType,
  asked: Asked,
  measures: readonly BoardMeasure[],
) {
  const query = useQuery({
    queryKey: [board.kind, 'card', card.name, asked],
    placeholderData: keepPreviousData,
    retry: false,
    queryFn: async ({ signal }) => {
      const { info } = await get<CardInfo>(
        `/v1/business/board/${board.kind}`,
        { ...asked, card: card.name },
        { signal },
      )
      return { ...info, asked }
    },
  })
  // While a card is read again it shows the old choice with the old answer.
  const { data } = query
  const known = useMemo((): CardTable | null => {
    if (data === undefined) return null
    const choice = choiceOf(org, data.asked, measures)
    const read = {
      board,
      card,
      choice,
      answers: masked(board, card, choice, data.answers),
      days: { begin: data.begin_date, end: data.end_date },
      compared: data.compared,
      place: data.place,
    }
    return { read, table: boardTable(read), ignored: [...new Set(Object.values(data.ignored).flat())] }
  }, [board, card, org, data, measures])
  return { ...query, known }
}
