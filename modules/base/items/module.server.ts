import type { ModuleHooks } from '#server/public/hooks.ts'
import { specificationFacts } from '#modules/base/items/item-data.server.ts'

export const itemsHooks: ModuleHooks = {
  itemData: specificationFacts,
}
