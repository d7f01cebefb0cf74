/**
 * What a module may add to the engine: types of hooks and of what they are given. Modules import the engine through
 * files like this one and no other.
 */

/** Marks what only the review can judge. */
export { atReviewOnly } from '#server/documents/action/context.ts'

/** Action context type; type of module hooks; confirmation check. */
export type { ActionContext, ActionCheck, DocumentHooks } from '#server/documents/action/context.ts'

/** The one object of hooks, and those of a record. */
export { rulesOf, type Hooks } from '#server/registry/hooks.ts'
