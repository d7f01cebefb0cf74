import { lotDatesHold } from '#kernel/rules/lot-dates.ts'
import type { PlacesByAction } from '#kernel/rules/places.ts'
import type { ExtraPermission, MatchedLines } from '#kernel/definition/line-matching.ts'
import type {
  AnswerFollowUp,
  SecondaryTarget,
  FollowUpRule,
  NamedSource,
  CopyRule,
  SourceRule,
} from '#kernel/definition/document-links.ts'
import type { Day } from '#kernel/values/date.ts'
import type { Decimal } from '#kernel/values/decimal.ts'
import type { Due } from '#kernel/definition/due-date.ts'
import type { Facts } from '#kernel/measure/facts.ts'
import type { Fields, Id, Values, Worded } from '#kernel/definition/field.ts'
import type { StockCardColumn } from '#kernel/definition/stock-card.ts'
import type { PriceField } from '#kernel/definition/line-content.ts'
import type { ListKey } from '#kernel/definition/list-columns.ts'
import type { OrgType, OrgTypes } from '#kernel/values/organisation-type.ts'
import type { Figure, Purpose } from '#kernel/definition/progress.ts'
import type { Account, AccountMovement, Posting, QualityState } from '#kernel/ledger/posting.ts'
import type { Scanning } from '#kernel/definition/scanning.ts'
import type { Registering } from '#kernel/definition/statutory-register.ts'
import type { Screen } from '#kernel/definition/screen.ts'
import type { Effect, EffectsByAction, State } from '#kernel/definition/document-state.ts'

/** Consigned goods are the supplier's until they are used. */
export const regimes = { purchased: '买断', consigned: '寄售' } as const
export type Regime = keyof typeof regimes

/** Columns that all documents share; null where a kind does not use one. Ids are strings, figures decimal strings. */
export type CommonHeader = {
  readonly sn: string
  readonly kind: string
  readonly version: number
  readonly state: State
  /** `counterparty`: this row is the copy of another organisation's document, limited to what was sent. */
  readonly role: 'own' | 'counterparty'
  readonly org_sn: Id<'organisation'>
  readonly counterparty_sn: Id<'organisation'> | null
  readonly warehouse_model_inner_sn: Id<'warehouse'> | null
  readonly to_warehouse_model_inner_sn: Id<'warehouse'> | null
  readonly department_inner_sn: Id<'department'> | null
  readonly handler_inner_sn: Id<'employee'> | null
  readonly business_date: Day
  readonly regime: Regime | null
  readonly source_type: number
  readonly source_sn: string | null
  readonly source_org_sn: Id<'organisation'> | null
  /** On a reversal: its original. On a reversed original: its reversal. */
  readonly red_of_sn: string | null
  readonly remark: string | null
  readonly attachments: readonly string[]
  readonly untaxed_amount: Decimal
  readonly tax_amount: Decimal
  readonly taxed_amount: Decimal
}

export type CommonLine = {
  readonly line_no: number
  readonly specification_sn: Id<'specification'> | null
  readonly product_name: string | null
  readonly specification_name: string | null
  readonly lot_no: string | null
  readonly production_date: Day | null
  /** The last valid day. Null only where the specification has no expiry. */
  readonly expiry_date: Day | null
  readonly unit_codes: readonly string[]
  /** The number of base units of the codes, where some are packs; else null, and each code is one piece. */
  readonly coded_quantity?: Decimal | null
  readonly unit_inner_sn: Id<'unitTree'> | null
  readonly quantity: Decimal
  /** `quantity` in the specification's base unit. */
  readonly base_quantity: Decimal
  readonly price: Decimal
  readonly tax_rate: number
  readonly untaxed_amount: Decimal
  readonly tax_amount: Decimal
  readonly taxed_amount: Decimal
  readonly owner_org_sn: Id<'organisation'> | null
  readonly quality_state: QualityState | null
  readonly location: string | null
  readonly source_sn: string | null
  readonly source_org_sn: Id<'organisation'> | null
  readonly source_line_no: number | null
  /** The delivery that the goods came with; at the server alone. */
  readonly delivery_document_id?: string | null
  readonly remark: string | null
}

