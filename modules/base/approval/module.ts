import type { Module } from '#kernel/module.ts'
import { auditLevel } from '#modules/base/approval/audit-level.entity.ts'

export const approvalModule: Module = {
  entities: [auditLevel],
}
