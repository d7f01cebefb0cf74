import type { ModuleHooks } from '#server/public/hooks.ts'
import { unitLabelRules } from '#modules/goods/labels/unit-label.server.ts'

export const labelsHooks: ModuleHooks = {
  records: [unitLabelRules],
}
