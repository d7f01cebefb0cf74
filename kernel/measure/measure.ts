import type { Fact } from '#kernel/measure/facts.ts'
import type { OrgType, OrgTypes } from '#kernel/values/organisation-type.ts'

/**
 * A figure that pages show, defined once: what it is called, what exactly it counts, and of which rows. Every column,
 * card, tile and chart that shows it names it, and so agrees with the others.
 */
export type Measure = {
  readonly name: string
  /** The name that every page gives it. */
  readonly label: string
  /** A sentence for people: exactly what it counts, by which day, with or without tax. */
  readonly says: string
  /** The report whose rows it adds up. */
  readonly of: string
  /** The column of these rows. */
  readonly column: string
  /** Parameters of the report beside the days. */
  readonly where?: Readonly<Record<string, string>>
  /**
   * The kind of its amounts, and so the right to read them: a price, the cost of goods, or the profit. Every page that
   * shows the measure asks for this right, whatever its column says (`rightsToRead`).
   */
  readonly right: 'price' | 'cost' | 'profit'
  /** The types of organisations that have the figure. */
  readonly orgs: OrgTypes
  /**
   * Its counterpart in the ledgers: the worth of own goods in stores, or the entries of a fact's documents with
   * partners.
   */
  readonly ledger?: 'stock' | { readonly direction: 'payable' | 'receivable'; readonly fact: Fact }
  /** The same figure at partners, and the report that compares both. */
  readonly counterpart?: Counterpart
}

/**
 * The other side of a measure. `measure`: the partner's name for it; `of`: the report that compares both sides, a row a
 * partner (`counterparty_sn`), with the partner's amount in the column `theirs` and the unexplained part of the
 * difference in `unexplained`, which must be zero.
 */
export type Counterpart = {
  readonly measure: string
  readonly of: string
  readonly theirs: string
  readonly unexplained: string
}

/** Declares measures by their names. */
export const defineMeasures = <const M extends Readonly<Record<string, Omit<Measure, 'name'>>>>(
  all: M,
): { readonly [N in keyof M]: M[N] & { readonly name: string } } =>
  Object.fromEntries(Object.entries(all).map(([name, measure]) => [name, { ...measure, name }])) as never

/** The options of a column that shows measures; where it shows several, each type of organisation reads its own. */
export const shows = (
  ...measures: readonly Measure[]
): { readonly hint: string; readonly measures: readonly Measure[] } => ({
  hint: [...new Set(measures.map(({ says }) => says))].join('；'),
  measures,
})

/**
 * The measure that a column shows to an organisation of this type where its report is asked for these parameters: the
 * first of those that ask for nothing else.
 */
export const measureOf = (
  field: { readonly measures?: readonly Measure[] } | undefined,
  org: OrgType,
  asked: Readonly<Record<string, string>> = {},
): Measure | undefined =>
  field?.measures?.find(
    ({ orgs, where = {} }) =>
      orgs.includes(org) && Object.entries(where).every(([name, value]) => (asked[name] ?? value) === value),
  )
