import { registerDefinitions } from '#kernel/registry.ts'
import { definitions } from '#app/modules.ts'
import { contributions } from '#app/modules.web.ts'
import { registerContributions } from '#web/registry/contributions.ts'

/** Puts the page together before it is first drawn: what the modules define, and what they draw themselves. */
export function registerModules(): void {
  registerDefinitions(definitions)
  registerContributions(contributions)
}
