import type { Module } from '#kernel/module.ts'
import { loss } from '#modules/goods/losses/loss.doc.ts'
import { overflow } from '#modules/goods/losses/overflow.doc.ts'
import { scrap } from '#modules/goods/losses/scrap.doc.ts'

export const lossesModule: Module = {
  documents: [loss, overflow, scrap],
}
