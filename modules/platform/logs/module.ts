import type { Module } from '#kernel/module.ts'
import { operationLog } from '#modules/platform/logs/operation-log.entity.ts'

export const logsModule: Module = {
  entities: [operationLog],
}
