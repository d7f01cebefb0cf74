import { createHash } from 'node:crypto'
import type { ActionSpec, AnyDocument } from '#kernel/document.ts'
import { type Question, type Refusal, Unconfirmed } from '#kernel/refusal.ts'
import type { Signing } from '#server/engine/documents/levels.ts'
import type { Settings } from '#server/engine/documents/settings.ts'
import type { StoredDoc } from '#server/engine/documents/stored.ts'
import type { Session } from '#server/engine/session.ts'
import type { Tx } from '#server/engine/transaction.ts'

/** One action on one paper, inside its transaction. Rooms' rules read it and may ask. */
export type Acting = {
  readonly tx: Tx
  readonly session: Session
  readonly definition: AnyDocument
  readonly doc: StoredDoc
  readonly action: string
  readonly spec: ActionSpec<never>
  readonly settings: Settings
  /** How the organisation wants such papers to be signed; null where nobody said. */
  readonly signing: Signing | null
  /** What the history calls the action, where it is not what the definition calls it. */
  readonly label?: string
  readonly reason: string | null
  readonly body: Readonly<Record<string, unknown>>
  readonly questions: Question[]
  /** Given by the rehearsal: refusals are gathered here, so that all are told at once. */
  readonly gathered?: Refusal[]
  /** Own header fields that the action's dialog asked for. */
  readonly answers?: Readonly<Record<string, unknown>>
  /** Follow-ups and ledger rows, for the rehearsal. */
  readonly written: { stock: unknown[]; entries: unknown[]; events: unknown[]; followUps: unknown[] }
}

/** What a room adds to an action: conditions that need the database, and what else must be written. */
export type DocumentRules = {
  readonly kind: string
  /** The paper as it is to be judged and done: what the house fills in by itself at this action. */
  readonly prepare?: Readonly<Record<string, (acting: Acting) => Promise<StoredDoc>>>
  /** Before anything is written; throws refusals, pushes questions. */
  readonly before?: Readonly<Record<string, (acting: Acting) => Promise<void>>>
  /** In the same transaction, after the ledgers. */
  readonly after?: Readonly<Record<string, (acting: Acting) => Promise<void>>>
  /** Own calls of this kind (`settlement/generate`). */
  readonly calls?: Readonly<
    Record<
      string,
      (tx: Tx, session: Session, body: Readonly<Record<string, unknown>>) => Promise<Record<string, unknown>>
    >
  >
}

const TEN_MINUTES = 10

/** Bound to user, paper, version, action and that very set of questions; lives ten minutes. */
function tokenOf(acting: Acting, slot: number): string {
  const { session, doc, action, questions } = acting
  return createHash('sha256')
    .update(
      JSON.stringify([
        session.userId,
        doc.id,
        doc.version,
        action,
        questions.map(question => [question.rule, question.line ?? 0, question.msg]),
        slot,
      ]),
    )
    .digest('base64url')
    .slice(0, 32)
}

/** Goes on when the call brought the confirmation of exactly these questions; else asks. */
export function mustBeConfirmed(acting: Acting): readonly string[] {
  if (acting.questions.length === 0) return []
  const slot = Math.floor(Date.now() / 60_000)
  const sent = acting.body.confirm
  if (typeof sent === 'string' && sent !== '')
    for (let age = 0; age <= TEN_MINUTES; age++)
      if (tokenOf(acting, slot - age) === sent) return acting.questions.map(question => question.msg)
  throw new Unconfirmed(acting.questions, tokenOf(acting, slot))
}
