import type { Module } from '#kernel/module.ts'
import { giveOdo } from '#modules/hospital/issues/give-odo.doc.ts'
import { otherOdo } from '#modules/hospital/issues/other-odo.doc.ts'

export const issuesModule: Module = {
  documents: [otherOdo, giveOdo],
}
