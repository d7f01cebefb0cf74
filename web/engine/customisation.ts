import type { ComponentType, ReactNode } from 'react'
import type { InputProps, Row } from '#web/fields/field-renderer.ts'

/** What a room may say about how its things look, in its `.web.tsx`. Everything left out is the engine's. */
export type Customisation = {
  /** The definition's name. */
  readonly of: string
  /** Draws a row in pickers that offer this kind. */
  readonly option?: (row: Row) => ReactNode
  /** Inputs of its own for header fields, by wire name. */
  readonly inputs?: Readonly<Record<string, ComponentType<InputProps>>>
  /** Stand above the fields of a row: what must be seen without looking for it. */
  readonly heads?: readonly ComponentType<{ readonly info: Row }>[]
  /** Panels under the header of its detail page. */
  readonly panels?: readonly ComponentType<{ readonly info: Row }>[]
  /** Its rows say what scanned codes mean: what a code that nobody knows is begun with, and what going there is called. */
  readonly unknownCode?: { readonly label: string; readonly begin: (code: string) => Readonly<Record<string, string>> }
  /** Its rows keep what is asked of reports: what one begins with, and what keeping is called. */
  readonly keepsQueries?: {
    readonly label: string
    readonly begin: (report: string, query: string) => Readonly<Record<string, string>>
  }
  /** Stands among what can be done to a row of its list: a way to where the row's matter is dealt with. */
  readonly rowLink?: (row: Row) => ReactNode
  /** Stands left of the list: a tree that narrows it. */
  readonly beside?: readonly ComponentType[]
  /** Stands between the name of its list and the list itself: figures, what can be done to all of it. */
  readonly above?: readonly ComponentType<{ readonly may: (action: string) => boolean }>[]
}

const byKind = new Map<string, Customisation>()

/** Called once at start with the rooms' list; engines then ask by kind and never know a room by name. */
export const takeCustomisations = (given: readonly Customisation[]): void => {
  for (const customisation of given) byKind.set(customisation.of, customisation)
}
/** The kind that keeps scanned codes, where there is one. */
export const codeKeeper = () => [...byKind.values()].find(each => each.unknownCode !== undefined) ?? null
/** The kind that keeps queries, where there is one. */
export const queryKeeper = () => [...byKind.values()].find(each => each.keepsQueries !== undefined) ?? null
export const pickerOption = (kind: string) => byKind.get(kind)?.option
export const customInput = (kind: string, name: string) => byKind.get(kind)?.inputs?.[name]
export const customRowLink = (kind: string) => byKind.get(kind)?.rowLink
export const customAbove = (kind: string) => byKind.get(kind)?.above ?? []
export const customBeside = (kind: string) => byKind.get(kind)?.beside ?? []
export const customHeads = (kind: string) => byKind.get(kind)?.heads ?? []
export const customPanels = (kind: string) => byKind.get(kind)?.panels ?? []
