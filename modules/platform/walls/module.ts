import type { Module } from '#kernel/module.ts'
import { boards, walls } from '#modules/platform/walls/all-walls.ts'
import { departmentPlaces } from '#modules/platform/walls/departments/departments.report.ts'
import { certificates, certifiedLots } from '#modules/platform/walls/goods/goods.report.ts'
import { wallEntryScreen } from '#modules/platform/walls/wall-entry.screen.ts'
import { handledWarnings } from '#modules/platform/walls/warnings/warnings.report.ts'

export const wallsModule: Module = {
  reports: [handledWarnings, certificates, certifiedLots, departmentPlaces],
  tools: [wallEntryScreen],
  walls,
  boards,
}
