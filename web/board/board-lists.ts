import {
  type BoardCard,
  type BoardFigure,
  type BoardPart,
  type BoardReading,
  daysOfStep,
  parameterOf,
} from '#kernel/wall/board-definition.ts'
import { type BoardRow, type BoardTable, type CardRead, STEP_LEVEL } from '#kernel/wall/board-table.ts'
import { figuresFor, readingsOf } from '#kernel/wall/board-definition.ts'
import type { Query } from '#web/engine/page-context.ts'
import { listAddressOf } from '#web/shell/menu/screen-index.ts'

/** The address of the list behind a card, or behind one of its rows; null where this reader has no such page. */
export function listBehind(read: CardRead, table: BoardTable, row: BoardRow | null): string | null {
  const { board, card, choice, answers } = read
  const of = row?.of ?? Object.keys(answers)[0]
  const reading = of === undefined ? undefined : readingsOf(board, card, choice)[of]
  const named = of === undefined ? undefined : listOf(read, of)
  const days = row !== null && table.level === STEP_LEVEL ? daysOfStep(row.label) : null
  const period = days ?? read.days
  if (named !== undefined) {
    const given = { begin_date: period.begin, end_date: period.end }
    const asked = Object.entries(named.with ?? {}).map(([name, from]) => [
      name,
      from.startsWith('=') ? given[from.slice(1) as keyof typeof given] : from,
    ])
    return listAddressOf(named.kind, choice.org, Object.fromEntries(asked) as Query)
  }
  if (reading === undefined || of === undefined || reading.of.screens.length === 0) return null
  const asked = { ...answers[of]?.asked, ...(days ? periodOf(reading, days) : {}), ...narrowedTo(reading, table, row) }
  return listAddressOf(reading.of.kind, choice.org, asked)
}

/** The days of a period, by the parameters that the report has. */
const periodOf = ({ of }: BoardReading, { begin, end }: { begin: string; end: string }): Query => ({
  ...('begin_date' in of.parameters ? { begin_date: begin } : {}),
  ...('end_date' in of.parameters ? { end_date: end } : {}),
})

/** The filter that narrows the list to a row of the card. */
function narrowedTo(reading: BoardReading, { level }: BoardTable, row: BoardRow | null): Query {
  if (row === null || row.key === null || level === null || level === STEP_LEVEL) return {}
  const parameter = parameterOf(reading, levelOf(level.filter, row, reading))
  return parameter === null ? {} : { [parameter]: row.key, [`${parameter}~`]: row.label }
}

/** A card of two flows narrows by the counterparty of each. */
const levelOf = (filter: string, row: BoardRow, reading: BoardReading): string =>
  parameterOf(reading, filter) === null && row.row.counterparty_sn !== undefined ? 'counterparty_sn' : filter

type Listed = BoardFigure | BoardPart
/** The list that the definition names for a figure or a part, where its report has no page. */
function listOf({ board, card, choice }: CardRead, of: string): Listed['list'] {
  if (card.draws.form === 'figures') return figuresFor(board, choice.org).find(({ name }) => name === of)?.list
  return partsOf(card).find(part => part.of === of)?.list
}
const partsOf = ({ draws }: BoardCard): readonly BoardPart[] =>
  draws.form === 'waterfall' ? draws.parts : draws.form === 'combo' ? draws.bars : []
