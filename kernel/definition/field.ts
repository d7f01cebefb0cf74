import type { Measure } from '#kernel/measure/measure.ts'
import type { Day } from '#kernel/values/date.ts'
import type { Against } from '#kernel/values/comparison.ts'
import type { Decimal } from '#kernel/values/decimal.ts'
import type { OrgTypes } from '#kernel/values/organisation-type.ts'

/** The key of a row of some definition, a decimal string on the wire; users see codes and sns instead. */
export type Id<K extends string = string> = string & { readonly __id?: K }

/** Semantic kinds: each decides the widget, the format, the filter, the Excel cell, the JSON schema and the column. */
export type FieldKind =
  | 'text'
  | 'longText'
  | 'day'
  | 'instant'
  | 'count'
  | 'quantity'
  | 'price'
  | 'amount'
  | 'rate'
  | 'taxRate'
  | 'flag'
  | 'pick'
  | 'ref'
  | 'files'
  | 'codes'

export type FieldOptions = {
  /** Refused when empty; when this is checked depends on the definition (records: always, documents: at submit). */
  readonly required?: boolean
  /** Text: maximum length. Figures: maximum value as a decimal string. */
  readonly max?: number | string
  readonly min?: string
  readonly match?: RegExp
  /** For a day: where a person writes a month only, its last day is meant. */
  readonly monthMeansLastDay?: true
  /**
   * Text that is kept in one form: that of lot numbers, or that of the codes of pieces. A list of codes names pieces
   * that we know, by whatever spelling; `newPiece`: it brings codes that nobody knows yet.
   */
  readonly form?: 'lot' | 'piece' | 'newPiece'
  /** Text, or a list of it, that names rows of this kind by their `code`, in whatever case and width it was typed. */
  readonly codeOf?: string
  /** The message for a failed `match`; for a reference, for a row that does not exist. */
  readonly matchMsg?: string
  readonly hint?: string
  /**
   * It adds up over the organisation: null for users who see some of its stores only. For columns of a document's list
   * that are computed, and for fields of records that nobody writes; a report is `wholeOnly` as a whole.
   */
  readonly wholeOnly?: true
  /** For an extra of a record: the name of the organisation whose rows are read; the platform reads one at a time. */
  readonly ofReadOrganisation?: true
  /** Asked by a dialog: what it says when somebody confirms without an answer; it stays open. */
  readonly unanswered?: string
  /** The value list (字典) whose items the field offers; other values may be entered as well. */
  readonly dictionary?: string
  readonly default?: unknown
  /** Filled by the server; a client's value is refused. */
  readonly readOnly?: boolean
  /** For a document: whoever reviews it writes this while it waits for the review, and nobody else at any time. */
  readonly byReviewer?: true
  /**
   * For a store or a department: the row only names it, and why. Every other one is acted in: who writes the row must
   * have it.
   */
  readonly named?: string
  /** Only asked by an action's dialog: no form offers it, and the document shows it once it has a value. */
  readonly dialogOnly?: boolean
  /** Asked by an action's dialog: lines of the document, by number. */
  readonly ofLines?: true
  /** Said with an action and not written on the document: the action does with it what it does. */
  readonly transient?: boolean
  /** The form shows it only while another field has one of these values; an existing value stays readable. */
  readonly when?: readonly [field: string, ...says: string[]]
  /** For a line: while another field of it has one of these values, the empty cell asks to be filled. */
  readonly dueWhen?: readonly [field: string, ...says: string[]]
  /** For a document header: the form shows it only when a line has cold-chain goods. */
  readonly forCold?: true
  /** The label on another organisation's copy, where the field says there who sent it. */
  readonly copyLabel?: string
  /** Read and written only with the flag `patient` inside the hospital that owns the row. */
  readonly patient?: boolean
  /** For a column of a report: the measures that its sum is, each of one type of organisation (`shows`). */
  readonly measures?: readonly Measure[]
  /** For a rate: how a figure changed against an earlier period; in words where the number says too much. */
  readonly compares?: Against
  /** For a column of a report that no page shows: it leaves the server with its row, for what the page draws by it. */
  readonly carried?: true
  /** A filter for other programs: no page and no workbook shows it. */
  readonly internal?: true
  /** Written and never shown, to nobody, nor logged; an empty value keeps the one that is stored. For records. */
  readonly secret?: true
  /**
   * Organisation types whose pages and replies show it; default all. Documents shared by several organisation types
   * have fields that some do not need.
   */
  readonly orgs?: OrgTypes
  /** Organisation types whose exported workbooks contain it; default all that see it. */
  readonly carriedBy?: OrgTypes
  /** For a pick: choices offered only to organisations of these types. */
  readonly choiceOrgs?: Readonly<Record<string, OrgTypes>>
  /** For a pick: the colour of a choice, where the default does not fit. */
  readonly tones?: Readonly<Record<string, 'danger' | 'warning' | 'success' | 'info'>>
  /** Width in pixels of the list column. */
  readonly width?: number
  /** Other columns of the target row that a list shows through this reference: wire name → column of the target. */
  readonly shows?: Readonly<Record<string, string>>
  /**
   * The value of the counterparty's record that fills the field when it is empty: its name, tax number or bank account,
   * delivery address and contact.
   */
  readonly partner?:
    | 'name'
    | 'social_credit_code'
    | 'bank_name'
    | 'bank_account'
    | 'delivery_address'
    | 'contact'
    | 'phone'
  /**
   * The rows that the picker offers: query parameters for the target's list. `$name` is the current row's value of that
   * field; when empty, the parameter is left out.
   */
  readonly optionsFilter?: Readonly<Record<string, string>>
}

