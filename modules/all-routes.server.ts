import type { Hooks } from '#server/public/hooks.ts'
import { addCabinetPermissions } from '#modules/cabinet/equipment/door-permission-routes.server.ts'
import { addBedside } from '#modules/his/bedside/bedside-routes.server.ts'
import { addCounterparts } from '#modules/charges/fees/counterpart-routes.server.ts'
import { addCourses } from '#modules/platform/content/course-routes.server.ts'
import { addDepartmentTree } from '#modules/identity/department-tree-routes.server.ts'
import { addOwnWords } from '#modules/platform/dictionaries/own-dictionary-routes.server.ts'
import { addPackages } from '#modules/platform/content/package-routes.server.ts'
import { addApprovals } from '#modules/workbench/approvals.server.ts'
import { addHospitalHome } from '#modules/workbench/hospital-home.server.ts'
import { addImplantCards } from '#modules/ward/implants/implant-card-routes.server.ts'
import { addPartnerStatements } from '#modules/reports/settlements/partner-statement.server.ts'
import { addSignatures } from '#modules/signatures/signature-routes.server.ts'
import { addWorkbench } from '#modules/workbench/workbench-routes.server.ts'

/** Calls that follow from no definition. */
export const routes: Hooks['routes'] = [
  addCabinetPermissions,
  addBedside,
  addCounterparts,
  addCourses,
  addDepartmentTree,
  addOwnWords,
  addPackages,
  addApprovals,
  addHospitalHome,
  addImplantCards,
  addPartnerStatements,
  addSignatures,
  addWorkbench,
]
