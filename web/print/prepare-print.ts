import { registerDefinitions } from '#kernel/registry.ts'
import { definitions } from '#modules/registry.ts'

/** What is printed needs the definitions, and nothing that modules draw themselves. */
export const preparePrint = (): void => registerDefinitions(definitions)
