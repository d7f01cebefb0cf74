import type { Book, Regime } from '#kernel/definition/document.ts'
import type { Purpose } from '#kernel/definition/progress.ts'
import type { Id } from '#kernel/definition/field.ts'
import type { Posting } from '#kernel/ledger/posting.ts'
import type { State } from '#kernel/definition/document-state.ts'

/**
 * One step of progress passed upward. `source`: the exact line that the source line was made from (a payment reaches
 * the invoice behind its application), in the measure of the take. `back`: given back there instead of taken.
 */
export type ProgressRollup = {
  readonly via: 'order' | 'delivery' | 'source'
  readonly purpose: Purpose
  readonly givenBack?: boolean
  /** More than the remaining quantity may be counted, by the percentage that the organisation allows (超订单入库比例). */
  readonly withTolerance?: boolean
  /** Only where this own flag of the document is set: goods returned for exchange count as not received. */
  readonly ifFlag?: string
  /**
   * Only for goods that came by a delivery of another organisation, or whose source was made from a document of this
   * kind.
   */
  readonly ifFrom?: string
  /** The message when taking the document back would count more there than exists. */
  readonly overdrawnMessage?: string
}

/** A document of the same organisation that is created from this one. */
export type FollowUpRule = {
  readonly on: 'submit' | 'review'
  readonly kind: string
  readonly state: 'draft' | 'submitted'
  /** Only where this switch of the organisation is on. */
  readonly when?: string
}

/**
 * The draft created for the owner of a document by the other side's answer, made as a user would make it from the
 * document.
 */
export type AnswerFollowUp = {
  readonly kind: string
  /** Own header fields of the created document. */
  readonly header?: Readonly<Record<string, string>>
  /** Those of them with other wording where the document was stopped rather than refused. */
  readonly stopped?: Readonly<Record<string, string>>
}

/** A document that another one names in its header; `label` is the button on its page. */
export type NamedSource = {
  readonly from: string
  readonly field: string
  readonly label: string
  readonly states?: readonly State[]
  readonly headerMap?: Readonly<Record<string, string>>
}

/** A way to make a document from another one. */
export type SourceRule = {
  /** The definition whose lines are used. */
  readonly from: string
  readonly sourceType: number
  readonly purpose: Purpose
  /** The unit counted on the source line; default quantity. */
  readonly basis?: 'quantity' | 'amount'
  /** Own line field with money that counts besides the line's amount: what is let off settles as well (折让). */
  readonly alsoAmount?: string
  /** The action at which progress counts; default review. */
  readonly countedAt?: 'submit' | 'review'
  /** The source is another organisation's document: its copy here is the source, and its owner is notified. */
  readonly fromCounterparty?: boolean
  /** Progress passed upward, along the order or delivery that the source line came from. */
  readonly rollup?: readonly ProgressRollup[]
  /** Purposes that share the same remaining quantity: what is allocated can no longer be issued directly. */
  readonly sharesLimitWith?: readonly Purpose[]
  /** Counted for these as well, each within its own limit: what is paid without an application is not applied for. */
  readonly alsoCounts?: readonly Purpose[]
  /** Counts on the copy only: its owner counts by a document of its own. */
  readonly localOnly?: boolean
  /** More than the remaining quantity may be taken, by the percentage that the organisation allows (超订单入库比例). */
  readonly withTolerance?: boolean
  /** The message when more is taken than is left; `{n}` is the remaining quantity. */
  readonly overdrawnMessage?: string
  /**
   * The message for a source that is not ready (draft, waiting); `{sn}` is its number, `{from}` that of the document
   * behind it.
   */
  readonly notReadyMessage?: string
  /** The same where an own header field of the source says why it is not ready: the other side disputes it. */
  readonly notReadyWhen?: { readonly field: string; readonly is: string; readonly message: string }
  /** Own line field of the source that names a line's partner, where the source itself has none (a plan). */
  readonly partnerField?: string
  /** The label users choose it by, where the kind of the source is not clear enough. */
  readonly label?: string
  /** What the page of the source calls creating the document, where its title would not do (转预销售). */
  readonly createLabel?: string
  /** The name in `sources?for=`. */
  readonly for: string
  /** Listed from the newest document to the oldest; default oldest first. */
  readonly newestFirst?: boolean
  /** Exactly the source's goods are moved: its lot, pieces, quality and owner, wherever in the store they are now. */
  readonly sameUnits?: boolean
  /** The goods are stored in the store that the source brought them to, under the source's number. */
  readonly stockedUnderSource?: boolean
  /** The goods still in transit under the source are used, not those that arrived. */
  readonly inTransitOnly?: boolean
  /** The lines have the opposite sign: a red invoice over what was returned. */
  readonly negates?: boolean
  /** Own line fields that hold the source line's total quantity and what was left of it. */
  readonly snapshot?: { readonly whole: string; readonly left: string }
  /**
   * Own line field, in the line's unit, with the quantity that still reserves its source once the document is done
   * (what an enquiry awarded).
   */
  readonly retained?: string
  /** It uses nothing up: the source may be used again, in full (a correction). */
  readonly nonConsuming?: boolean
  /** One document may have several sources (settlement, invoice, payment lines). */
  readonly multipleSources?: boolean
  /**
   * States of the source from which documents may be made; default reviewed, partial (and completed for purposes
   * other than the main one).
   */
  readonly states?: readonly State[]
  /** Follow-ups use the exact balance that the source line names: its owner, location and quality. */
  readonly sameBalance?: boolean
  /** Own line fields that are not copied though the source line has them; `price`: it is determined again. */
  readonly dropsFields?: readonly string[]
  /** Own header fields of the follow-up with fixed values for this source. */
  readonly headerDefaults?: Readonly<Record<string, string>>
  /** Header fields copied besides counterparty, warehouse and regime; own name → the source's name. */
  readonly headerMap?: Readonly<Record<string, string>>
  /** Only sources that meet this are offered; a SQL condition over `d` (the source's document). */
  readonly regime?: Regime
  /**
   * Only lines where own fields of document or line hold one of these values may be used; `says` is the message for
   * any other.
   */
  readonly eligible?: {
    readonly header?: Readonly<Record<string, readonly string[]>>
    readonly line?: Readonly<Record<string, readonly string[]>>
    readonly message: string
  }
}

