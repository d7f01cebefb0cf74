import type { AskedRight, MatchedLines } from '#kernel/definition/line-matching.ts'
import type { AnswerCreates, DealsWith, Make, Send, Take } from '#kernel/definition/document-links.ts'
import type { Day } from '#kernel/values/date.ts'
import type { Decimal } from '#kernel/values/decimal.ts'
import type { Due } from '#kernel/definition/due-date.ts'
import type { Fields, Id, Values, Worded } from '#kernel/definition/field.ts'
import type { GoodsFlow } from '#kernel/definition/goods-flow.ts'
import type { ListKey } from '#kernel/definition/list-columns.ts'
import type { OrgType, OrgTypes } from '#kernel/values/organisation-type.ts'
import type { Figure, Purpose } from '#kernel/definition/progress.ts'
import type { Posting, QualityState } from '#kernel/ledger/posting.ts'
import type { Scans } from '#kernel/definition/scanning.ts'
import type { Registering } from '#kernel/definition/statutory-register.ts'
import type { Screen } from '#kernel/definition/screen.ts'
import type { State } from '#kernel/definition/document-state.ts'

/** Consigned goods stay the supplier's until they are used. */
export const regimes = { purchased: '买断', consigned: '寄售' } as const
export type Regime = keyof typeof regimes

/** A part of a line that counts for a purpose without a paper that takes it. */
type Untaken = { readonly purpose: Purpose; readonly quantity: Decimal }

/** Columns that all papers share; null where a kind has no use for one. Ids are strings, figures decimal strings. */
export type CommonHeader = {
  readonly sn: string
  readonly kind: string
  readonly version: number
  readonly state: State
  /** `counterparty`: this row is the copy of another organisation's paper, as far as it was sent. */
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
  /** The red mirror's original, or the original's mirror. */
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
  /** The last good day. Null only where the specification has no expiry. */
  readonly expiry_date: Day | null
  readonly unit_codes: readonly string[]
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
  readonly remark: string | null
}

export type DocOf<H extends Fields, L extends Fields> = CommonHeader &
  Values<Omit<H, keyof CommonHeader>> & {
    readonly lines: readonly (CommonLine & Values<Omit<L, keyof CommonLine>>)[]
  }
/** A paper of any kind, as the engine and shared guards see it. */
export type BusinessDocument = CommonHeader & { readonly lines: readonly CommonLine[] }

/** True, or the sentence the user reads. Pure: the same guard greys the button in the browser and refuses on the server. */
export type Guard<D> = (doc: D) => true | string

/** Which organisation posts: the pure posting functions may ask nothing else about their surroundings. */
export type Book = { readonly org: Id<'organisation'>; readonly type: OrgType }

export type ActionSpec<D> = {
  readonly label: string
  readonly from: readonly State[]
  /** The state afterwards; null leaves it as it is. */
  readonly to: State | null
  /** The only three ways to touch a ledger. */
  readonly effect?: 'post' | 'unpost' | 'mirror'
  /** Asked in a dialog, kept in the history. A text is the sentence for leaving it out. */
  readonly asksReason?: boolean | string
  readonly tone?: 'primary' | 'danger'
  readonly guards?: readonly Guard<D>[]
  /** Words of own header fields with which it can never be done to a paper, which then does not offer it. */
  readonly unless?: Readonly<Record<string, readonly string[]>>
  /** What is said when the paper has gone on too far for it: something was made of it, or took from it. */
  readonly taken?: string
  /** `counterparty`: done by the other side on its copy and carried back. */
  readonly by?: 'counterparty'
  /** The author of the paper may never do it, whatever the settings say. */
  readonly neverAuthor?: boolean
  /** What an author is told who tries to review his own paper. */
  readonly ownPaper?: string
  /** Of an answer to the other side: header fields, and own fields of lines, that go back with it as they stand then. */
  readonly tells?: readonly string[]
  readonly tellsLines?: readonly string[]
  /** Done on our copy alone: the other side learns nothing of it. */
  readonly quiet?: boolean
  /** Own header fields that the action writes by itself. */
  readonly sets?: Readonly<Record<string, string | boolean | null>>
  readonly asksRight?: AskedRight<D>
  /** Own header fields that the dialog asks for; the call may carry them and the action writes them. Guards judge the paper with them written. */
  readonly asks?: readonly string[]
}

/** A deed on no paper in particular, offered over the list: it asks a few things and makes papers of them. */
export type CallSpec = {
  readonly label: string
  readonly asks: Fields
  /** Asked on a paper that stands, by a part of its page; no list offers it. */
  readonly ofPaper?: boolean
  /** Organisations that it is meant for, and the one page that offers it; default all that keep the paper, and all its lists. */
  readonly orgs?: OrgTypes
  readonly route?: string
}

