import type { ModuleLook } from '#web/registry/contributions.ts'

export const packsLook: ModuleLook = {
  searchTargets: [
    { route: '/commonView/operationKits', parameter: 'code', title: typed => `打开套包${typed}`, hint: '按套包编号' },
  ],
}
