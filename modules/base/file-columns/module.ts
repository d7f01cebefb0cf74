import type { Module } from '#kernel/module.ts'
import { columnMapping } from '#modules/base/file-columns/column-mapping.entity.ts'

export const fileColumnsModule: Module = {
  entities: [columnMapping],
}
