import type { Module } from '#kernel/module.ts'
import { hospitalHomeScreen } from '#modules/platform/workbench/hospital-home.ts'

export const workbenchModule: Module = {
  tools: [hospitalHomeScreen],
}
