import type { ComponentType } from 'react'
import { joined } from '#kernel/module.ts'
import { type Customisation, takeCustomisations } from '#web/engine/customisation.ts'

/** A page that takes any text from the global search: a scanned code, a lot. */
export type SearchTarget = {
  readonly route: string
  readonly parameter: string
  readonly title: (typed: string) => string
  readonly hint: string
}

/** The things that modules add to the web beyond their definitions. */
export type Contributions = {
  /** The ways in which modules want their own things drawn. */
  readonly customisations: readonly Customisation[]
  /** Pages by the name that a screen gives in `page`. */
  readonly pages: Readonly<Record<string, () => Promise<{ readonly default: ComponentType }>>>
  readonly searchTargets: readonly SearchTarget[]
}

/** The part that one room draws. */
export type ModuleLook = Partial<Contributions>

/** The parts of all rooms. */
export const contributionsOf = (modules: readonly ModuleLook[]): Contributions =>
  joined<Contributions>(modules, { customisations: 'list', pages: 'names', searchTargets: 'list' })

let contributions: Contributions | undefined

/** Fills the registry of the page, before its shell is drawn. */
export function registerContributions(given: Contributions): void {
  contributions = given
  takeCustomisations(given.customisations)
}

function registered(): Contributions {
  if (contributions === undefined) throw new Error('asked for before registerContributions was called')
  return contributions
}

export const pageOf = (name: string) => registered().pages[name]
export const searchTargets = () => registered().searchTargets
