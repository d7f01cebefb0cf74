import type { ModuleHooks } from '#server/public/hooks.ts'
import { hourly } from '#server/public/jobs.ts'
import { addDepartmentTree } from '#modules/base/identity/department-tree-routes.server.ts'
import { departmentRules } from '#modules/base/identity/department.server.ts'
import { employeeRules } from '#modules/base/identity/employee.server.ts'
import { roleRules } from '#modules/base/identity/role.server.ts'
import { staffFileRules } from '#modules/base/identity/staff-file.server.ts'
import { remindOfStaff } from '#modules/base/identity/staff-reminders.server.ts'
import { userRules } from '#modules/base/identity/user.server.ts'

export const identityHooks: ModuleHooks = {
  records: [departmentRules, employeeRules, userRules, roleRules, staffFileRules],
  jobs: [hourly('remind_of_staff', '人员证明到期提醒', ({ owner }) => remindOfStaff(owner))],
  routes: [addDepartmentTree],
}
