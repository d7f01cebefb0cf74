import type { Book, Regime } from '#kernel/definition/document.ts'
import type { Purpose } from '#kernel/definition/progress.ts'
import type { Id } from '#kernel/definition/field.ts'
import type { Posting } from '#kernel/ledger/posting.ts'
import type { State } from '#kernel/definition/document-state.ts'

/**
 * One step of progress that passes upward. `source`: the very line that the source line was taken from (a payment reaches the
 * invoice behind its application), in the measure of the take. `back`: given back there instead of taken.
 */
export type ProgressRollup = {
  readonly via: 'order' | 'delivery' | 'source'
  readonly purpose: Purpose
  readonly givenBack?: boolean
  /** More than there is may be counted, by the percent that the house allows (超订单入库比例). */
  readonly withTolerance?: boolean
  /** Only where this own flag of the paper is set: what goes back to be exchanged counts as not come. */
  readonly ifFlag?: string
  /** Only of goods that came by a delivery of another house, or whose source was made from a paper of this kind. */
  readonly ifFrom?: string
  /** What is said when taking the paper back would count more there than there is. */
  readonly overdrawnMessage?: string
}

/** A paper of the same house that comes into being from this one. */
export type FollowUpRule = {
  readonly on: 'submit' | 'review'
  readonly kind: string
  readonly state: 'draft' | 'submitted'
  /** Only where this switch of the house is on. */
  readonly when?: string
}

/** What is laid at the owner of a paper by the other side's answer, made from the paper as a person would make it. */
export type AnswerFollowUp = {
  readonly kind: string
  /** Own header fields of the laid paper. */
  readonly header?: Readonly<Record<string, string>>
  /** Those of it that read otherwise where the paper was stopped, and nobody refused anything. */
  readonly stopped?: Readonly<Record<string, string>>
}

/** A way to be made from another paper. */
export type SourceRule = {
  /** The definition whose lines are taken. */
  readonly from: string
  readonly sourceType: number
  readonly purpose: Purpose
  /** What is counted on the source line; default quantity. */
  readonly basis?: 'quantity' | 'amount'
  /** When progress counts; default review. */
  readonly countedAt?: 'submit' | 'review'
  /** The source is another organisation's paper: its copy here is taken from, and its owner is told. */
  readonly fromCounterparty?: boolean
  /** Progress that passes upward, along the order or the delivery that the source line came from. */
  readonly rollup?: readonly ProgressRollup[]
  /** Purposes that eat from the same rest: what is allocated can no longer be granted directly. */
  readonly sharesLimitWith?: readonly Purpose[]
  /** Counts on the copy alone: its owner counts by a paper of his own. */
  readonly localOnly?: boolean
  /** More than is left may be taken, by the percent that the house allows (超订单入库比例). */
  readonly withTolerance?: boolean
  /** What is said when more is taken than is left; `{n}` is the rest. */
  readonly overdrawnMessage?: string
  /** What is said of a source that is not there yet (draft, waiting); `{sn}` is its number, `{from}` that of the paper behind it. */
  readonly notReadyMessage?: string
  /** Own line field of the source that names the partner a line is meant for, where the source itself has none (a plan). */
  readonly partnerField?: string
  /** What people choose it by, where the kind of the source does not say it. */
  readonly label?: string
  /** The name in `sources?for=`. */
  readonly for: string
  /** Offered from the newest paper to the oldest; default the oldest first. */
  readonly newestFirst?: boolean
  /** The very goods of the source go: its lot, its pieces, their quality and whose they are, wherever in the store they lie by now. */
  readonly sameUnits?: boolean
  /** What is taken lies in the store that the source brought it to, under the source's number. */
  readonly stockedUnderSource?: boolean
  /** What is still on its way under the source is taken, not what arrived. */
  readonly inTransitOnly?: boolean
  /** What is taken stands on the lines with the other sign: a red invoice over what was returned. */
  readonly negates?: boolean
  /** Own line fields that say how much the source line has and what was left of it. */
  readonly snapshot?: { readonly whole: string; readonly left: string }
  /** Own line field, in the line's unit, that says how much of it still holds its source once the paper is done (what an enquiry awarded). */
  readonly retained?: string
  /** Nothing is used up by it: the source may be taken from again, and whole (a correction). */
  readonly nonConsuming?: boolean
  /** Several sources may stand on one paper (settlement, invoice, payment lines). */
  readonly multipleSources?: boolean
  /** States of the source from which may be taken; default reviewed, partial (and completed for other purposes than the main). */
  readonly states?: readonly State[]
  /** Follow-ups take from the very balance that the source line names: its owner, place and quality. */
  readonly sameBalance?: boolean
  /** Own line fields that begin anew, though the source line has them; `price`: it is asked of the house again. */
  readonly dropsFields?: readonly string[]
  /** What the follow-up is by where it comes from: own header fields with fixed values. */
  readonly headerDefaults?: Readonly<Record<string, string>>
  /** Header fields carried over besides counterparty, warehouse and regime; own name → the source's name. */
  readonly headerMap?: Readonly<Record<string, string>>
  /** Only sources for which this holds are offered; a SQL condition over `d` (the source's document). */
  readonly regime?: Regime
  /** Only lines of which own fields of paper or line hold one of these words may be taken; `says` is told of any other. */
  readonly eligible?: {
    readonly header?: Readonly<Record<string, readonly string[]>>
    readonly line?: Readonly<Record<string, readonly string[]>>
    readonly message: string
  }
}

