import type { ActionSpec, AnyDocument } from '#kernel/document.ts'
import type { Question, Refusal } from '#kernel/refusal.ts'
import type { State } from '#kernel/state.ts'
import { mustConfirm } from '#server/engine/confirmation.ts'
import type { PaperMessage } from '#server/engine/documents/hand-over.ts'
import type { Signing } from '#server/engine/documents/levels.ts'
import type { Settings } from '#kernel/setting.ts'
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
  /** Does what follows on another paper of the house, in the same transaction and under the same name: 调入收货 reviews the receipt that waits. */
  readonly carryOut: (kind: string, sn: string, action: string) => Promise<void>
  /** Follow-ups and ledger rows, for the rehearsal. */
  readonly written: { stock: unknown[]; entries: unknown[]; events: unknown[]; followUps: unknown[] }
}

/** A condition that a module asks of every document at submit and review, whatever its kind. */
export type ActionCheck = {
  /** Reads what the check will need, sent together with what the others ask. */
  readonly prefetch?: (acting: Acting) => Promise<unknown> | null
  /** Throws a refusal, or adds to the questions. */
  readonly check: (acting: Acting) => void | Promise<void>
}

/** What a room adds to an action: conditions that need the database, and what else must be written. */
export type DocumentRules = {
  readonly kind: string
  /** The paper as it is to be judged and done: what the house fills in by itself at this action. */
  readonly prepare?: Readonly<Record<string, (acting: Acting) => Promise<StoredDoc>>>
  /** Before anything is written; throws refusals, pushes questions. */
  readonly before?: Readonly<Record<string, (acting: Acting) => Promise<void>>>
  /** After somebody wrote into a draft of his, in the same transaction: what follows from what he wrote. */
  readonly edited?: (tx: Tx, session: Session, before: StoredDoc) => Promise<void>
  /** After a draft was written or edited, by a person or by another deed, in the same transaction: what the house writes beside it. */
  readonly written?: (tx: Tx, session: Session, sn: string) => Promise<void>
  /** In the same transaction, after the ledgers; it may say in which state the paper then is. */
  readonly after?: Readonly<Record<string, (acting: Acting) => Promise<void | State>>>
  /** What its printed sheet says beyond the paper itself; `info` is the paper as it will be printed, `route` the sheet's. */
  readonly print?: (
    tx: Tx,
    session: Session,
    info: Readonly<Record<string, unknown>>,
    route: string | null,
  ) => Promise<Readonly<Record<string, unknown>>>
  /** What follows here from what the other side did to our paper, in the receiving transaction; by the name of its act. */
  readonly heard?: Readonly<Record<string, (tx: Tx, session: Session, doc: StoredDoc, from: string) => Promise<void>>>
  /** What is laid here when a paper of another organisation arrives whose definition does not say it by itself. */
  readonly arrived?: (
    tx: Tx,
    session: Session,
    from: { readonly org: string; readonly name: string },
    copy: StoredDoc,
    message: PaperMessage,
  ) => Promise<{ readonly kind: string; readonly sn: string } | null>
  /** Own calls of this kind (`settlement/generate`). */
  readonly calls?: Readonly<
    Record<
      string,
      (tx: Tx, session: Session, body: Readonly<Record<string, unknown>>) => Promise<Record<string, unknown>>
    >
  >
}

/** Goes on when the call brought the confirmation of exactly these questions; else asks. */
export function mustBeConfirmed(acting: Acting): readonly string[] {
  const { session, doc, action, questions } = acting
  return mustConfirm([session.userId, doc.id, doc.version, action], questions, acting.body.confirm)
}