export type DocumentDefinition<
  K extends string = string,
  H extends Fields = Fields,
  L extends Fields = Fields,
  A extends string = string,
> = {
  readonly is: 'document'
  readonly kind: K
  readonly title: string
  /** 1-5 letters before yyMMdd in the sn; unique among kinds. */
  readonly prefix: string
  readonly keptBy: OrgTypes
  readonly billType?: string
  /** Its 经办人 is named by hand or by nobody: another rule asks who that was. Of other papers it is whoever writes them, unless named. */
  readonly namesHandler?: boolean
  readonly family: 'procurement' | 'stockIn' | 'stockOut' | 'internal' | 'sales' | 'ward' | 'finance' | 'compliance'
  /** Fields the paper shows. Common names bring their label and rules; others are the kind's own. */
  readonly header: H
  readonly lines: L
  readonly actions: { readonly [N in A]: ActionSpec<DocOf<H, L>> }
  /** `POST …/{name}`; what each does stands in the kind's server rules. */
  readonly calls?: Readonly<Record<string, CallSpec>>
  readonly stateNames?: Partial<Record<State, string>>
  /** Fields of header and lines that nobody reads of the paper as it stands: what a blind count hides from whoever counts. */
  readonly veils?: (doc: Readonly<Record<string, unknown>>) => readonly string[]
  /** What a line of the source becomes once this line sets all of it right: follow-ups begin from that; the source keeps its text and turns red no more. */
  readonly amends?: (line: DocOf<H, L>['lines'][number]) => Partial<CommonLine>
  readonly due?: Due
  /** Lines made from this paper execute it, through all papers that follow: the order behind each line. */
  readonly isOrder?: boolean
  /** Organisations whose people write no price: each line bears the agreed one, or that of the offer it was made from. */
  readonly agreedFor?: OrgTypes
  /** The main purpose: decides partial and completed, and `executed_quantity` on the wire. */
  readonly main?: Purpose
  /** Purposes that together close the main one (ward_receive + return). */
  readonly mainAlso?: readonly Purpose[]
  /** Derived states on the wire (`invoice_state` …), each from a purpose. */
  readonly derives?: Readonly<Record<string, Purpose>>
  /** What the steps of a derived state are called, where 未开始, 部分, 已完成 would not say it. */
  readonly derivedWords?: Readonly<Record<string, Worded<'1' | '2' | '3'>>>
  /** What the sources of such a paper are called on its list where the usual words would not say it, by source type. */
  readonly sourceWords?: Worded<number>
  /** What was counted on the paper for a purpose, or what is left of it, as columns of lists: money where nothing else is said, else goods in base units. */
  readonly figures?: Readonly<Record<string, Figure>>
  /** Derived states that stand at 2 as soon as this other purpose was counted: applied for, though nothing is paid yet. */
  readonly begins?: Readonly<Record<string, Purpose>>
  readonly takes?: readonly Take[]
  readonly dealsWith?: DealsWith
  /** Whether a person may add one by hand, without a source; default true. */
  readonly byHand?: boolean
  /** The keeper may still correct it while it waits (a ward's receipt: fewer pieces, with a reason); a list names the only fields he may. */
  readonly editsSubmitted?: boolean | readonly string[]
  /** Writing `field` on a line of the waiting paper lowers its quantity to that figure; what stood before is kept in `keeps`. */
  readonly corrects?: {
    readonly field: string
    readonly keeps: string
    /** What is said of a code that was not on the line; `{code}` is the code. */
    readonly stranger?: string
  }
  /** What may have taken from the paper before it is mirrored in red: later papers of that kind set it right (a settled use). */
  readonly mirrorsPast?: readonly Purpose[]
  /** Names under which the room keeps, beside a paper or its lines, what no page shows and nobody types. */
  readonly notes?: readonly string[]
  /** Papers made here from this one. */
  readonly makes?: readonly Make[]
  /** The part of a line that no follow-up will ever take (unqualified goods that go back), counted on the paper's own lines at review. */
  readonly closes?: (line: DocOf<H, L>['lines'][number]) => Untaken | null
  /**
   * The part of a line that is sent away and never ours, in the line's unit: counted at review on the other side's paper that the line
   * came with (refused at the door, rejected by inspection), and told to its owner.
   */
  readonly refuses?: (line: DocOf<H, L>['lines'][number]) => Untaken | null
  /** Values of own header fields with which a review may find that nothing is to be booked. */
  readonly idle?: Readonly<Record<string, readonly string[]>>
  readonly reserves?: boolean
  readonly posts?: (doc: DocOf<H, L>, book: Book) => Posting
  /** What the owner books when the other side answered with progress on this paper. Lines carry the answered quantity. */
  readonly answers?: Partial<Record<Purpose, (doc: DocOf<H, L>, book: Book) => Posting>>
  /** The paper that waits here once the other side answered with progress: what it refused is to be taken home. */
  readonly answerLays?: Partial<Record<Purpose, AnswerCreates>>
  readonly sends?: readonly Send<DocOf<H, L>>[]
  /** The register of the trade that the paper's lines stand in once it counts. */
  readonly registers?: Registering<DocOf<H, L>>
  /** Goods come in with lot, dates and unit codes as written (receipts); else lots and units must exist in stock (issues). */
  readonly goods: 'in' | 'out' | 'named' | 'none'
  /** What the gate says cannot be done: 入库, 出库, 下单. */
  readonly deed?: string
  /** Goods that lie on the shelf already, or come home, may be past their day; a function where it hangs on the paper. */
  readonly takesExpired?: boolean | ((doc: BusinessDocument) => boolean)
  /**
   * Lines are priced at cost, not by agreement. `leaving`: at the average cost of the balance they take from, and at review at what the
   * ledger took out; `known`: goods that were found, at the average cost of their lot where nobody writes another; `later`: the house
   * works the amounts out itself at an action, and there are none before.
   */
  readonly costed?: 'leaving' | 'known' | 'later'
  /** Lines carry money only (payments): an amount instead of a quantity; or they count nothing at all (what is approved). */
  readonly measure?: 'quantity' | 'amount' | 'row'
  /** Lines may come from a workbook: template and import are offered where a paper may be added; or what is written on lines that stand. */
  readonly imports?: boolean | MatchedLines
  /** Lines are filled at the scan counter. */
  readonly scans?: Scans
  /** What was written last stands first, on the page and on paper. */
  readonly newestFirst?: true
  readonly screens: readonly Screen<keyof H | keyof CommonHeader | 'counterparty_name', A>[]
} & GoodsFlow
// oxlint-disable-next-line typescript/no-explicit-any -- definitions of all kinds stand in one registry
type Some = any
/** A definition of any kind: what the engine reads. Its functions take the papers that the engine built for that very kind. */
export type AnyDocument = Omit<
  DocumentDefinition,
  | 'header'
  | 'lines'
  | 'actions'
  | 'amends'
  | 'closes'
  | 'refuses'
  | 'posts'
  | 'answers'
  | 'sends'
  | 'registers'
  | 'screens'
