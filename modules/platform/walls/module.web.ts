import type { ModuleLook } from '#web/registry/contributions.ts'

export const wallsLook: ModuleLook = {
  pages: {
    wallTrace: () => import('#modules/platform/walls/process/wall-trace.page.tsx'),
    biScreen: () => import('#web/board/BoardPage.tsx'),
    wallEntry: () => import('#modules/platform/walls/wall-entry.page.tsx'),
  },
}
