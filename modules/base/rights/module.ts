import type { Module } from '#kernel/module.ts'
import { account } from '#modules/base/rights/account.entity.ts'
import { menuNode } from '#modules/base/rights/menu-node.entity.ts'
import { motherTree } from '#modules/base/rights/mother-tree.entity.ts'
import { roleTemplate, templateRole } from '#modules/base/rights/role-template.entity.ts'
import { systemRole } from '#modules/base/rights/system-role.entity.ts'
import { userRoleAssignment } from '#modules/base/rights/user-role-assignment.entity.ts'

export const rightsModule: Module = {
  entities: [userRoleAssignment, account, menuNode, motherTree, systemRole, roleTemplate, templateRole],
}
