import { registerDefinitions } from '#kernel/registry.ts'
import { definitions } from '#app/modules.ts'

/** Prepares a print, which needs the definitions, and no components of modules. */
export const preparePrint = (): void => registerDefinitions(definitions)
