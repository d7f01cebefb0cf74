/** The menu, pages and permissions. Modules import the engine through files like this one and no other. */

/** Pages and operations derived from all definitions. */
export { extraFlags, flagsOf, grantedIn } from '#server/engine/menu-tree.ts'

/** Syncs menu tables, seeds roles; user's arranged menu. */
export { layMenu } from '#server/engine/menu-nodes.ts'

/** Menu, page, operation nodes derived from definitions. */
export { codeNodes } from '#server/engine/code-nodes.ts'

/** Names of permissions; what a role change adds. */
export { flagNames, roleChange } from '#server/engine/flag-names.ts'
