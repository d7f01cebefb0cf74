import type { AnyDocument } from '#kernel/definition/document.ts'
import { BusinessError, ColumnsRequired } from '#kernel/rules/errors.ts'
import { type ActionInput, openAction, checkBeforeDialog } from '#server/documents/action/apply.ts'
import { refuseOtherNames } from '#server/access/untrusted-input.ts'
import { may, type Session } from '#server/access/session.ts'
import { inOrganisation, type Tx } from '#server/database/transaction.ts'
import type { Sql } from 'postgres'

/** Ends a trial run: everything is rolled back. */
class Tried extends Error {}

/** Why one action would be refused now, or null. */
async function refusalOf(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  action: string,
  body: ActionInput,
): Promise<string | null> {
  try {
    await tx.savepoint(async inner => {
      await checkBeforeDialog(await openAction(inner, session, definition, action, { ...body, reason: '试' }))
      throw new Tried()
    })
  } catch (error) {
    // A file whose columns are unknown blocks nothing: the user who acts is asked for them.
    if (error instanceof ColumnsRequired) return null
    if (error instanceof BusinessError) return error.message
    if (!(error instanceof Tried)) throw error
  }
  return null
}

/**
 * Which of the actions that a document's state allows would be refused, and with which message: by pure guards and
 * by database rules alike, checked on the same path as the actions themselves and rolled back. Changes nothing.
 */
export async function blockedActions(
  sql: Sql,
  session: Session,
  definition: AnyDocument,
  body: ActionInput,
): Promise<Record<string, string>> {
  const { state, role: asked, ...which } = body
  refuseOtherNames(which, ['sn', 'version', 'source_org_sn'])
  const refused: Record<string, string> = {}
  const role = asked === 'counterparty' ? 'counterparty' : 'own'
  const trials = Object.entries(definition.actions).filter(
    ([name, spec]) =>
      (spec.by === 'counterparty') === (role === 'counterparty') &&
      spec.from.includes(String(state) as never) &&
      may(session, `${definition.kind}.${name}`),
  )
  try {
    await inOrganisation(sql, session.org.id, session.userId, async tx => {
      for (const [name] of trials) {
        const because = await refusalOf(tx, session, definition, name, which)
        if (because !== null) refused[name] = because
      }
      throw new Tried()
    })
  } catch (error) {
    if (!(error instanceof Tried)) throw error
  }
  return refused
}
