import type { Measure } from '#kernel/measure/measure.ts'

/**
 * The meaning of a figure: that of a measure, which has its own sentence, or a sentence. A figure without filters
 * equals its measure: `npm run figures` compares them.
 */
type Explained =
  | { readonly measure: Measure; readonly says?: never }
  | { readonly measure?: never; readonly says: string }

/** The sentence that says what a figure counts. */
export const saysOf = ({ measure, says }: Explained): string => measure?.says ?? says!

/** One number at a step of a process, and the list that has exactly that many rows. */
export type FlowCount = {
  readonly text: string
  readonly where: Readonly<Record<string, string>>
  /** Rows whose day is in the requested period, or within so many days from today. */
  readonly within?: { readonly field: string; readonly span: 'period' | number }
  /** Overdue: shown in the warning colour when the number is above zero. */
  readonly late?: true
}

/** A step of the process: the list of a kind, with the number waiting there. Shown to users who have its page. */
export type FlowStep = {
  /** A document, a record or a report. */
  readonly kind: string
  readonly title: string
  /** Its place in the chart: column and row, from 0. */
  readonly at: readonly [column: number, row: number]
  /** Kinds of the steps that lead to it, as the business branches and comes together again. */
  readonly after?: readonly string[]
  readonly counts: readonly FlowCount[]
  /** For a record: the field that holds the partner. Documents have their counterparty. */
  readonly partner?: string
  /** Amounts of money beside the counts, by their names among the figures. */
  readonly money?: readonly FlowMoney[]
}

/** An amount at a step; `kind` (default the step's own) and `where` open its details. */
export type FlowMoney = Explained & {
  readonly figure: string
  readonly text: string
  readonly kind?: string
  readonly where?: Readonly<Record<string, string>>
  readonly late?: true
}

/** A figure of the period; `kind` and `where` open its details. */
export type FlowCard = Explained & {
  readonly figure: string
  readonly title: string
  readonly as: 'amount' | 'count' | 'rate'
  readonly kind: string
  readonly where?: Readonly<Record<string, string>>
  /** The column whose sum in the list behind it is the amount; default: that of the measure. */
  readonly column?: string
}

/** A process of the organisation drawn as a chart: its steps in order, its figures, and its partners. */
export type Flow = {
  readonly name: string
  readonly partner: { readonly label: string; readonly relation: 'supplier' | 'customer' }
  readonly handler: string
  readonly steps: readonly FlowStep[]
  readonly cards: readonly FlowCard[]
  /** Bars by partner, and a line by day, of the card with this figure: each opens the card's list for itself alone. */
  readonly bars?: { readonly title: string; readonly figure: string }
  readonly trend?: { readonly title: string; readonly figure: string }
}
