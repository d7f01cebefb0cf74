import type { AnyEntity } from '#kernel/definition/entity.ts'
import { type OrgType } from '#kernel/values/organisation-type.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { requirePermission, type Session } from '#server/access/session.ts'

/** Organisation types that may write a definition's rows: those it names, else those that have a page of it. */
const writersOf = (definition: AnyEntity): string =>
  definition.writers ?? definition.screens.map(screen => screen.orgs).join('')

/** Refuses users who may not do this to records of this kind at all. */
export function mustMayWrite(session: Session, definition: AnyEntity, action: string): void {
  if (definition.readOnly || !writersOf(definition).includes(session.org.type satisfies OrgType))
    throw new BusinessError('forbidden')
  requirePermission(session, definition.under ? `${definition.under}.edit` : `${definition.kind}.${action}`)
}
