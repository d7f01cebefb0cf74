/**
 * Paper sizes of the printers in use, in millimetres. `form` is continuous paper in three copies, torn at its
 * height.
 */
export const formats = {
  A4: { label: 'A4 纵向', width: 210, height: 297 },
  A4L: { label: 'A4 横向', width: 297, height: 210 },
  A5L: { label: 'A5 横向', width: 210, height: 148 },
  form140: { label: '241×140 三联', width: 241, height: 140 },
  form280: { label: '241×280 连续', width: 241, height: 280 },
} as const
export type PageFormat = keyof typeof formats

/** The page margins, in millimetres. */
export type Margins = { readonly top: number; readonly right: number; readonly bottom: number; readonly left: number }
export const usualMargins: Margins = { top: 7, right: 9, bottom: 6, left: 9 }

/** Common typefaces, and font sizes by their usual names, in points. */
export const typefaces = { song: '宋体', hei: '黑体', kai: '楷体', fang: '仿宋' } as const
export const typeSizes = {
  smallest: { label: '六号（7.5磅）', points: 7.5 },
  small: { label: '小五（9磅）', points: 9 },
  medium: { label: '五号（10.5磅）', points: 10.5 },
  large: { label: '小四（12磅）', points: 12 },
} as const

/** The machine-readable form of a document's number. */
export const numberCodes = { code128: 'Code128', qrcode: 'QR', datamatrix: 'DataMatrix' } as const
export type NumberCode = keyof typeof numberCodes

/**
 * One column of a printed table. `share`: of the width of the table; `as` decides decimal places and alignment; a
 * `number` is written like a quantity and not summed, a `code` is drawn as QR, `bars` as Code 128, a
 * `datamatrix` as the GS1 DataMatrix of an element string.
 */
export type PrintColumn = {
  readonly name: string
  readonly label: string
  readonly share: number
  readonly as?:
    | 'text'
    | 'quantity'
    | 'number'
    | 'price'
    | 'amount'
    | 'percent'
    | 'blank'
    | 'code'
    | 'bars'
    | 'datamatrix'
  /** Alignment; default figures right and words left. */
  readonly side?: 'left' | 'center' | 'right'
  /** Its values do not add up, or not over these lines: it has no sum at the foot of a page. */
  readonly unsummed?: true
  /** Left out when no line of the document has a value here. */
  readonly optional?: true
  /** Printed only where a template names it. */
  readonly onRequest?: true
  /** On paper sizes that stack columns: its share there, or the column under which it is printed in smaller type. */
  readonly narrow?: number
  readonly under?: string
}

/** A fact at the head: its label, its field in the document, and its label for some kinds. */
export type HeadFact = readonly [label: string, name: string, of?: Readonly<Record<string, string>>]

/** The sums that may be printed under the table, in this order. */
export const closings = {
  page: '本页小计',
  quantity: '合计数量',
  packages: '合计件数(箱)',
  untaxed: '不含税金额',
  tax: '税额',
  amount: '价税合计',
} as const
export type ClosingName = keyof typeof closings

/** A copy for another reader than the main sheet: other columns, another line order, no prices. */
export type PrintCopy = {
  readonly name: string
  readonly label: string
  readonly columns: readonly PrintColumn[]
  readonly paper: PageFormat
  readonly sortBy: string
  /** Head facts, totals, and `signatures`, that this reader may not see. */
  readonly leaves?: readonly string[]
  /** The field of a line that says for which reader it is: each gets a copy with his lines alone. */
  readonly per?: string
}

/** A document as it is printed: its fields, and its `lines`. */
export type Printed = Readonly<Record<string, unknown>>

