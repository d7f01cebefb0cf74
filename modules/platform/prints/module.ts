import type { Module } from '#kernel/module.ts'
import { printTemplate } from '#modules/platform/prints/print-template.entity.ts'
import { sheets } from '#modules/platform/prints/sheets/sheets.ts'

export const printsModule: Module = {
  entities: [printTemplate],
  sheets,
}
