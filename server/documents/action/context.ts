import type { ActionSpec, AnyDocument, DocumentDefinition } from '#kernel/definition/document.ts'
import type { Fields } from '#kernel/definition/field.ts'
import type { BusinessError, Question } from '#kernel/rules/errors.ts'
import type { State } from '#kernel/definition/document-state.ts'
import { requireConfirmation } from '#server/access/confirmation.ts'
import type { DocumentMessage } from '#server/documents/intercompany/outbox.ts'
import type { ApprovalPolicy } from '#server/documents/approval/levels.ts'
import type { Settings } from '#kernel/definition/setting.ts'
import type { StoredDocument, TypedDocument } from '#server/documents/repository/document.ts'
import type { Fragment } from '#server/records/hooks.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

/** Notes that the reply and the history show beside the result, with the pages on which each may be changed. */
export type ActionNotes = Map<string, readonly string[]>

/** One action on one document, inside its transaction. The modules' rules read it and may ask questions. */
export type ActionContext<D extends StoredDocument = StoredDocument> = {
  readonly tx: Tx
  readonly session: Session
  readonly definition: AnyDocument
  readonly doc: D
  readonly action: string
  readonly spec: ActionSpec<never>
  readonly settings: Settings
  /** The organisation's approval rules for such documents; null where none are set. */
  readonly approvalPolicy: ApprovalPolicy | null
  /** The action's name in the history, where it differs from the definition's. */
  readonly label?: string
  readonly reason: string | null
  readonly body: Readonly<Record<string, unknown>>
  readonly warnings: Question[]
  readonly notes: ActionNotes
  /**
   * Holds one condition among several: at submit and in the preview its refusal is kept while the others are asked, so
   * that everything that is missing is said at once; elsewhere the first refusal ends the action.
   */
  readonly hold: (condition: () => void | Promise<void>) => Promise<void>
  /** Set by the preview: refusals are collected here, so that all are shown at once. */
  readonly collectedErrors?: BusinessError[]
  /** Own header fields that the action's dialog asked for. */
  readonly dialogValues?: Readonly<Record<string, unknown>>
  /**
   * Runs a follow-up action on another document of the organisation, in the same transaction and under the same
   * name: 调入收货 reviews the waiting receipt.
   */
  readonly runAction: (kind: string, sn: string, action: string) => Promise<void>
}

/** A condition that a module asks of every document at submit and review, whatever its kind. */
export type ActionCheck = {
  /** Reads what the check will need, sent together with what the others ask. */
  readonly prefetch?: (ctx: ActionContext) => Promise<unknown> | null
  /** Throws a refusal, or adds to the questions. */
  readonly check: (ctx: ActionContext) => void | Promise<void>
}

/**
 * A condition of a kind; several are asked one by one, whatever the others answer. A refusal of the review is made at
 * submit already, unless the condition is `atReviewOnly`.
 */
export type Condition<D extends StoredDocument = StoredDocument> = ((ctx: ActionContext<D>) => void | Promise<void>) & {
  readonly atReviewOnly?: true
}

/** Marks a condition about who reviews, or about what people do with a document while it waits. */
export const atReviewOnly = <D extends StoredDocument>(
  condition: (ctx: ActionContext<D>) => void | Promise<void>,
): Condition<D> => Object.assign((ctx: ActionContext<D>) => condition(ctx), { atReviewOnly: true as const })

