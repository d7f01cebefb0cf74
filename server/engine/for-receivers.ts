import type { AnyDocument } from '#kernel/document.ts'
import type { Screen } from '#kernel/screen.ts'
import type { Operation } from '#server/engine/menu-tree.ts'

/** What is done on a copy is no right of those whose page shows their own papers of the kind. */
export const forReceivers =
  ({ actions, keptBy }: AnyDocument, { orgs, where }: Screen) =>
  (operation: Operation): Operation =>
    actions[operation.flag]?.by === 'counterparty' && where?.role !== 'counterparty'
      ? { ...operation, orgs: [...orgs].filter(org => !keptBy.includes(org)).join('') }
      : operation