/** The meaning of money beside its amount: the cost of our goods, or our margin. Other money is a price to others. */
export type Worth = 'cost' | 'margin'

export type FieldSpec = FieldOptions & {
  readonly as: FieldKind
  readonly label: string
  readonly worth?: Worth
  /**
   * For a report: of a patient. Those without the flag `patient` read a surname or the last four digits; they cannot
   * filter by it.
   */
  readonly masked?: true
  readonly target?: string
  readonly choices?: Readonly<Record<string, string>>
}
/** A field whose TypeScript value is T; the value is a phantom type and never present in the definition. */
export type Field<T, Required extends boolean = boolean> = FieldSpec & {
  readonly required: Required
  readonly __value?: T
}
// oxlint-disable-next-line typescript/no-explicit-any -- the bound of a record of fields of any value
export type Fields = Readonly<Record<string, Field<any>>>

type ValueOf<F> = F extends Field<infer T, infer R> ? ([R] extends [true] ? T : T | null) : never
/** The row that a record of fields describes. */
export type Values<F extends Fields> = { readonly [K in keyof F]: ValueOf<F[K]> }

type Options<R extends boolean> = Omit<FieldOptions, 'required'> & { readonly required?: R }
const kind =
  <T>(as: FieldKind) =>
  <const R extends boolean = false>(label: string, options: Options<R> = {}): Field<T, R> => ({
    ...options,
    as,
    label,
    required: (options.required ?? false) as R,
  })

const worth =
  (as: FieldKind, of: Worth) =>
  <const R extends boolean = false>(label: string, options: Options<R> = {}): Field<Decimal, R> => ({
    ...kind<Decimal>(as)(label, options),
    worth: of,
  })

/** A right to read money of some kind. */
export type MoneyRight = 'price' | 'profit'

/**
 * The rights without which money is not read. All money needs the right to prices. A trader's cost, beside a sale
 * price, reveals the profit, so it needs the right to that as well. A hospital sells nothing: its cost is the price at
 * which it bought.
 */
const rightsToKnow = (money: MoneyRight | Worth | null, org: string): readonly MoneyRight[] => {
  if (money === 'margin' || money === 'profit' || (money === 'cost' && 'DV'.includes(org))) return ['price', 'profit']
  return money === null ? [] : ['price']
}

/** The rights without which a measure is not read. */
export const rightsToMeasure = ({ right }: Pick<Measure, 'right'>, org: string): readonly MoneyRight[] =>
  rightsToKnow(right, org)

/**
 * The rights without which a field is not read: those of its money, and those of each measure that it shows. A column
 * cannot show a measure to somebody who may not read it.
 */
export function rightsToRead(
  { as, worth, measures = [] }: Pick<FieldSpec, 'as' | 'worth' | 'measures'>,
  org: string,
): readonly MoneyRight[] {
  const own = rightsToKnow(worth ?? (as === 'price' || as === 'amount' ? 'price' : null), org)
  return [...new Set([...own, ...measures.flatMap(measure => rightsToMeasure(measure, org))])]
}