/** The part of a module in an action: conditions that need the database, and additional writes. */
export type DocumentHooks<D extends StoredDocument = StoredDocument, A extends string = string> = {
  readonly kind: string
  /** The document as checked and processed: with values that the system fills in at this action. */
  readonly prepare?: { readonly [N in A]?: (ctx: ActionContext<D>) => Promise<StoredDocument> }
  /** Before anything is written; throws refusals, pushes questions. */
  readonly validate?: { readonly [N in A]?: Condition<D> | readonly Condition<D>[] }
  /** Why it needs a second audit level, however small its amount; null where the amount alone decides. */
  readonly secondLevel?: (ctx: ActionContext<D>) => string | null
  /** After a user edited an own draft, in the same transaction: consequences of the edit. */
  readonly afterEdit?: (tx: Tx, session: Session, before: D) => Promise<void>
  /**
   * After a draft was created or edited, by a user or by another action, in the same transaction: what the system
   * writes beside it.
   */
  readonly afterSave?: (tx: Tx, session: Session, sn: string) => Promise<void>
  /** After a draft was deleted, in the same transaction: what stood for it elsewhere. */
  readonly afterDelete?: (tx: Tx, session: Session, deleted: StoredDocument) => Promise<void>
  /** In the same transaction, after the ledgers; it may return the document's new state. */
  readonly afterAction?: { readonly [N in A]?: (ctx: ActionContext<D>) => Promise<void | State> }
  /** Once the new state is written, in the same transaction: documents that take from this one. */
  readonly afterState?: { readonly [N in A]?: (ctx: ActionContext<D>) => Promise<void> }
  /** Extra fields for its printed sheet; `info` is the document as it will be printed, `route` the sheet's. */
  readonly printFields?: (
    tx: Tx,
    session: Session,
    info: Readonly<Record<string, unknown>>,
    route: string | null,
  ) => Promise<Readonly<Record<string, unknown>>>
  /** What the sheet says of its lines, beside those fields; asked again for a copy with some of them (`isPart`). */
  readonly printTotals?: (
    info: Readonly<Record<string, unknown>>,
    route: string | null,
    isPart: boolean,
  ) => Readonly<Record<string, unknown>>
  /** Consequences of the other side's action on our document, in the receiving transaction; by action name. */
  readonly onPartnerAction?: Readonly<Record<string, (tx: Tx, session: Session, doc: D, from: string) => Promise<void>>>
  /** Consequences of the other side's change to our copy, in the receiving transaction. */
  readonly onUpdated?: (tx: Tx, session: Session, copy: string) => Promise<void>
  /**
   * Creates what follows from another organisation's document when it arrives, where the definition does not say so.
   */
  readonly onReceived?: (
    tx: Tx,
    session: Session,
    from: { readonly org: string; readonly name: string },
    copy: D,
    message: DocumentMessage,
  ) => Promise<{ readonly kind: string; readonly sn: string } | null>
  /**
   * Source lines that may be taken are these alone, whatever counts on them: rows of document_id, line_no,
   * counterparty_id, left, price, tax_rate, taxed_amount and unit_codes.
   */
  readonly openLines?: (tx: Tx, session: Session) => Fragment
  /**
   * Completes documents whose kind `completesLater`. It is asked whenever progress moved on such a document, or on
   * documents of the kinds in `after`, which it follows. Both functions answer ids, in one statement for all of them.
   */
  readonly completion?: {
    readonly after: readonly string[]
    readonly behind: (tx: Tx, org: string, ids: readonly string[]) => Promise<readonly string[]>
    readonly complete: (tx: Tx, org: string, ids: readonly string[]) => Promise<readonly string[]>
  }
  /** Own calls of this kind (`settlement/generate`). */
  readonly calls?: Readonly<
    Record<
      string,
      (tx: Tx, session: Session, body: Readonly<Record<string, unknown>>) => Promise<Record<string, unknown>>
    >
  >
}

/**
 * The hooks of a kind, whose documents have the fields of its definition: one that reads a field which the kind lacks
 * does not compile.
 */
export const documentHooks = <K extends string, H extends Fields, L extends Fields, A extends string>(
  definition: DocumentDefinition<K, H, L, A>,
  hooks: Omit<DocumentHooks<TypedDocument<DocumentDefinition<K, NoInfer<H>, NoInfer<L>, A>>, NoInfer<A>>, 'kind'>,
): DocumentHooks => ({ kind: definition.kind, ...hooks }) as unknown as DocumentHooks

/** An action on a document of a kind: `ContextOf<typeof purchaseOrder>`. */
export type ContextOf<D extends { readonly header: Fields; readonly lines: Fields }> = ActionContext<TypedDocument<D>>

/** Continues when the call confirmed exactly these questions; otherwise asks them. */
export function requireActionConfirmation(ctx: ActionContext): readonly string[] {
  const { session, doc, action, warnings: questions } = ctx
  return requireConfirmation([session.userId, doc.id, doc.version, action], questions, ctx.body.confirm)
}
