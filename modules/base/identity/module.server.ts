import type { ModuleHooks } from '#server/public/hooks.ts'
import { addDepartmentTree } from '#modules/base/identity/department-tree-routes.server.ts'
import { departmentRules } from '#modules/base/identity/department.server.ts'
import { employeeRules } from '#modules/base/identity/employee.server.ts'
import { roleRules } from '#modules/base/identity/role.server.ts'
import { userRules } from '#modules/base/identity/user.server.ts'

export const identityHooks: ModuleHooks = {
  records: [departmentRules, employeeRules, userRules, roleRules],
  routes: [addDepartmentTree],
}
