import type { ModuleLook } from '#web/registry/contributions.ts'
import { traceScreen } from '#modules/goods/trace/trace.screen.ts'

export const traceLook: ModuleLook = {
  pages: {
    trace: () => import('#modules/goods/trace/trace.page.tsx'),
  },
  searchTargets: [
    { route: traceScreen.route, parameter: 'code', title: typed => `追溯“${typed}”`, hint: '按条码、批号或单号' },
  ],
}
