import type { Module } from '#kernel/module.ts'
import { insuranceCode } from '#modules/hospital/insurance/insurance-code.entity.ts'

export const insuranceModule: Module = {
  entities: [insuranceCode],
}
