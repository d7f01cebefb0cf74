import { BusinessError } from '#kernel/rules/errors.ts'
import { applyAction, type ActionInput, openAction } from '#server/documents/action/apply.ts'
import type { LineInput } from '#server/documents/lines/complete.ts'
import { createSystemDraft } from '#server/documents/draft/system-draft.ts'
import { definitionOf } from '#server/documents/sources/open-source.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

/** Takes an existing document up to its review, in the name of `session`. Returns the state reached. */
export async function submitAndReview(tx: Tx, session: Session, kind: string, sn: string): Promise<string> {
  const definition = definitionOf(kind)
  const [row] = await tx<{ version: number; state: string }[]>`
    select version, state from document where org_id = ${session.org.id} and kind = ${kind} and sn = ${sn}
      and role = 'own' and state <> 'deleted'`
  let { version, state } = row ?? { version: 0, state: 'draft' }
  for (const action of ['submit', 'review'])
    if (definition.actions[action]?.from.includes(state as never))
      ({ version, state } = await applyAction(await openAction(tx, session, definition, action, { sn, version })))
  return state
}

/**
 * Creates a document that follows from a device event, and books it by the same path as a user would. Returns its
 * number.
 */
export async function createAndReview(
  tx: Tx,
  session: Session,
  kind: string,
  header: Readonly<Record<string, unknown>>,
  lines: readonly LineInput[],
): Promise<string> {
  const sn = await createSystemDraft(tx, session, kind, header, lines)
  await submitAndReview(tx, session, kind, sn)
  return sn
}

/** Runs an action on an existing document, by the path of every action and with the user's rights. */
export async function runAction(
  tx: Tx,
  session: Session,
  kind: string,
  sn: string,
  action: string,
  body: ActionInput = {},
): Promise<void> {
  const definition = definitionOf(kind)
  // The other side of a document acts on its own copy.
  const role = definition.actions[action]?.by === 'counterparty' ? 'counterparty' : 'own'
  const [row] = await tx<{ version: number }[]>`
    select version from document where org_id = ${session.org.id} and kind = ${kind} and sn = ${sn} and role = ${role}
      and state <> 'deleted' order by id desc limit 1`
  await applyAction(await openAction(tx, session, definition, action, { ...body, sn, version: row?.version ?? 0 }))
}

type OnEach = {
  readonly kind: string
  readonly action: string
  /** The answers to the action's dialog, for a document. */
  readonly asked?: (sn: string) => ActionInput
}

/** The number of reasons in a sentence about refusals. */
const REASONS_SHOWN = 5

/** The end of a sentence: how many documents it was not done to, and why (`，2张未催：…`); empty where there are none. */
export const notDoneTo = (refused: readonly string[], what: string): string =>
  refused.length > 0 ? `，${refused.length}张${what}：${refused.slice(0, REASONS_SHOWN).join('；')}` : ''

/**
 * Runs an action on each of some documents, with the user's rights: a refusal of one does not stop the others. Returns
 * the numbers that it was done to, and of the others number and reason; refuses where it was done to none.
 */
export async function runOnEach(
  tx: Tx,
  session: Session,
  { kind, action, asked = () => ({}) }: OnEach,
  among: readonly string[],
): Promise<{ readonly sns: readonly string[]; readonly refused: readonly string[] }> {
  const sns: string[] = []
  const refused: string[] = []
  for (const sn of among) {
    try {
      await tx.savepoint(inner => runAction(inner, session, kind, sn, action, asked(sn)))
      sns.push(sn)
    } catch (error) {
      if (!(error instanceof BusinessError)) throw error
      refused.push(error.message.includes(sn) ? error.message : `${sn}：${error.message}`)
    }
  }
  if (sns.length === 0) throw new BusinessError('rule', refused.slice(0, REASONS_SHOWN).join('；'))
  return { sns, refused }
}