export type DocOf<H extends Fields, L extends Fields> = CommonHeader &
  Values<Omit<H, keyof CommonHeader>> & {
    readonly lines: readonly (CommonLine & Values<Omit<L, keyof CommonLine>>)[]
  }
/** A document of any kind, as the engine and shared guards see it. */
export type BusinessDocument = CommonHeader & { readonly lines: readonly CommonLine[] }

/**
 * True, or the message for the user. Pure: the same guard disables the button in the browser and refuses on the
 * server.
 */
export type Guard<D> = (doc: D) => true | string

/** The organisation that posts: the pure posting functions know nothing else of their context. */
export type Book = { readonly org: Id<'organisation'>; readonly type: OrgType }

/**
 * An action that has the name of an effect has that effect, and no other action has one. The counterparty's answer only
 * changes our copy.
 */
type EffectOf<A extends string> = A extends keyof EffectsByAction
  ? { readonly effect: EffectsByAction[A] } | { readonly by: 'counterparty'; readonly effect?: never }
  : { readonly effect?: never }

export type ActionSpec<D> = {
  readonly label: string
  readonly from: readonly State[]
  /** The state afterwards; null leaves it as it is. */
  readonly to: State | null
  /** States that the room's hooks choose among, by how far the action came, where `to` leaves the state as it is. */
  readonly reaches?: readonly State[]
  /** The engine's part of the action, beside the change of state; none where it only changes the state. */
  readonly effect?: Effect
  /** Asked in a dialog, kept in the history. A text is the message when it is missing. */
  readonly requiresReason?: boolean | string
  readonly tone?: 'primary' | 'danger'
  readonly guards?: readonly Guard<D>[]
  /** Values of own header fields for which the action is never possible; the document then does not offer it. */
  readonly unavailableWhen?: Readonly<Record<string, readonly string[]>>
  /** The message when the document has progressed too far: a follow-up document was made from it. */
  readonly blockedMessage?: string
  /** `counterparty`: done by the other side on its copy and sent back. */
  readonly by?: 'counterparty'
  /** The author of the document may never do it, whatever the settings. */
  readonly notByAuthor?: boolean
  /** The message for authors who try to review their own document. */
  readonly selfReviewMessage?: string
  /** For an answer to the other side: header fields, and own line fields, sent back with their current values. */
  readonly shares?: readonly string[]
  readonly sharesLines?: readonly string[]
  /**
   * Takes back what the other side was sent, and leaves the document in force here; the message where the other side
   * has acted upon it.
   */
  readonly takesBack?: string
  /** Done on our copy only: the other side is not notified. */
  readonly localOnly?: boolean
  /** Own header fields that the action sets itself. */
  readonly sets?: Readonly<Record<string, string | boolean | null>>
  readonly extraPermission?: ExtraPermission<D>
  /**
   * Own header fields that the dialog asks for; the call may carry them and the action writes them. Guards check the
   * document with them written.
   */
  readonly inputs?: readonly string[]
  /** Lists that the call may carry beside them, by name: the fields of their rows. */
  readonly parts?: Readonly<Record<string, Fields>>
}

/** An action not tied to one document, offered above the list: it asks for some input and creates documents from it. */
export type CallSpec = {
  readonly label: string
  readonly inputs: Fields
  /** Inputs that are numbers of documents, and of which kind: of documents that the caller sees. */
  readonly documents?: Readonly<Record<string, string>>
  /** Called on an existing document, from a part of its page; no list offers it. */
  readonly onDocument?: boolean
  /**
   * Organisation types it is meant for, and the one page that offers it; default all that keep the document, and all
   * its lists.
   */
  readonly orgs?: OrgTypes
  readonly route?: string
}

