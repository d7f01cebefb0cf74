import type { ModuleLook } from '#web/registry/contributions.ts'
import { exportTaskLook, reportSchemeLook } from '#modules/platform/reports/centre/report-scheme.web.tsx'

export const reportsLook: ModuleLook = {
  customisations: [reportSchemeLook, exportTaskLook],
  pages: {
    reportCentre: () => import('#modules/platform/reports/centre/report-centre.page.tsx'),
  },
}
