import type { Fields } from '#kernel/field.ts'
import type { Screen } from '#kernel/screen.ts'

export type ReportDefinition<K extends string = string, P extends Fields = Fields, C extends Fields = Fields> = {
  readonly is: 'report'
  readonly kind: K
  readonly title: string
  readonly params: P
  readonly columns: C
  /** The `.sql` file beside the definition; its parameters are $1 = organisation and then `params` in order. */
  readonly source: string
  /** Where several reports share a statement: what stands at its `{name}`. SQL of the definition's own, never of a caller. */
  readonly fills?: Readonly<Record<string, string>>
  /** Columns summed over the whole query, not the page. */
  readonly totals?: readonly (keyof C & string)[]
  /** The document list behind a figure: column → definition. */
  readonly drill?: Partial<Record<keyof C & string, string>>
  readonly screens: readonly Screen<keyof C & string, string>[]
}
/** A report definition of any kind: what the engine reads. */
export type AnyReport = ReportDefinition<string, Fields, Fields>

/** Declares a figure table over the ledgers: parameters in, rows and totals out. */
export function defineReport<const K extends string, const P extends Fields, const C extends Fields>(
  definition: Omit<ReportDefinition<K, P, C>, 'is' | 'totals' | 'drill'> & {
    readonly totals?: readonly (keyof NoInfer<C> & string)[]
    readonly drill?: Partial<Record<keyof NoInfer<C> & string, string>>
  },
): ReportDefinition<K, P, C> {
  return { ...definition, is: 'report' } as ReportDefinition<K, P, C>
}