/**
 * Besides its source a line may deal with a line of another paper of the house, which own fields of the line name: blocked goods that
 * go back to their supplier come from their receipt, and close the block.
 */
export type SecondaryTarget = {
  readonly kind: string
  /** Own line fields with the number of that paper and its line. */
  readonly sn: string
  readonly line: string
  readonly purpose: Purpose
  readonly sharesLimitWith?: readonly Purpose[]
  readonly overdrawnMessage?: string
}

/** What another organisation gets when this paper reaches a point of its life. */
export type CopyRule<D> = {
  readonly on: 'submit' | 'review'
  /** Default: the counterparty. Null: nobody. */
  readonly recipient?: (doc: D) => Id<'organisation'> | null
  /** The paper laid at the receiver, made from the copy; chosen by the receiver's rules where it says so. */
  readonly creates?: {
    readonly kind: string
    readonly state: 'draft' | 'submitted'
    readonly alternative?: { readonly rule: string; readonly kind: string }
    /** Header fields of the laid paper that the copy says under another name; own name → the copy's. */
    readonly headerMap?: Readonly<Record<string, string>>
  }
  /** Header fields meant for the receiver besides the common ones. Patient fields can never be among them. */
  readonly header?: readonly string[]
  readonly lines?: readonly string[]
  /** Its files go with it: the receiver may open them, and nobody else. */
  readonly attachments?: boolean
  /** Lines the receiver may see; default all. */
  readonly lineFilter?: (
    line: D extends { readonly lines: readonly (infer L)[] } ? L : never,
    receiver: Id<'organisation'>,
  ) => boolean
  /** Receivers beyond one: the owners of the lines. */
  readonly toOwners?: boolean
  /**
   * Receivers beyond one: whoever owned, supplied or made the goods of a line. Taken back in red, the report stands and another with a
   * minus follows it.
   */
  readonly reports?: boolean
  /** Receivers beyond one: the organisations that this own header field names. None of them learns of the others. */
  readonly toAll?: string
  /** Whose the goods are goes with them: the receiver keeps what belongs to a third as that one's. */
  readonly keepsOwnership?: boolean
  /** Nothing that people wrote goes with it: no remark of paper or line, which might say what is to stay at home. */
  readonly withoutRemarks?: boolean
  /** Amounts and prices stay at home. */
  readonly hidePrices?: boolean
  /** Tells what happened and no more: nothing is taken from this copy. */
  readonly informational?: boolean
  /** What the receiver of the copy books when it arrives; taken back exactly when the copy is withdrawn. */
  readonly receiverPosts?: (doc: D, book: Book) => Posting
  /** Counted at the receiver's own order behind each line when the copy arrives (goods are on the way). */
  readonly countsAs?: Purpose
  /** Stopped by its sender, what the receiver neither received nor sent away counts there as sent away by this purpose, and comes home. */
  readonly onStopCountsAs?: Purpose
  /** What the sender is told to do instead of taking it back once the other side has received. */
  readonly recallMessage?: string
  /** Text of the realtime message at the receiver. */
  readonly message?: { readonly title: string; readonly uri: string }
}
