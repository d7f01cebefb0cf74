import type { AnyDocument } from '#kernel/definition/document.ts'
import type { Screen } from '#kernel/definition/screen.ts'
import type { Operation } from '#server/menu/menu.ts'

/** Actions done on a copy are not rights of users whose page shows their own documents of the kind. */
export const onlyForCounterparty =
  ({ actions, ownerTypes: keptBy }: AnyDocument, { orgs, where }: Screen) =>
  (operation: Operation): Operation =>
    actions[operation.flag]?.by === 'counterparty' && where?.role !== 'counterparty'
      ? { ...operation, orgs: [...orgs].filter(org => !keptBy.includes(org)).join('') }
      : operation
