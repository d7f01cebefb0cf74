import type { ActionSpec, AnyDocument } from '#kernel/definition/document.ts'
import type { Question, BusinessError } from '#kernel/rules/errors.ts'
import type { State } from '#kernel/definition/document-state.ts'
import { requireConfirmation } from '#server/access/confirmation.ts'
import type { DocumentMessage } from '#server/documents/intercompany/outbox.ts'
import type { ApprovalPolicy } from '#server/documents/approval/levels.ts'
import type { Settings } from '#kernel/definition/setting.ts'
import type { StoredDocument } from '#server/documents/repository/document.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

/** One action on one paper, inside its transaction. Rooms' rules read it and may ask. */
export type ActionContext = {
  readonly tx: Tx
  readonly session: Session
  readonly definition: AnyDocument
  readonly doc: StoredDocument
  readonly action: string
  readonly spec: ActionSpec<never>
  readonly settings: Settings
  /** How the organisation wants such papers to be signed; null where nobody said. */
  readonly approvalPolicy: ApprovalPolicy | null
  /** What the history calls the action, where it is not what the definition calls it. */
  readonly label?: string
  readonly reason: string | null
  readonly body: Readonly<Record<string, unknown>>
  readonly warnings: Question[]
  /** Given by the rehearsal: refusals are gathered here, so that all are told at once. */
  readonly collectedErrors?: BusinessError[]
  /** Own header fields that the action's dialog asked for. */
  readonly dialogValues?: Readonly<Record<string, unknown>>
  /** Does what follows on another paper of the house, in the same transaction and under the same name: 调入收货 reviews the receipt that waits. */
  readonly runAction: (kind: string, sn: string, action: string) => Promise<void>
  /** Follow-ups and ledger rows, for the rehearsal. */
  readonly written: { stock: unknown[]; entries: unknown[]; events: unknown[]; followUps: unknown[] }
}

/** A condition that a module asks of every document at submit and review, whatever its kind. */
export type ActionCheck = {
  /** Reads what the check will need, sent together with what the others ask. */
  readonly prefetch?: (ctx: ActionContext) => Promise<unknown> | null
  /** Throws a refusal, or adds to the questions. */
  readonly check: (ctx: ActionContext) => void | Promise<void>
}

/** What a room adds to an action: conditions that need the database, and what else must be written. */
export type DocumentHooks = {
  readonly kind: string
  /** The paper as it is to be judged and done: what the house fills in by itself at this action. */
  readonly prepare?: Readonly<Record<string, (ctx: ActionContext) => Promise<StoredDocument>>>
  /** Before anything is written; throws refusals, pushes questions. */
  readonly validate?: Readonly<Record<string, (ctx: ActionContext) => Promise<void>>>
  /** After somebody wrote into a draft of his, in the same transaction: what follows from what he wrote. */
  readonly afterEdit?: (tx: Tx, session: Session, before: StoredDocument) => Promise<void>
  /** After a draft was written or edited, by a person or by another deed, in the same transaction: what the house writes beside it. */
  readonly afterSave?: (tx: Tx, session: Session, sn: string) => Promise<void>
  /** In the same transaction, after the ledgers; it may say in which state the paper then is. */
  readonly afterAction?: Readonly<Record<string, (ctx: ActionContext) => Promise<void | State>>>
  /** What its printed sheet says beyond the paper itself; `info` is the paper as it will be printed, `route` the sheet's. */
  readonly printFields?: (
    tx: Tx,
    session: Session,
    info: Readonly<Record<string, unknown>>,
    route: string | null,
  ) => Promise<Readonly<Record<string, unknown>>>
  /** What follows here from what the other side did to our paper, in the receiving transaction; by the name of its act. */
  readonly onPartnerAction?: Readonly<
    Record<string, (tx: Tx, session: Session, doc: StoredDocument, from: string) => Promise<void>>
  >
  /** What is laid here when a paper of another organisation arrives whose definition does not say it by itself. */
  readonly onReceived?: (
    tx: Tx,
    session: Session,
    from: { readonly org: string; readonly name: string },
    copy: StoredDocument,
    message: DocumentMessage,
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
export function requireActionConfirmation(ctx: ActionContext): readonly string[] {
  const { session, doc, action, warnings: questions } = ctx
  return requireConfirmation([session.userId, doc.id, doc.version, action], questions, ctx.body.confirm)
}