/** The vocabulary of fields. A definition uses only these. */
export const f = {
  text: kind<string>('text'),
  /** A lot number: a text that is stored in one form, however it is typed. */
  lot: <const R extends boolean = false>(label: string, options: Options<R> = {}): Field<string, R> =>
    kind<string>('text')(label, { ...options, form: 'lot' }),
  /** The code of a piece or pack: a text in one form, whichever of its carriers was scanned. */
  piece: <const R extends boolean = false>(label: string, options: Options<R> = {}): Field<string, R> =>
    kind<string>('text')(label, { ...options, form: 'piece' }),
  longText: kind<string>('longText'),
  day: kind<Day>('day'),
  /**
   * The day until which goods may be used. A label that names only a month means its last day (GS1 General
   * Specifications).
   */
  expiry: <const R extends boolean = false>(label: string, options: Options<R> = {}): Field<Day, R> =>
    kind<Day>('day')(label, { ...options, monthMeansLastDay: true }),
  /** A moment, ISO 8601 with zone. */
  instant: kind<string>('instant'),
  /** A whole number. */
  count: kind<number>('count'),
  /** 3 places. */
  quantity: kind<Decimal>('quantity'),
  /** Taxed price per entered unit, 4 places. */
  price: kind<Decimal>('price'),
  /** Yuan, 2 places. */
  amount: kind<Decimal>('amount'),
  /** The cost of goods to us, in yuan. */
  cost: worth('amount', 'cost'),
  /** The cost of one piece to us. */
  unitCost: worth('price', 'cost'),
  /** The margin: price less cost. */
  margin: worth('amount', 'margin'),
  /** The margin as a share of the price. */
  marginRate: worth('rate', 'margin'),
  /** A column or filter of a report that identifies a patient or a treatment. */
  patient: <const R extends boolean = false>(label: string, options: Options<R> = {}): Field<string, R> => ({
    ...kind<string>('text')(label, options),
    masked: true,
  }),
  /** A fraction; shown as a percentage (times 100). */
  rate: kind<Decimal>('rate'),
  /** Integer percent out of 0, 1, 3, 6, 9, 13. */
  taxRate: kind<number>('taxRate'),
  flag: kind<boolean>('flag'),
  /** Names of stored files. */
  files: kind<readonly string[]>('files'),
  /** A list of words or codes. */
  codes: kind<readonly string[]>('codes'),
  /** Scanned codes of pieces that we know: the engine reads each as the code under which the piece is kept. */
  pieces: <const R extends boolean = false>(label: string, options: Options<R> = {}): Field<readonly string[], R> =>
    kind<readonly string[]>('codes')(label, { ...options, form: 'piece' }),
  /** Codes that pieces get: the engine writes each in the one form of all its carriers. */
  newPieces: <const R extends boolean = false>(label: string, options: Options<R> = {}): Field<readonly string[], R> =>
    kind<readonly string[]>('codes')(label, { ...options, form: 'newPiece' }),
  /** Several of some choices. */
  many: <const C extends Readonly<Record<string, string>>, const R extends boolean = false>(
    label: string,
    choices: C,
    options: Options<R> = {},
  ): Field<readonly (keyof C & string)[], R> => ({
    ...options,
    as: 'codes',
    label,
    choices,
    required: (options.required ?? false) as R,
  }),
  /** Names its target by definition name, never by import: the registry checks that the name exists. */
  ref: <const K extends string, const R extends boolean = false>(
    label: string,
    target: K,
    options: Options<R> = {},
  ): Field<Id<K>, R> => ({
    ...options,
    as: 'ref',
    label,
    target,
    required: (options.required ?? false) as R,
  }),
  pick: <const C extends Readonly<Record<string, string>>, const R extends boolean = false>(
    label: string,
    choices: C,
    options: Options<R> = {},
  ): Field<keyof C & string, R> => ({
    ...options,
    as: 'pick',
    label,
    choices,
    required: (options.required ?? false) as R,
  }),
}

/**
 * The database column behind a wire name. References are stored by id: `warehouse_model_inner_sn` → `warehouse_id`,
 * `counterparty_sn` → `counterparty_id`; every other field keeps its name. One rule, no mapping tables.
 */
export const columnOf = (name: string, field: Pick<FieldSpec, 'as'>): string =>
  field.as === 'ref' ? name.replace(/(_model)?(_inner)?_sn$/, '_id') : name

/** The wire name for a reference's readable name: `counterparty_sn` → `counterparty_name`. */
export const nameKeyOf = (name: string): string => name.replace(/(_model)?(_inner)?_sn$/, '_name')

/** The label of something that is not a field of its own, and the words for its values. */
export type Worded<K extends string | number> = {
  readonly label: string
  readonly choices: Readonly<Record<K, string>>
}
