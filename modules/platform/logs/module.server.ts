import type { ModuleHooks } from '#server/public/hooks.ts'
import { operationLogRules } from '#modules/platform/logs/operation-log.server.ts'

export const logsHooks: ModuleHooks = {
  records: [operationLogRules],
}
