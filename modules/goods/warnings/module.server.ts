import type { ModuleHooks } from '#server/public/hooks.ts'
import { recountWhereNeeded } from '#modules/goods/warnings/recount.server.ts'
import { warehouseProductRules } from '#modules/goods/warnings/warehouse-product.server.ts'
import { warningSettingRules } from '#modules/goods/warnings/warning-setting.server.ts'
import { warningRules } from '#modules/goods/warnings/warning.server.ts'
import { frequent } from '#server/public/jobs.ts'

export const warningsHooks: ModuleHooks = {
  records: [warehouseProductRules, warningRules, warningSettingRules],
  jobs: [frequent('count_warnings', '库存预警重算', ({ app, owner }) => recountWhereNeeded(app, owner))],
}
