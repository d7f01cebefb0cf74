import { againstLabels, changeOf, changeText, type Way, wayOf } from '#kernel/values/comparison.ts'
import type { FieldSpec } from '#kernel/definition/field.ts'
import {
  type Answer,
  MASKED,
  type Reading,
  type Row,
  type WallCard,
  type WallFigure,
} from '#kernel/wall/wall-definition.ts'
import { type BigNumber, bigNumber, NOTHING_TO_SAY, percent, shareOf } from '#kernel/values/big-number.ts'
import {
  absolute,
  compare,
  type Decimal,
  isDecimal,
  isNegative,
  multiply,
  plain,
  round,
  sum,
  zero,
} from '#kernel/values/decimal.ts'
import { minuteOf } from '#kernel/values/date.ts'
import { documentOf } from '#kernel/registry.ts'
import { daysSaid } from '#web/fields/Explained.tsx'
import { faces } from '#web/fields/field-renderers.ts'

/** A change as it is read, and with which days it compares. */
export type ShownChange = { readonly label: string; readonly text: string; readonly way: Way; readonly says?: string }

/** A figure as a card shows it. */
export type ShownFigure = {
  readonly label: string
  readonly value: BigNumber
  /** The explanation of the figure, with its days. */
  readonly says: readonly string[]
  /** Changes against earlier periods. */
  readonly changes: readonly ShownChange[]
}

export type CardAnswers = Readonly<Record<string, Answer>>

const NOTHING: BigNumber = { digits: NOTHING_TO_SAY, unit: '' }
const HIDDEN: BigNumber = { digits: MASKED, unit: '' }

/** The kind of a figure of a reading: rates that the reading divides itself are rates, counts are counts. */
const kindOf = (reading: Reading, column: string): string =>
  fieldOf(reading, column)?.as ?? (column in (reading.rates ?? {}) ? 'rate' : 'count')

/** The field of a column of a reading; undefined for figures that the reading counts itself. */
export const fieldOf = ({ of }: Reading, column: string): FieldSpec | undefined => of.columns[column]

const isFigure = (value: string | null | undefined): value is Decimal =>
  typeof value === 'string' && isDecimal(value, 8)

/** A value in large digits: money with two places, pieces as they are counted. */
export function large(value: string | null | undefined, as: string | undefined): BigNumber {
  if (value === MASKED) return HIDDEN
  if (!isFigure(value)) return NOTHING
  if (as === 'rate') return { digits: percent(value), unit: '' }
  if (as === 'amount' || as === 'price') return bigNumber(value, 2)
  const shown = plain(round(value, 3))
  return bigNumber(value, (shown.split('.')[1] ?? '').length)
}

/** The same as one text: 12.50万. */
export const largeText = (value: string | null | undefined, as: string | undefined): string => {
  const { digits, unit } = large(value, as)
  return digits + unit
}

/** The value of a figure among rows: the sum of the rows that it counts; '0' where there are none. */
export function valueOf(rows: readonly Row[], { column, where = {} }: WallFigure): string | null {
  const own = rows.filter(row => Object.entries(where).every(([name, value]) => row[name] === value))
  const values = own.map(row => row[column] ?? null)
  if (values.includes(MASKED)) return MASKED
  const figures = values.filter(isFigure)
  const places = Math.max(0, ...figures.map(value => (value.split('.')[1] ?? '').length))
  return figures.length === 0 ? '0' : sum(figures, places)
}

/** A figure with its changes. */
export function figureOf(card: WallCard, answers: CardAnswers, figure: WallFigure): ShownFigure {
  const { label, of, column } = figure
  const [reading, answer] = [card.reads[of]!, answers[of]]
  const says = saysOf(reading, answer, figure)
  if (answer === undefined) return { label, value: NOTHING, says, changes: [] }
  if (reading.rows !== undefined) return { label, value: large(String(answer.total), 'count'), says, changes: [] }
  const now = valueOf(answer.rows, figure)
  const as = figure.as ?? kindOf(reading, column)
  const changes = (figure.changes ? (reading.against ?? []) : []).map(against => {
    const before = valueOf(answer.before[against] ?? [], figure)
    const change = isFigure(now) && isFigure(before) ? changeOf(now, before, as) : null
    const says = answer.compared?.[against]
    const text = now === MASKED ? NOTHING_TO_SAY : changeText(change, against, as)
    return { label: againstLabels[against], text, way: wayOf(change), ...(says === undefined ? {} : { says }) }
  })
  return { label, value: large(now, as), says, changes }
}

