import type { ModuleHooks } from '#server/public/hooks.ts'
import { addApprovals } from '#modules/platform/workbench/approvals.server.ts'
import { homeFigures } from '#modules/platform/workbench/home-figures.server.ts'
import { addHospitalHome } from '#modules/platform/workbench/hospital-home.server.ts'
import { addWorkbench } from '#modules/platform/workbench/workbench-routes.server.ts'

export const workbenchHooks: ModuleHooks = {
  figurePlaces: [homeFigures],
  routes: [addApprovals, addHospitalHome, addWorkbench],
}
