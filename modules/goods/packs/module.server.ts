import type { ModuleHooks } from '#server/public/hooks.ts'
import { kitCheck, madeKitLineRules, madeKitRules } from '#modules/goods/packs/kits/made-kit.server.ts'
import { operationKitLineRules, operationKitRules } from '#modules/goods/packs/kits/operation-kit.server.ts'
import { deliverPushes, publishedTemplateRules } from '#modules/goods/packs/kits/published-templates.server.ts'
import { madePackRules } from '#modules/goods/packs/made-pack.server.ts'
import { packTemplateLineRules, packTemplateRules } from '#modules/goods/packs/pack-template.server.ts'
import { packHooks } from '#modules/goods/packs/pack.server.ts'
import { unpackHooks } from '#modules/goods/packs/unpack.server.ts'
import { wholePackCheck } from '#modules/goods/packs/whole-packs.server.ts'
import { hourly } from '#server/public/jobs.ts'

export const packsHooks: ModuleHooks = {
  documents: [packHooks, unpackHooks],
  records: [
    packTemplateRules,
    packTemplateLineRules,
    madePackRules,
    operationKitRules,
    operationKitLineRules,
    madeKitRules,
    madeKitLineRules,
    publishedTemplateRules,
  ],
  actionChecks: [wholePackCheck, kitCheck],
  jobs: [hourly('deliver_templates', '平台模板下发', ({ app, owner }) => deliverPushes(app, owner))],
}