/** The print of documents of some kinds: above the table, in it, and below it. */
export type PrintSheet = {
  readonly route: `/newprint/${string}`
  readonly title: string
  /** Kinds printed on it, each with its title; null: the document's own. */
  readonly kinds: Readonly<Record<string, string | null>>
  /** Lines that fit on a page of each paper size; the first is the default. */
  readonly papers: readonly { readonly paper: PageFormat; readonly lines: number }[]
  /** Its margins where the template gives none; default `usualMargins`. */
  readonly margins?: Margins
  readonly header: readonly HeadFact[]
  /** Extra facts for cold-chain goods; empty ones are left blank to fill in by pen. */
  readonly coldChain?: readonly HeadFact[]
  readonly columns: readonly PrintColumn[]
  readonly signatures: readonly string[]
  readonly carrier: NumberCode
  /** The sums printed under the table; default all but the number of packages. */
  readonly closings?: readonly ClosingName[]
  /** The label of the total amount, where it is not 价税合计. */
  readonly amountCalled?: string
  /** Paper sizes on which columns are stacked, so that a row has two lines. */
  readonly stacks?: readonly PageFormat[]
  /** Millimetres that a row has at least: there is a place in it for a label. */
  readonly rowHeight?: number
  /** Printed again, somebody says why; it is logged. */
  readonly asksWhyAgain?: true
  /** Empty rows fill the last page, so that the signatures are at its foot. */
  readonly fillsPages?: true
  /** Codes of pieces are printed below their row, up to this many; all of them on an attached list. */
  readonly codesBelow?: number
  /** The parts of a carbon set. On other paper each is printed separately. Internal kinds have none. */
  readonly parts?: readonly string[]
  /** The title of a reversal, whatever its kind. */
  readonly redTitle?: string
  /**
   * Extra signatures for some goods, after the one they go with: who checks class III implants and cold-chain goods.
   */
  readonly doubled?: { readonly after: string; readonly also: string }
  /** The printed signature beside which a signature on the document is shown, by the role of its signer. */
  readonly signedAs?: Readonly<Record<string, string>>
  /** Lines that differ only in quantity are printed as one line with their sum. */
  readonly merges?: true
  /** The number also as a Code 128 bar code, beside its main carrier. */
  readonly alsoCode128?: true
  /** The place of the organisation's seal, on every page; a document not in effect has no such place. */
  readonly seal?: string
  /** Internal kinds of this sheet, and the columns that only other organisations need. */
  readonly indoors?: { readonly kinds: readonly string[]; readonly leaves: readonly string[] }
  /** Kinds of this sheet that are sent out without prices. */
  readonly unpriced?: readonly string[]
  /** Kinds printed with prices only on request. */
  readonly pricesOptional?: readonly string[]
  /** Lines with the same value here are grouped under a title row, on one page where they fit. */
  readonly groupBy?: string
  /** Each group starts a new page. */
  readonly newPages?: true
  /** Lines are printed in the order of this field, not the document's; descending where specified. */
  readonly sortBy?: string
  readonly lastFirst?: true
  /** The watermark in a state, where it differs from the usual word. */
  readonly marks?: Readonly<Record<string, string>>
  /** Its title once it is in effect. */
  readonly result?: string
  /** Facts printed above the pages after the first; default all. */
  readonly shortHead?: readonly string[]
  /** Additional copies that may be chosen. */
  readonly copies?: readonly PrintCopy[]
  /** Lines printed under the table besides the column sums. */
  readonly totals?: readonly (readonly [label: string, name: string])[]
  /**
   * The parts of the printed data that also have labels: where they are in the answer, what each says and holds as a
   * QR code.
   */
  readonly labels?: {
    readonly title: string
    readonly of: string
    readonly size: { readonly width: number; readonly height: number }
    readonly name: string
    readonly code: string
    /**
     * Its code is the address of a page of this program, which opens when it is scanned; the address is not printed
     * below.
     */
    readonly opens?: true
    readonly facts: readonly (readonly [label: string, name: string])[]
  }
  /** Printed in addition to the sheet of its documents, and offered under this name. */
  readonly besides?: string
  /**
   * Several chosen documents on one sheet: what it says of them as printed, or the sentence why they cannot be on one.
   * Each of them follows it on the sheet of its kind.
   */
  readonly gathers?: (documents: readonly Printed[]) => Printed | string
  /**
   * A contract between two organisations: which one is the buyer (where documents go both ways, by a field), the
   * default terms where the template gives none, and its name and text while the goods stay the seller's. `frame`:
   * kinds that agree prices and no quantities, with a total only where the field `amount` says one; by the field `type`
   * such a contract has another name and text.
   */
  readonly contract?: {
    readonly buyers: Readonly<
      Record<string, Buyer | { readonly by: string; readonly is: Readonly<Record<string, Buyer>> }>
    >
    readonly clauses: string
    readonly lent: { readonly title: string; readonly clauses: string }
    readonly frame: {
      readonly kinds: readonly string[]
      readonly title: string
      readonly clauses: string
      readonly amount: string
      readonly type: string
      readonly types: Readonly<Record<string, { readonly title: string; readonly clauses: string }>>
    }
  }
  /** Columns, head facts and signatures that no template can remove, and the message for that. */
  readonly fixed?: {
    readonly columns: readonly string[]
    readonly header: readonly string[]
    readonly signatures: readonly string[]
    readonly because: string
  }
}

/** The buyer of a document: its owner, or the organisation it names. */
type Buyer = 'org' | 'counterparty'

/** A sheet as an organisation wants it: the differences from its definition. */
export type PrintTemplate = {
  readonly print_template_sn: string
  readonly name: string
  readonly paper: PageFormat | null
  readonly lines_per_page: number | null
  readonly title: string | null
  /** The columns in order, each with an optional width: 产品名称 40、规格型号、数量 12. */
  readonly column_layout: string | null
  readonly signatures: string | null
  /** The head facts and what is printed under the table, in order; if none are named: as the sheet defines. */
  readonly head_layout?: string | null
  readonly total_items?: string | null
  /** Also print the total in Chinese capitals. */
  readonly has_capitals?: boolean | null
  readonly carrier?: NumberCode | null
  readonly note: string | null
  readonly margin_top?: number | null
  readonly margin_right?: number | null
  readonly margin_bottom?: number | null
  readonly margin_left?: number | null
  readonly typeface?: keyof typeof typefaces | null
  readonly type_size?: keyof typeof typeSizes | null
  /** The organisation's logo, by its name in the file store. */
  readonly logo?: readonly string[] | null
  /** Its revision; a document printed with a revision is reprinted with the same one. */
  readonly revision?: number
  readonly clauses?: string | null
  readonly signing_place?: string | null
  readonly valid_days?: number | null
}

/** The words of a list separated by 、, commas or line ends. */
export const wordsOf = (text: string | null): readonly string[] =>
  (text ?? '')
    .split(/[、,，;；\n]/)
    .map(word => word.trim())
    .filter(word => word !== '')

/** Declares how some kinds of documents are printed. */
export const definePrint = (sheet: PrintSheet): PrintSheet => sheet
