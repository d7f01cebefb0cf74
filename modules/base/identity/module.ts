import type { Module } from '#kernel/module.ts'
import { department } from '#modules/base/identity/department.entity.ts'
import { employee } from '#modules/base/identity/employee.entity.ts'
import { role } from '#modules/base/identity/role.entity.ts'
import { staffFile } from '#modules/base/identity/staff-file.entity.ts'
import { user } from '#modules/base/identity/user.entity.ts'

export const identityModule: Module = {
  entities: [department, employee, staffFile, user, role],
}
