import { registerDefinitions } from '#kernel/registry.ts'
import { definitions } from '#modules/registry.ts'

/** Prepares a print, which needs the definitions, and no components of modules. */
export const preparePrint = (): void => registerDefinitions(definitions)