> & {
  readonly header: Fields
  readonly lines: Fields
  readonly actions: Readonly<Record<string, ActionSpec<Some>>>
  readonly amends?: (line: Some) => Partial<CommonLine>
  readonly closes?: (line: Some) => Untaken | null
  readonly refuses?: (line: Some) => Untaken | null
  readonly posts?: (doc: Some, book: Book) => Posting
  readonly answers?: Partial<Record<Purpose, (doc: Some, book: Book) => Posting>>
  readonly sends?: readonly Send<Some>[]
  readonly registers?: Registering<Some>
  readonly screens: readonly Screen[]
}

/** Declares a business paper. A wrong definition does not compile; what the types cannot say, `checkDefinitions` proves at boot. */
export function defineDocument<
  const K extends string,
  const H extends Fields,
  const L extends Fields,
  const A extends string,
>(
  definition: Omit<
    DocumentDefinition<K, H, L, A>,
    'is' | 'actions' | 'amends' | 'closes' | 'refuses' | 'posts' | 'sends' | 'answers' | 'registers' | 'screens'
  > & {
    readonly actions: { readonly [N in A]: ActionSpec<DocOf<NoInfer<H>, NoInfer<L>>> }
    readonly amends?: (line: DocOf<NoInfer<H>, NoInfer<L>>['lines'][number]) => Partial<CommonLine>
    readonly closes?: (line: DocOf<NoInfer<H>, NoInfer<L>>['lines'][number]) => Untaken | null
    readonly refuses?: (line: DocOf<NoInfer<H>, NoInfer<L>>['lines'][number]) => Untaken | null
    readonly posts?: (doc: DocOf<NoInfer<H>, NoInfer<L>>, book: Book) => Posting
    readonly answers?: Partial<Record<Purpose, (doc: DocOf<NoInfer<H>, NoInfer<L>>, book: Book) => Posting>>
    readonly sends?: readonly Send<DocOf<NoInfer<H>, NoInfer<L>>>[]
    readonly registers?: Registering<DocOf<NoInfer<H>, NoInfer<L>>>
    readonly screens: readonly Screen<keyof NoInfer<H> | keyof NoInfer<L> | ListKey, NoInfer<A>>[]
  },
): DocumentDefinition<K, H, L, A> {
  return { ...definition, is: 'document' } as DocumentDefinition<K, H, L, A>
}
