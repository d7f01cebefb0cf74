import type { ComponentType, ReactNode } from 'react'
import type { InputProps, Row } from '#web/fields/field-renderer.ts'

/** A module's overrides of the user interface, in its `.web.tsx`. Anything omitted uses the engine's default. */
export type Customisation = {
  /** The definition's name. */
  readonly of: string
  /** Renders a row in pickers that offer this kind. */
  readonly option?: (row: Row) => ReactNode
  /** Custom inputs for header fields, by wire name. */
  readonly inputs?: Readonly<Record<string, ComponentType<InputProps>>>
  /** Shown above the fields of a row: what must be visible at once. */
  readonly heads?: readonly ComponentType<{ readonly info: Row }>[]
  /** Width in pixels of the drawer of a row, where its inputs need more than a form does. */
  readonly drawerWidth?: number
  /** Panels below the header of its detail page. */
  readonly panels?: readonly ComponentType<{ readonly info: Row }>[]
  /** Its rows define scanned codes: how a definition for an unknown code is started, and the label of that link. */
  readonly unknownCode?: { readonly label: string; readonly begin: (code: string) => Readonly<Record<string, string>> }
  /** Its rows store report queries: how a new one starts, and the label of the save action. */
  readonly keepsQueries?: {
    readonly label: string
    readonly begin: (report: string, query: string) => Readonly<Record<string, string>>
  }
  /** Shown among the actions of a list row: a link to where the row's issue is handled. */
  readonly rowLink?: (row: Row) => ReactNode
  /** Shown left of the list: a tree that filters it. */
  readonly beside?: readonly ComponentType[]
  /** Shown between the list's title and the list: figures, and actions on the whole list. */
  readonly above?: readonly ComponentType<{ readonly may: (action: string) => boolean }>[]
}

const byKind = new Map<string, Customisation>()

/** Called once at start with the modules' list; engines then look up by kind and never know a module by name. */
export const takeCustomisations = (given: readonly Customisation[]): void => {
  for (const customisation of given) byKind.set(customisation.of, joined(byKind.get(customisation.of), customisation))
}

/** Joins what several modules add to one kind: lists are joined; of single values the last one is taken. */
function joined(before: Customisation | undefined, added: Customisation): Customisation {
  if (before === undefined) return added
  const both = <T>(one: readonly T[] = [], other: readonly T[] = []): readonly T[] => [...one, ...other]
  return {
    ...before,
    ...added,
    inputs: { ...before.inputs, ...added.inputs },
    heads: both(before.heads, added.heads),
    panels: both(before.panels, added.panels),
    beside: both(before.beside, added.beside),
    above: both(before.above, added.above),
  }
}
/** The kind that stores scanned codes, if any. */
export const codeKeeper = () => [...byKind.values()].find(each => each.unknownCode !== undefined) ?? null
/** The kind that stores queries, if any. */
export const queryKeeper = () => [...byKind.values()].find(each => each.keepsQueries !== undefined) ?? null
export const pickerOption = (kind: string) => byKind.get(kind)?.option
export const customInput = (kind: string, name: string) => byKind.get(kind)?.inputs?.[name]
export const customDrawerWidth = (kind: string) => byKind.get(kind)?.drawerWidth
export const customRowLink = (kind: string) => byKind.get(kind)?.rowLink
export const customAbove = (kind: string) => byKind.get(kind)?.above ?? []
export const customBeside = (kind: string) => byKind.get(kind)?.beside ?? []
export const customHeads = (kind: string) => byKind.get(kind)?.heads ?? []
export const customPanels = (kind: string) => byKind.get(kind)?.panels ?? []
