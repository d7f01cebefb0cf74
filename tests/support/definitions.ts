import { registerDefinitions } from '#kernel/registry.ts'
import { definitions } from '#app/modules.ts'

/** Tests that need no database ask the definitions; what modules add to the engine they import where they mean it. */
registerDefinitions(definitions)
