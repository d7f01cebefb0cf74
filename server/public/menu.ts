/** The menu, pages and permissions. Modules import the engine through files like this one and no other. */

/** Pages and operations derived from all definitions. */
export { extraFlags, permissionsOf, permissionsIn } from '#server/menu/menu.ts'

/** Syncs menu tables, seeds roles; a user's menu as the platform arranged it. */
export { menuFor, syncMenu } from '#server/menu/stored-menu.ts'

/** Menu, page, operation nodes derived from definitions. */
export { permissionNodes } from '#server/menu/permission-tree.ts'

/** Names of permissions; what a role change adds. */
export { flagNames, rolePermissionDiff } from '#server/menu/permission-names.ts'