type LineOf<D> = D extends { readonly lines: readonly (infer L)[] } ? L : never
/** A share of a line's quantity, in the line's unit, that is counted for a purpose of its own. */
type CountedShare = { readonly purpose: Purpose; readonly quantity: Decimal }

/** Rules by which the lines of a document are filled, read and counted. */
export type LineRules<D> = {
  /** Lines carry only money (payments): an amount instead of a quantity; or they count nothing at all (approvals). */
  readonly basis?: 'quantity' | 'amount' | 'row'
  /**
   * Lines may come from a workbook: offered where a document may be added; or the fields it writes on existing
   * lines.
   */
  readonly import?: boolean | MatchedLines
  /** Lines are filled at the scan counter. */
  readonly scanning?: Scanning
  /**
   * Fields of header and lines that nobody reads of the document as it is: what a blind count hides from those who
   * count.
   */
  readonly hiddenFields?: (doc: Readonly<Record<string, unknown>>) => readonly string[]
  /**
   * Writing `field` on a line of the waiting document lowers its quantity to that figure; the former one is kept in
   * `keeps`.
   */
  readonly quantityCorrection?: {
    readonly field: string
    readonly keeps: string
    /** The message for a code that was not on the line; `{code}` is the code. */
    readonly unknownCode?: string
  }
  /** The lines come from elsewhere and nobody writes them; the text of the page while there are none. */
  readonly given?: string
  /** Fields of a line that the program needs and no page lists. */
  readonly unlisted?: readonly string[]
  /** The values that follow from others of a line while it is typed; the server computes them again. Pure. */
  readonly follows?: (line: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>
  /** The line that was written last comes first, on the page and in print. */
  readonly newestFirst?: true
  /**
   * The part of a line that no follow-up will ever take (unqualified goods that go back), counted on the document's
   * own lines at review.
   */
  readonly selfClosed?: (line: LineOf<D>) => CountedShare | null
  /**
   * The part of a line that is sent away and never ours (refused on arrival, rejected by inspection): counted at review
   * on the other side's document that the line came with, and reported to its owner.
   */
  readonly rejected?: (line: LineOf<D>) => CountedShare | null
  /**
   * The values of a source line once this line has corrected all of it: follow-ups start from them; the source keeps
   * its text and can no longer be reversed.
   */
  readonly correctedValues?: (line: LineOf<D>) => Partial<CommonLine>
}

/** States, edits and calls besides the actions. */
export type LifecycleRules<D> = {
  readonly stateLabels?: Partial<Record<State, string>>
  /** Labels of this kind for columns that the program computes, where the common label says something else. */
  readonly columnLabels?: Partial<Record<ListKey, string>>
  /** Own pick field that shows the state of the document in more detail: its choice is the name of the state. */
  readonly stateField?: string
  /** States that no action leads to: the system gives them, when another document takes its place. */
  readonly givenStates?: readonly State[]
  /** True if a user may add one by hand, without a source; default true. */
  readonly manualEntry?: boolean
  /**
   * The owner may still correct it while it waits (a ward's receipt: fewer pieces, with a reason); a list names the
   * only fields.
   */
  readonly editableWhenSubmitted?: boolean | readonly string[]
  /** Purposes counted by documents that do not prevent a reversal: later documents correct it (a settled use). */
  readonly reversibleAfter?: readonly Purpose[]
  /** `POST …/{name}`; what each does is in the server hooks of the kind. */
  readonly listActions?: Readonly<Record<string, CallSpec>>
  /**
   * Once in force such a document is kept, even when its review was taken back: it is not withdrawn, deleted or voided,
   * but reviewed again, and reversed with a reason. `{action}` of the message is what was tried.
   */
  readonly kept?: { readonly when: (doc: D) => boolean; readonly message: string }
  readonly dueDate?: Due
  /** Organisation types that keep some themselves and get others as copies: their lists show both. */
  readonly listsCopies?: OrgTypes
  /** Made from another organisation's document, it ends when that one is stopped there: an order, an arrival. */
  readonly stopsWithSource?: true
  /**
   * The 经办人 is the user who did the work: named by hand, else the user who submits. On other documents it is the
   * author, from the start.
   */
  readonly handlerSubmits?: true
}

/** The kinds from which a document is made, and those made from it. */
export type Sourcing = {
  readonly sources?: readonly SourceRule[]
  readonly secondaryTarget?: SecondaryTarget
  /**
   * Documents that a new one may name in its header, where it takes no lines of them: their pages open its form with
   * the number in `field`, and these own fields filled from theirs (own name → theirs).
   */
  readonly named?: readonly NamedSource[]
  /** Documents of the same organisation that are created from this one. */
  readonly followUps?: readonly FollowUpRule[]
  /** Lines made from this document execute it, through all documents that follow: the order behind each line. */
  readonly isOrder?: boolean
  /** Labels of its source types on its list where the usual words would not do, by source type. */
  readonly sourceLabels?: Worded<number>
}

/** The progress that following documents make on a document, and the states derived from it. */
export type ProgressRules = {
  /** The main purpose: decides partial and completed, and `executed_quantity` on the wire. */
  readonly main?: Purpose
  /** Purposes that together complete the main one (ward_receive + return). */
  readonly mainAlso?: readonly Purpose[]
  /**
   * The main purpose alone does not complete it: it is complete when its module says so (`completion` of its server
   * rules), and partial before, from the first line on that was taken.
   */
  readonly completesLater?: true
  /**
   * Purposes whose counted part of a line goes on when the line is stopped (终止行). A kind without them is stopped as a
   * whole only.
   */
  readonly underWay?: readonly Purpose[]
  /** Organisations with a copy see the owner's state on it. */
  readonly sharesState?: true
  /** Derived states on the wire (`invoice_state` …), each from a purpose. */
  readonly statuses?: Readonly<Record<string, Purpose>>
  /** Labels of the steps of a derived state, where 未开始, 部分, 已完成 would not do. */
  readonly statusLabels?: Readonly<Record<string, Worded<'1' | '2' | '3'>>>
  /** Derived states that are 2 as soon as this other purpose was counted: applied for, though nothing is paid yet. */
  readonly startedBy?: Readonly<Record<string, Purpose>>
  /**
   * The quantity counted for a purpose, or its rest, as columns of lists: in money unless said otherwise, else goods in
   * base units.
   */
  readonly columns?: Readonly<Record<string, Figure>>
}

/**
 * The rule by which goods become packs: so many base units of each line in one pack; a combined pack holds some of
 * every line.
 */
export type PackMaking<D> = { readonly size: (line: LineOf<D>) => Decimal; readonly combined: boolean }

/** The effects of a document on stock and accounts. */
export type PostingRules<D> = {
  /**
   * `in`: goods come in with lot, dates and unit codes as written (receipts); `out`: lots and units must exist in
   * stock (issues); `named`: lines name goods and move none; `none`: lines are not about goods on hand. Lines without
   * a `specification_sn` can be nothing else: they have no unit, lot or code, and are not scanned.
   */
  readonly stockDirection: 'in' | 'out' | 'named' | 'none'
  /** The moves and entries that the posting action writes into the ledgers. Pure. */
  readonly postings?: (doc: D, book: Book) => Posting
  readonly reservesStock?: boolean
  /**
   * Its goods become packs: each gets its code when it is posted. Lines hold whole packs, and their moves carry the
   * same size.
   */
  readonly makesPacks?: (doc: D) => PackMaking<D>
  /** The kind of document by which goods that were sent out come home: there is no reversal. */
  readonly comesHomeBy?: string
  /** Goods that get a code by the piece may be on it without one: they get their codes by it. */
  readonly namesPieces?: true
  /** It may put goods into containers (numbered kits) and take them out; other kinds leave them as they are. */
  readonly opensContainers?: true
  /**
   * Its entries do this to the balance with a partner; every kind that books accounts says it. Functions of the
   * database are made of it, and so the columns of all figures of money between organisations.
   */
  readonly accountMovement?: AccountMovement
  /** Accounts on which it opens an item: entries belong to its number until the item is settled. */
  readonly opens?: readonly Account[]
  /** Each of its lines is an item of its own, with its own due day. */
  readonly opensByLine?: true
  /** It books accounts and moves no goods: with nothing to pay it has nothing to book. */
  readonly accountsOnly?: true
  /** Values of own header fields for which a review may have nothing to book. */
  readonly skippedWhen?: Readonly<Record<string, readonly string[]>>
  /**
   * The column of a stock card that counts its moves, or one for goods that come and one for goods that go. `none`:
   * they stay
   * inside the warehouse. Left out: other receipts and other issues. Functions of the database are made of it.
   */
  readonly stockCard?: StockCardColumn | { readonly in: StockCardColumn; readonly out: StockCardColumn } | 'none'
  /**
   * Goods that are not on a shelf yet: those of the other side's copy of a delivery until they arrive, and those of
   * an own document until these purposes took them.
   */
  readonly incoming?: 'delivery' | { readonly until: readonly Purpose[] }
}

/** Why goods may not be used: their lot is recalled or past its day, or they are stopped (停售) or frozen (冻结). */
export type Unfit = 'recalled' | 'stopped' | 'frozen' | 'expired'

/** Goods that may not be used leave a store by this document all the same. */
export type UnfitException<D> = {
  /** The reason: where they go, or why it does no harm. */
  readonly why: string
  /** Default: every document of the kind. */
  readonly when?: (doc: D) => boolean
  /** Only into warehouses of these models. */
  readonly into?: readonly string[]
  /** Default: all of them. */
  readonly what?: readonly Unfit[]
}

/** Licences and shelf life that are checked at submit and review. */
export type ComplianceRules<D> = {
  /**
   * For kinds that send no goods out: goods on hand already, or coming home, may be expired; a function where it
   * depends on the document. False on a kind that only names goods: goods that it confirms may not be expired either.
   */
  readonly allowsExpired?: boolean | ((doc: D) => boolean)
  /**
   * Recalled, stopped, frozen and expired goods leave no store, by no document: the exceptions. Judged at the posting,
   * from what it moves (`server/documents/posting/unfit-goods.ts`).
   */
  readonly takesUnfit?: readonly UnfitException<D>[]
  /**
   * The own field that says when it was done, where a document is often written later: shelf life is judged by it
   * alone, else by the business date or today, whichever is later.
   */
  readonly happenedAt?: string
  /** The statutory register that lists the document's lines once it is in effect. */
  readonly statutoryRegister?: Registering<D>
} & (
  | {
      /** The party whose licences are checked. */
      readonly party: 'supplier' | 'customer'
      /** The word of the check for the step that it refuses: 入库, 出库, 下单. */
      readonly verb: string
      /** The own field that holds the day of the check; default the business date. */
      readonly dateField?: string
      /**
       * The step of the trade at which licences are asked for: a column of an organisation's setting; default
       * `order`.
       */
      readonly checkpoint?: 'order' | 'arrival' | 'receipt' | 'sale' | 'issue'
    }
  | { readonly party?: never; readonly dateField?: never; readonly checkpoint?: never; readonly verb?: string }
)

/**
 * How lines get their prices; without it they are written by hand or inherited. Lines that declare neither a price nor
 * a tax nor an amount have no prices at all: none is inherited, computed, shown, printed or exported.
 */
export type PricingRules = {
  /**
   * Types of organisations whose people write no price: each line has the agreed one, or that of the quotation it
   * was made from.
   */
  readonly agreedPriceFor?: OrgTypes
  /**
   * Lines are priced at cost, not by agreement. `leaving`: at the average cost of the balance they take from, and at
   * review at the value that the ledger took out; `known`: goods that were found, at the average cost of their lot
   * unless another is written; `later`: the organisation computes the amounts at an action, and there are none before;
   * `own`: written as an estimate, and at review goods of our own at the value that the ledger took out. The module
   * decides the cost of goods of others.
   */
  readonly costing?: 'leaving' | 'known' | 'later' | 'own'
  /**
   * Lines show no price but keep the price of their source, for documents made from them: a picking list comes between
   * a request and its issue.
   */
  readonly keepsPrices?: true
  /**
   * Lines repeat an invoice as it was issued, with its amounts: they may be typed, and the room checks that they
   * differ from price and rate by no more than rounding. In all other kinds the program computes them, whatever is
   * sent.
   */
  readonly typedAmounts?: true
}

/**
 * The copies of a document for other organisations, and the entries made here by their answers: only copies are
 * answered.
 */
export type Intercompany<D> =
  | { readonly copies?: never; readonly onProgress?: never; readonly onProgressCreates?: never }
  | Answered<D>

type Answered<D> = {
  readonly copies: readonly CopyRule<D>[]
  /**
   * The entries that the owner books when the other side answered with progress on this document. Lines have the
   * answered quantity.
   */
  readonly onProgress?: Partial<Record<Purpose, (doc: D, book: Book) => Posting>>
  /**
   * The document that is created here once the other side answered with progress: what it refused is to be taken
   * home.
   */
  readonly onProgressCreates?: Partial<Record<Purpose, AnswerFollowUp>>
}

type Identity<K extends string> = {
  readonly kind: K
  readonly title: string
  /** 1-5 letters before yyMMdd in the number; unique among kinds. */
  readonly numberPrefix: string
  readonly category: 'procurement' | 'stockIn' | 'stockOut' | 'internal' | 'sales' | 'ward' | 'finance' | 'compliance'
  /** Types of organisations that own documents of this kind. */
  readonly ownerTypes: OrgTypes
  /** The name of the kind in interfaces to other systems. */
  readonly externalType?: string
  /**
   * The platform reads these documents of all organisations, without prices and patients, and writes them in the name
   * of an organisation that entrusted it (委托代运营).
   */
  readonly overseen?: true
  /** The facts to which its lines belong once it is in force; every kind that posts goods states them. */
  readonly facts?: Facts
  /** The facts that they are to the organisation that has the copy. */
  readonly copyFacts?: Facts
}

/**
 * The arguments of `defineDocument`: the identity, the fields, the actions, and one facet for each side of the kind
 * that needs rules.
 */
type Declared<K extends string, H extends Fields, L extends Fields, A extends string, D> = Identity<K> & {
  /** Fields of the header. Common names bring their label and rules; others are the kind's own. */
  readonly header: H
  readonly lines: L
  /** Names of values that the module keeps beside a document or its lines: no page shows them and nobody types them. */
  readonly internalFields?: readonly string[]
  readonly lineRules?: LineRules<D>
  readonly actions: { readonly [N in A]: ActionSpec<D> }
  /** The places that an action acts in, if not every store and department that is not `named`. */
  readonly actsIn?: PlacesByAction<D>
  readonly lifecycle?: LifecycleRules<D>
  readonly sourcing?: Sourcing
  readonly progress?: ProgressRules
  readonly posting: PostingRules<D>
  readonly compliance?: ComplianceRules<D>
  readonly pricing?: PricingRules
  readonly intercompany?: Intercompany<D>
}

/** Every facet is there to read, empty where the kind says nothing of it. */
type Facets<D> = {
  readonly lineRules: LineRules<D>
  readonly lifecycle: LifecycleRules<D>
  readonly sourcing: Sourcing
  readonly progress: ProgressRules
  readonly posting: PostingRules<D>
  readonly compliance: ComplianceRules<D>
  readonly pricing: PricingRules
  readonly intercompany: Intercompany<D>
}

export type DocumentDefinition<
  K extends string = string,
  H extends Fields = Fields,
  L extends Fields = Fields,
  A extends string = string,
> = Identity<K> &
  Facets<DocOf<H, L>> & {
    readonly is: 'document'
    readonly header: H
    readonly lines: L
    readonly internalFields?: readonly string[]
    readonly actions: { readonly [N in A]: ActionSpec<DocOf<H, L>> }
    readonly actsIn?: PlacesByAction<DocOf<H, L>>
    readonly screens: readonly Screen<keyof H | keyof CommonHeader | 'counterparty_name', A>[]
  }
// oxlint-disable-next-line typescript/no-explicit-any -- definitions of all kinds are in one registry
type Some = any
/**
 * A definition of any kind: what the engine reads. Its functions take documents that the engine built for that very
 * kind.
 */
export type AnyDocument = Identity<string> &
  Facets<Some> & {
    readonly is: 'document'
    readonly header: Fields
    readonly lines: Fields
    readonly internalFields?: readonly string[]
    readonly actions: Readonly<Record<string, ActionSpec<Some>>>
    readonly actsIn?: PlacesByAction<Some>
    readonly screens: readonly Screen[]
  }

/** Postings and the actions that write them belong together, and what can be posted can be taken back. */
type PostingNeeds<E extends Effect | undefined> = 'post' extends E
  ? [Extract<E, 'unpost' | 'reverse'>] extends [never]
    ? { readonly actions: 'a document that posts needs an action that takes it back: unpost or reverse' }
    : { readonly posting: { readonly postings: object } }
  : { readonly posting: { readonly postings?: never } }

type GoodsNeeds<L extends Fields> = 'specification_sn' extends keyof L
  ? unknown
  : { readonly posting: { readonly stockDirection: 'none' }; readonly lineRules?: { readonly scanning?: never } }

type PriceNeeds<L extends Fields> = [Extract<keyof L, PriceField>] extends [never]
  ? { readonly pricing?: { readonly agreedPriceFor?: never; readonly costing?: never } }
  : { readonly pricing?: { readonly keepsPrices?: never } }

/**
 * Declares a kind of document. A wrong one does not compile; what types cannot say, `checkDefinitions` proves at
 * boot.
 */
export function defineDocument<
  const K extends string,
  const H extends Fields,
  const L extends Fields,
  const A extends string,
  const E extends Effect | undefined,
>(
  definition: Omit<Declared<K, H, L, A, DocOf<NoInfer<H>, NoInfer<L>>>, 'actions'> & {
    readonly actions: {
      readonly [N in A]: ActionSpec<DocOf<NoInfer<H>, NoInfer<L>>> & { readonly effect?: E } & EffectOf<N>
    }
    readonly screens: readonly Screen<keyof NoInfer<H> | keyof NoInfer<L> | ListKey, NoInfer<A>>[]
  } & PostingNeeds<NoInfer<E>> &
    GoodsNeeds<NoInfer<L>> &
    PriceNeeds<NoInfer<L>>,
): DocumentDefinition<K, H, L, A> {
  const empty = {
    lineRules: {},
    lifecycle: {},
    sourcing: {},
    progress: {},
    compliance: {},
    pricing: {},
    intercompany: {},
  }
  return { ...empty, ...withLotDates(definition as never), is: 'document' } as unknown as DocumentDefinition<K, H, L, A>
}

/** Goods that come in have dates that can be, in every kind. */
function withLotDates(definition: Pick<AnyDocument, 'actions' | 'header' | 'lines' | 'posting'>): object {
  const { actions, header, lines, posting } = definition
  const { submit } = actions
  if (posting.stockDirection !== 'in' || !submit || !('expiry_date' in lines)) return definition
  const guards = [lotDatesHold(header.business_date?.label ?? '单据日期'), ...(submit.guards ?? [])]
  return { ...definition, actions: { ...actions, submit: { ...submit, guards } } }
}
