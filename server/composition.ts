import { registerDefinitions } from '#kernel/registry.ts'
import { definitions } from '#modules/registry.ts'
import { hooks } from '#modules/registry.server.ts'
import { registerHooks } from '#server/registry/hooks.ts'

/** Puts the program together: what the modules define and what they add. Every way into the program begins here. */
export function registerModules(): void {
  registerDefinitions(definitions)
  registerHooks(hooks)
}
