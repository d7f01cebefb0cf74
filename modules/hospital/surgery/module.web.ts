import type { ModuleLook } from '#web/registry/contributions.ts'

export const surgeryLook: ModuleLook = {
  pages: {
    boneFlow: () => import('#modules/hospital/surgery/navigation/bone-flow.page.tsx'),
  },
}
