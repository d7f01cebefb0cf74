import type { ModuleHooks } from '#server/public/hooks.ts'
import { lossDocumentRules } from '#modules/goods/losses/losses.server.ts'

export const lossesHooks: ModuleHooks = {
  documents: lossDocumentRules,
}
