import type { Module } from '#kernel/module.ts'
import { goodsFreeze } from '#modules/goods/trace/goods-freeze.entity.ts'
import { traceScreen } from '#modules/goods/trace/trace.screen.ts'

export const traceModule: Module = {
  entities: [goodsFreeze],
  tools: [traceScreen],
}