/** The explanation of a figure, the page from which it was read, and its days. */
function saysOf({ of, span }: Reading, answer: Answer | undefined, { hint, column }: WallFigure): readonly string[] {
  const [screen] = of.screens
  const { begin_date, end_date } = answer?.asked ?? {}
  const days = span === 'now' ? '截至现在' : daysSaid(begin_date, end_date)
  return [hint ?? of.columns[column]?.hint, screen && `取自${screen.title}`, days].filter(line => line != null)
}

/** A share of two figures, as a fraction and as it is read, and both of them. */
export function gaugeOf(card: WallCard, answers: CardAnswers, part: WallFigure, whole: WallFigure) {
  const [some, all] = [part, whole].map(figure => {
    const answer = answers[figure.of]
    return answer === undefined ? null : valueOf(answer.rows, figure)
  })
  const share = isFigure(some) && isFigure(all) ? shareOf(some, all) : null
  const partOf = (figure: WallFigure, value: string | null | undefined) => ({
    figure,
    text: largeText(value, kindOf(card.reads[figure.of]!, figure.column)),
    says: saysOf(card.reads[figure.of]!, answers[figure.of], figure),
  })
  return { share, text: percent(share), parts: [partOf(part, some), partOf(whole, all)] }
}

/** A row of bars, a ring or tiles. */
export type Part = {
  readonly row: Row
  readonly label: string
  readonly key: string
  readonly value: string
  readonly more: string
  /** 环比, where the card compares. */
  readonly change: string
  /** Its length as percent of the largest, and its part of the whole. */
  readonly length: Decimal
  readonly share: string
}
const UNNAMED = '未指定'
const ONE = '1' as Decimal

/** The first of some figures that the reader may see. */
const drawnOf = (rows: readonly Row[], values: readonly string[]): string =>
  values.find(name => rows.every(row => row[name] !== MASKED)) ?? 'rows'

/**
 * Rows as parts of a whole: their lengths, their texts, and the figures beside them. A value below zero has no length.
 */
export function partsOf(
  reading: Reading,
  { rows, before }: Answer,
  label: string,
  values: readonly string[],
): readonly Part[] {
  const drawn = drawnOf(rows, values)
  const sizes = rows.map(row => {
    const value = row[drawn]
    return isFigure(value) && !isNegative(value) ? absolute(value) : zero
  })
  // A rate is a part of one, whatever the others are.
  const least = kindOf(reading, drawn) === 'rate' ? ONE : zero
  const most = sizes.reduce((largest, size) => (compare(size, largest) > 0 ? size : largest), least)
  const whole = sum(sizes, 3)
  const earlier = new Map((before.previous ?? []).map(row => [row[label], row[drawn]]))
  return rows.map((row, at) => ({
    row,
    key: String(row[label] ?? ''),
    label: cellText(reading, label, row) || UNNAMED,
    value: largeText(row[values[0]!], kindOf(reading, values[0]!)),
    change: reading.against?.includes('previous') ? changed(row[drawn], earlier.get(row[label])) : '',
    more: values[1] === undefined ? '' : largeText(row[values[1]], kindOf(reading, values[1])),
    length: lengthOf(sizes[at]!, most),
    share: percent(shareOf(sizes[at]!, whole)),
  }))
}

const changed = (now: string | null | undefined, before: string | null | undefined): string =>
  isFigure(now) ? changeText(isFigure(before) ? changeOf(now, before) : null, 'previous') : NOTHING_TO_SAY

const lengthOf = (size: Decimal, most: Decimal): Decimal => {
  const share = shareOf(size, most)
  return share === null ? zero : multiply(share, '100' as Decimal, 2)
}

const HOUR = /\d{2}:\d{2}$/

/** The text of a cell on a wall: moments of today without their day, kinds of documents by their name. */
export function cellText(reading: Reading, name: string, row: Row, today = ''): string {
  const value = row[name] ?? null
  if (value === null || value === '') return ''
  if (value === MASKED) return MASKED
  if (name === 'document_kind') return documentOf(value)?.title ?? value
  const field = fieldOf(reading, name)
  if (field === undefined) return value
  if (field.as === 'instant') {
    const text = minuteOf(new Date(value))
    return text.startsWith(today) && today !== '' ? (HOUR.exec(text)?.[0] ?? text) : text.slice(5)
  }
  if (field.as === 'amount' || field.as === 'quantity' || field.as === 'count' || field.as === 'rate')
    return largeText(value, field.as)
  return faces[field.as].text({ field, name, value, row })
}
