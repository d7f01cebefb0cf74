import type { DocumentRules } from '#server/engine/documents/acting.ts'

type RulesOf = (kind: string) => DocumentRules
let rulesOf: RulesOf = kind => ({ kind })

/** Told once, by the path of actions: rooms write papers through the engine, so what they add cannot be imported by what they import. */
export function adoptRules(given: RulesOf): void {
  rulesOf = given
}

/** What a room adds to papers of this kind, for the parts of the engine that rooms themselves import. */
export const roomRulesOf = (kind: string): DocumentRules => rulesOf(kind)
