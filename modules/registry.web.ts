import type { ComponentType } from 'react'
import type { Screen } from '#kernel/screen.ts'
import type { Customisation } from '#web/engine/customise.ts'

/** What rooms add to the web beyond their definitions. Nothing here is needed for a plain document or record. */

/** Screens that show no definition: tools with a page of their own. */
export const ownScreens: readonly Screen[] = []

/** Pages by the name that a screen gives in `page`. */
export const pages: Readonly<Record<string, () => Promise<{ readonly default: ComponentType }>>> = {}

/** How rooms want their own things drawn. */
export const customisations: readonly Customisation[] = []

/** Rooms that take any text from the global search: a scanned code, a lot. */
export type SearchTarget = { readonly route: string; readonly parameter: string; readonly title: (typed: string) => string; readonly hint: string }
export const searchTargets: readonly SearchTarget[] = []
