import type { Module } from '#kernel/module.ts'
import { unitLabel } from '#modules/goods/labels/unit-label.entity.ts'

export const labelsModule: Module = {
  entities: [unitLabel],
}
