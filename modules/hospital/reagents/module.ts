import type { Module } from '#kernel/module.ts'
import { analyser } from '#modules/hospital/reagents/analyser.entity.ts'
import { reagentStep, reagentTrace } from '#modules/hospital/reagents/reagent.entity.ts'
import { refrigerator, refrigeratorReading } from '#modules/hospital/reagents/refrigerator.entity.ts'

export const reagentsModule: Module = {
  entities: [reagentTrace, reagentStep, analyser, refrigerator, refrigeratorReading],
}
