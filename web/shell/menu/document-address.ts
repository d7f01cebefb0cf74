import { useCallback } from 'react'
import { documentOf } from '#kernel/registry.ts'
import { showsKind } from '#kernel/rules/page-access.ts'
import { useSession } from '#web/engine/session/session.ts'
import { type Menu, useMenu } from '#web/shell/menu/menu.ts'
import { addressOf } from '#web/shell/menu/screen-index.ts'

/** True if a user with this menu may open documents of a kind. */
export function opensDocuments({ operations }: Pick<Menu, 'operations'>, kind: string): boolean {
  const definition = documentOf(kind)
  const flags = [...operations.values()].flatMap(each => [...each])
  return definition !== undefined && showsKind(definition, route => operations.has(route), flags)
}

/**
 * The address of a document for the signed-in user; null if this organisation has no page for the kind, or the user may
 * not open it: then nothing links to it.
 */
export function useDocumentAddress(): (kind: string, sn: string) => string | null {
  const org = useSession()?.orgType
  const { menu } = useMenu()
  return useCallback(
    (kind, sn) =>
      org !== undefined && opensDocuments(menu, kind)
        ? addressOf(kind, sn, org, {}, route => menu.operations.has(route))
        : null,
    [org, menu],
  )
}
