import type { Hooks } from '#server/public/hooks.ts'
import { addCabinetPermissions } from '#modules/cabinet/door-permission-routes.server.ts'
import { addCourses } from '#modules/platform/course-routes.server.ts'
import { addDepartmentTree } from '#modules/identity/department-tree-routes.server.ts'
import { addOwnWords } from '#modules/platform/own-word-routes.server.ts'
import { addPackages } from '#modules/platform/package-routes.server.ts'
import { addWorkbench } from '#modules/workbench/workbench-routes.server.ts'

/** Calls that follow from no definition. */
export const routes: Hooks['routes'] = [
  addCabinetPermissions,
  addCourses,
  addDepartmentTree,
  addOwnWords,
  addPackages,
  addWorkbench,
]
