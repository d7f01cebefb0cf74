/**
 * Types of the hooks by which a module extends the engine, and of their arguments. Modules import the engine only
 * through files like this one.
 */

/** The hooks of a kind of document; marks what only the review can judge. */
export { atReviewOnly, documentHooks } from '#server/documents/action/context.ts'

/** Action context type; type of module hooks; confirmation check. */
export type { ActionContext, ActionCheck, ContextOf, DocumentHooks } from '#server/documents/action/context.ts'

/** The part that a room adds to the engine, and the rules of a record. */
export { rulesOf, type Hooks, type ModuleHooks } from '#server/registry/hooks.ts'

/** The rules of a room's pages, each with its id. */
export { definePageRules } from '#server/rulebook/page-rule.ts'
