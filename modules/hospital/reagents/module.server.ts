import type { ModuleHooks } from '#server/public/hooks.ts'
import { bottleEffects, openedBottleCheck } from '#modules/hospital/reagents/documents-of-bottles.server.ts'
import { readLisOfAll } from '#modules/hospital/reagents/lis-tests.server.ts'
import { reagentRecords } from '#modules/hospital/reagents/reagent.server.ts'
import { hourly } from '#server/public/jobs.ts'

export const reagentsHooks: ModuleHooks = {
  records: reagentRecords,
  actionChecks: [openedBottleCheck],
  effects: [bottleEffects],
  jobs: [hourly('read_lis_tests', '读取LIS测试数', ({ owner }) => readLisOfAll(owner))],
}
