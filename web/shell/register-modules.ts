import { registerDefinitions } from '#kernel/registry.ts'
import { definitions } from '#modules/registry.ts'
import { contributions } from '#modules/registry.web.ts'
import { registerContributions } from '#web/registry/contributions.ts'

/** Puts the page together before it is first drawn: what the modules define, and what they draw themselves. */
export function registerModules(): void {
  registerDefinitions(definitions)
  registerContributions(contributions)
}
