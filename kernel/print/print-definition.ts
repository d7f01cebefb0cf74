/** Papers of the printers in use, in millimetres. `form` is continuous paper in three copies, torn at its height. */
export const formats = {
  A4: { label: 'A4 纵向', width: 210, height: 297 },
  A4L: { label: 'A4 横向', width: 297, height: 210 },
  A5L: { label: 'A5 横向', width: 210, height: 148 },
  form140: { label: '241×140 三联', width: 241, height: 140 },
  form280: { label: '241×280 连续', width: 241, height: 280 },
} as const
export type PageFormat = keyof typeof formats

/** The free edge of a page, in millimetres. */
export type Margins = { readonly top: number; readonly right: number; readonly bottom: number; readonly left: number }
export const usualMargins: Margins = { top: 7, right: 9, bottom: 6, left: 9 }

/** Typefaces that printing houses have, and the sizes people know by name, in points. */
export const typefaces = { song: '宋体', hei: '黑体', kai: '楷体', fang: '仿宋' } as const
export const typeSizes = {
  smallest: { label: '六号（7.5磅）', points: 7.5 },
  small: { label: '小五（9磅）', points: 9 },
  medium: { label: '五号（10.5磅）', points: 10.5 },
  large: { label: '小四（12磅）', points: 12 },
} as const

/** How the number of a paper is written for machines. */
export const carryings = { code128: 'Code128', qrcode: 'QR', datamatrix: 'DataMatrix' } as const
export type RunningExport = keyof typeof carryings

/** One column of a printed table. `share`: of the width of the table; `as` decides places and side; a `number` is written like a quantity and not summed, a `code` is drawn as QR, `bars` as Code 128. */
export type PrintColumn = {
  readonly name: string
  readonly label: string
  readonly share: number
  readonly as?: 'text' | 'quantity' | 'number' | 'price' | 'amount' | 'percent' | 'blank' | 'code' | 'bars'
  /** To which side it is written; default figures right and words left. */
  readonly side?: 'left' | 'center' | 'right'
  /** Left out of a paper no line of which says anything here. */
  readonly optional?: true
  /** Printed only where a template names it. */
  readonly onWish?: true
  /** On papers that stack columns: its share there, or the column under which it stands in smaller type. */
  readonly narrow?: number
  readonly under?: string
}

/** A fact at the head: what it is called, where it stands in the paper, and what it is called on papers of some kinds. */
export type HeadFact = readonly [label: string, name: string, of?: Readonly<Record<string, string>>]

/** What may be said under the table, in this order. */
export const closings = {
  page: '本页小计',
  quantity: '合计数量',
  packages: '合计件数(箱)',
  untaxed: '不含税金额',
  tax: '税额',
  amount: '价税合计',
} as const
export type ClosingName = keyof typeof closings

/** A copy for another reader than the paper itself is for: other columns, another order of the lines, no prices. */
export type PrintCopy = {
  readonly name: string
  readonly label: string
  readonly columns: readonly PrintColumn[]
  readonly paper: PageFormat
  readonly sortBy: string
}

