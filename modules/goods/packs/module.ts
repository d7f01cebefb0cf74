import type { Module } from '#kernel/module.ts'
import { madeKit, madeKitLine } from '#modules/goods/packs/kits/made-kit.entity.ts'
import { operationKit, operationKitLine } from '#modules/goods/packs/kits/operation-kit.entity.ts'
import { madePack } from '#modules/goods/packs/made-pack.entity.ts'
import { packTemplate, packTemplateLine } from '#modules/goods/packs/pack-template.entity.ts'
import { pack } from '#modules/goods/packs/pack.doc.ts'
import { unpack } from '#modules/goods/packs/unpack.doc.ts'

export const packsModule: Module = {
  documents: [pack, unpack],
  entities: [packTemplate, packTemplateLine, madePack, operationKit, operationKitLine, madeKit, madeKitLine],
}
