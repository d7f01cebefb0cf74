import { type Definitions, registerDefinitions } from '#kernel/registry.ts'
import { definitions } from '#app/modules.ts'
import { hooks } from '#app/modules.server.ts'
import { registerHooks } from '#server/registry/hooks.ts'

/**
 * Puts the program together: what the modules define and what they add. Every way into the program begins here; a test
 * may give it definitions of its own.
 */
export function registerModules(defined: Definitions = definitions): void {
  registerDefinitions(defined)
  registerHooks(hooks)
}