/** How papers of some kinds are printed: what stands above the table, in it, and below it. */
export type PrintSheet = {
  readonly route: `/newprint/${string}`
  readonly title: string
  /** Kinds printed on it, each with the title it bears; null: the paper's own. */
  readonly kinds: Readonly<Record<string, string | null>>
  /** Lines that fit on a page of each paper; the first is the paper it is printed on. */
  readonly papers: readonly { readonly paper: PageFormat; readonly lines: number }[]
  /** Its free edge where the template says none; default `usualMargins`. */
  readonly margins?: Margins
  readonly header: readonly HeadFact[]
  /** Facts that goods of the cold chain need besides; what nobody wrote down is left blank for a pen. */
  readonly coldChain?: readonly HeadFact[]
  readonly columns: readonly PrintColumn[]
  readonly signatures: readonly string[]
  readonly carrier: RunningExport
  /** What is said under the table; default all but the number of packages. */
  readonly closings?: readonly ClosingName[]
  /** What the sum of money is called, where it is not 价税合计. */
  readonly amountCalled?: string
  /** Papers on which columns stand one under another, so that a row has two lines. */
  readonly stacks?: readonly PageFormat[]
  /** Rows without goods fill the last page, so that the signatures stand at its foot. */
  readonly fillsPages?: true
  /** Codes of pieces stand below their row, at most so many; all of them on a list that goes with the paper. */
  readonly codesBelow?: number
  /** The parts of a carbon set. On paper of another kind each is printed by itself. Kinds that stay indoors have none. */
  readonly parts?: readonly string[]
  /** What a red paper is called, whatever its kind. */
  readonly redTitle?: string
  /** Signatures that some goods ask for besides, behind the one they go with: who looks at implants of class III and at cold goods. */
  readonly doubled?: { readonly after: string; readonly also: string }
  /** Lines that are printed alike but for how many are one line, with their sum. */
  readonly merges?: true
  /** The number in bars too, beside its carrier. */
  readonly alsoCode128?: true
  /** Where the house puts its seal, on every page; a paper that is not in force has no such place. */
  readonly seal?: string
  /** Kinds of this sheet that never leave the house, and the columns that only a stranger needs. */
  readonly indoors?: { readonly kinds: readonly string[]; readonly leaves: readonly string[] }
  /** Kinds of this sheet that go out without prices. */
  readonly unpriced?: readonly string[]
  /** Kinds that bear prices only when whoever prints them wants it. */
  readonly pricesOptional?: readonly string[]
  /** Lines that agree in this stand together under a title row, on one page as far as they fit on one. */
  readonly groupBy?: string
  /** Each group begins a page of its own. */
  readonly newPages?: true
  /** Lines are printed in the order of this, not in that of the paper; the last first where it says so. */
  readonly sortBy?: string
  readonly lastFirst?: true
  /** What is printed across it in a state, where that is another word than on other papers. */
  readonly marks?: Readonly<Record<string, string>>
  /** What it is called once it is in force. */
  readonly result?: string
  /** Facts that stand above the pages after the first; default all. */
  readonly shortHead?: readonly string[]
  /** Copies that may be chosen besides. */
  readonly copies?: readonly PrintCopy[]
  /** What is said under the table beside the sums of its columns. */
  readonly totals?: readonly (readonly [label: string, name: string])[]
  /** The parts of what is printed that also have labels of their own: where they stand in the answer, what each says and bears as a QR code. */
  readonly labels?: {
    readonly title: string
    readonly of: string
    readonly size: { readonly width: number; readonly height: number }
    readonly name: string
    readonly code: string
    readonly facts: readonly (readonly [label: string, name: string])[]
  }
  /** Printed besides the sheet of its papers, and offered under this name. */
  readonly besides?: string
  /**
   * A contract between two houses: which of the two is the buyer (where papers go both ways, by what they say in a field), what they agree
   * to where the template says nothing, and its name and text while the goods stay the seller's. `frame`: kinds that agree prices and no quantities.
   */
  readonly contract?: {
    readonly buyers: Readonly<
      Record<string, Buyer | { readonly by: string; readonly is: Readonly<Record<string, Buyer>> }>
    >
    readonly clauses: string
    readonly lent: { readonly title: string; readonly clauses: string }
    readonly frame: { readonly kinds: readonly string[]; readonly title: string; readonly clauses: string }
  }
  /** Columns, facts of the head and signatures that no template takes away, and in whose words that is refused. */
  readonly fixed?: {
    readonly columns: readonly string[]
    readonly header: readonly string[]
    readonly signatures: readonly string[]
    readonly because: string
  }
}

/** Who buys by a paper: whoever keeps it, or whom it names. */
type Buyer = 'org' | 'counterparty'

/** A sheet as an organisation wants it: what differs from its definition. */
export type PrintTemplate = {
  readonly print_template_sn: string
  readonly name: string
  readonly paper: PageFormat | null
  readonly lines_per_page: number | null
  readonly title: string | null
  /** The columns in their order, each with its width where it has one: 产品名称 40、规格型号、数量 12. */
  readonly column_layout: string | null
  readonly signatures: string | null
  /** The facts at the head and what is said under the table, in their order; none named: as the sheet has them. */
  readonly head_layout?: string | null
  readonly total_items?: string | null
  /** The sum of money in capitals too. */
  readonly has_capitals?: boolean | null
  readonly carrier?: RunningExport | null
  readonly note: string | null
  readonly margin_top?: number | null
  readonly margin_right?: number | null
  readonly margin_bottom?: number | null
  readonly margin_left?: number | null
  readonly typeface?: keyof typeof typefaces | null
  readonly type_size?: keyof typeof typeSizes | null
  /** A picture of the house, by its name in the store. */
  readonly logo?: readonly string[] | null
  /** Which state of it this is; what was printed by one is printed by it again. */
  readonly revision?: number
  readonly clauses?: string | null
  readonly signing_place?: string | null
  readonly valid_days?: number | null
}

/** Words of a list that people write with 、, commas or line ends between them. */
export const wordsOf = (text: string | null): readonly string[] =>
  (text ?? '')
    .split(/[、,，;；\n]/)
    .map(word => word.trim())
    .filter(word => word !== '')

/** Declares how some kinds of papers are printed. */
export const definePrint = (sheet: PrintSheet): PrintSheet => sheet
