import type { ModuleHooks } from '#server/public/hooks.ts'
import { goodsFreezeRules } from '#modules/goods/trace/goods-freeze.server.ts'

export const traceHooks: ModuleHooks = {
  records: [goodsFreezeRules],
}
