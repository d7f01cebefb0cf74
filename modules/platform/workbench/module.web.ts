import type { ModuleLook } from '#web/registry/contributions.ts'

export const workbenchLook: ModuleLook = {
  pages: {
    hospitalHome: () => import('#modules/platform/workbench/hospital-home.page.tsx'),
  },
}
