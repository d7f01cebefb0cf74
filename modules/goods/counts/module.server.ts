import type { ModuleHooks } from '#server/public/hooks.ts'
import { countByPlan, countPlanRules } from '#modules/goods/counts/count-plan.server.ts'
import { stockTakeRules } from '#modules/goods/counts/stock-take.server.ts'
import { hourly } from '#server/public/jobs.ts'

export const countsHooks: ModuleHooks = {
  documents: [stockTakeRules],
  records: [countPlanRules],
  jobs: [hourly('count_by_plan', '循环盘点生成', ({ owner }) => countByPlan(owner))],
}