/**
 * Besides its source, a line may deal with a line of another document of the organisation, named by own fields of
 * the line: blocked goods returned to their supplier come from their receipt, and close the block.
 */
export type SecondaryTarget = {
  readonly kind: string
  /** That document is another organisation's: its copy here is counted on, and its owner is not notified. */
  readonly fromCounterparty?: true
  /** Own line fields with the number of that document and its line. */
  readonly sn: string
  readonly line: string
  readonly purpose: Purpose
  /** The unit counted there; default quantity. */
  readonly basis?: 'quantity' | 'amount'
  readonly sharesLimitWith?: readonly Purpose[]
  readonly overdrawnMessage?: string
  /** States in which that document may be used up; as of a source. */
  readonly states?: NonNullable<SourceRule['states']>
}

/** A copy that another organisation receives when this document reaches a certain point. */
export type CopyRule<D> = {
  readonly on: 'submit' | 'review'
  /** Default: the counterparty. Null: no one. */
  readonly recipient?: (doc: D) => Id<'organisation'> | null
  /** The document created at the receiver from the copy; chosen by the receiver's rules where specified. */
  readonly creates?: {
    readonly kind: string
    readonly state: 'draft' | 'submitted'
    readonly alternative?: { readonly rule: string; readonly kind: string }
    /** Header fields of the created document that have another name on the copy; own name → the copy's. */
    readonly headerMap?: Readonly<Record<string, string>>
  }
  /** Header fields sent to the receiver besides the common ones. Patient fields can never be among them. */
  readonly header?: readonly string[]
  readonly lines?: readonly string[]
  /** Its files are sent with it: the receiver may open them, and no one else. */
  readonly attachments?: boolean
  /** Lines the receiver may see; default all. */
  readonly lineFilter?: (
    line: D extends { readonly lines: readonly (infer L)[] } ? L : never,
    receiver: Id<'organisation'>,
  ) => boolean
  /** Additional receivers: the owners of the lines. */
  readonly toOwners?: boolean
  /**
   * A report: it goes to those whom the module names for its lines. After a reversal it stays, and another with a minus
   * follows it, under a title of its own and with the moment in `momentField`.
   */
  readonly reports?: { readonly momentField: string; readonly reversedTitle: string }
  /** Additional receivers: the organisations named in this own header field. None of them sees the others. */
  readonly toAll?: string
  /** The owner of the goods is sent too: the receiver keeps goods of a third party as that party's. */
  readonly keepsOwnership?: boolean
  /** No free text is sent: no remark of document or line, as it may contain internal information. */
  readonly withoutRemarks?: boolean
  /** Amounts and prices are not sent. */
  readonly hidePrices?: boolean
  /** Information only: no document is made from this copy. */
  readonly informational?: boolean
  /** The entries that the receiver books when the copy arrives; reversed exactly when the copy is withdrawn. */
  readonly receiverPosts?: (doc: D, book: Book) => Posting
  /** The receiver books its half by an answer: once own header fields have one of these values, both have it. */
  readonly agreedWhen?: Readonly<Record<string, readonly string[]>>
  /**
   * For a copy sent at submit: it is in force at the receiver once its owner has reviewed the document; `posts` is what
   * the receiver books then. Taken back, both are gone, and the receiver has the copy of a waiting document again; with
   * `staysSent` the receiver keeps the copy, and undoes only what it booked at the review, once its owner has; such a
   * document is reversed as a whole, and the receiver's copy goes after its owner's side.
   */
  readonly reviewed?: {
    readonly posts: (doc: D, book: Book) => Posting
    readonly label: string
    readonly text: string
    readonly staysSent?: true
  }
  /**
   * The action of the receiver by which the document goes back to its author where the receiver cannot book what
   * arrived: the goods are not there any more.
   */
  readonly refusedBy?: string
  /** Counted on the receiver's own order behind each line when the copy arrives (goods are in transit). */
  readonly countsAs?: Purpose
  /**
   * When the sender stops the document, the goods that the receiver neither received nor refused count there as refused
   * by this purpose, and come back.
   */
  readonly onStopCountsAs?: Purpose
  /** The advice to the sender, who cannot take it back once the other side has received. */
  readonly recallMessage?: string
  /** Text of the realtime message at the receiver. */
  readonly message?: { readonly title: string; readonly uri: string }
}
