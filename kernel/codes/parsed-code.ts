/** The result of a scan: a reading, or a refusal that the user can act on. */

export type CodeKind = 'gs1' | 'gs1-digital-link' | 'ma' | 'hibc' | 'gtin' | 'document' | 'inhouse'

export type CodeError =
  | 'code.empty'
  | 'code.tooLong'
  | 'code.tooShort'
  | 'code.unprintable'
  | 'code.hasSpace'
  | 'gs1.unknownIdentifier'
  | 'gs1.badLength'
  | 'gs1.badCharacter'
  | 'gs1.badCheckDigit'
  | 'gs1.badDate'
  | 'gs1.badPiece'
  | 'gs1.emptyElement'
  | 'gs1.missingProduct'
  | 'gs1.conflictingElements'
  | 'gs1.separatorLost'
  | 'gtin.badCheckDigit'
  | 'link.noProduct'
  | 'link.compressed'
  | 'link.badEncoding'
  | 'link.badPath'
  | 'ma.incomplete'
  | 'ma.badSegment'
  | 'ma.badDate'
  | 'ma.conflictingSegments'
  | 'hibc.badCheckCharacter'
  | 'hibc.badData'
  | 'hibc.missingProduct'
  | 'merge.differentProducts'
  | 'merge.conflictingElements'
  | 'merge.undecided'
  | 'merge.notMergeable'

/** One printed group: a GS1 application identifier, an MA segment letter or an HIBC data identifier, and its name. */
export interface CodeElement {
  readonly ai: string
  readonly label: string
  readonly value: string
}

export interface ReadCode {
  readonly ok: true
  readonly kind: CodeKind
  /** Exactly what the scanner sent. */
  readonly raw: string
  /**
   * The cleaned text, used to look up an in-house code or document number; of a GS1 string whose separators were
   * restored, the line with brackets.
   */
  readonly text: string
  /** A 14-digit GTIN, the five MA segments, or the HIBC primary data from `+` to the unit of measure. */
  readonly di: string | null
  readonly lot: string | null
  readonly serial: string | null
  readonly productionDate: string | null
  /** False when the label prints no day (00): the date is then the last day of the month. */
  readonly productionDayKnown: boolean
  /** The last valid day. */
  readonly expiryDate: string | null
  readonly expiryDayKnown: boolean
  readonly expiryRaw: string | null
  readonly count: number | null
  readonly elements: readonly CodeElement[]
  /** True when separators were guessed; the user should compare with the label. */
  readonly repaired: boolean
  readonly warnings: readonly string[]
  /**
   * Present when several readings are possible: this result then holds only what all of them have in common, and the
   * text of each is the code that a person chooses.
   */
  readonly candidates?: readonly ReadCode[]
}

export interface RefusedCode {
  readonly ok: false
  readonly raw: string
  readonly error: CodeError
  readonly message: string
  /** The groups of a symbol without product identifier, kept so that a second scan can complete it. */
  readonly fragment?: readonly CodeElement[]
}

export type ParsedCode = ReadCode | RefusedCode

/** A lot (10) or serial (21) of a product. */
export interface NamedNumber {
  readonly gtin: string
  readonly ai: '10' | '21'
  readonly value: string
}

/** Knowledge of the caller that the code itself does not contain. */
export interface CodeContext {
  /** YYYY-MM-DD; anchors two-digit years. */
  readonly today?: string
  /** Tells which of the lots and serials that a string without separators may name are known. */
  readonly knownNumbers?: (asked: readonly NamedNumber[]) => readonly NamedNumber[]
  readonly inhouse?: readonly RegExp[]
}

/** A scan after cleaning. `text` has no symbology prefix and no leading separator. */
export interface Scan {
  readonly raw: string
  readonly text: string
  /** The statement of the symbology prefix: GS1 data, a bare item number, certainly not GS1, or nothing. */
  readonly carrier: 'gs1' | 'gs1-qr' | 'gs1-databar' | 'item' | 'not-gs1' | 'unstated'
  /** True when a leading FNC1 arrived as a separator. */
  readonly hasLeadingSeparator: boolean
  readonly warnings: readonly string[]
}

export function refuse(raw: string, error: CodeError, message: string, fragment?: readonly CodeElement[]): RefusedCode {
  return fragment === undefined ? { ok: false, raw, error, message } : { ok: false, raw, error, message, fragment }
}

/** A reading with nothing but its kind; callers add what they know. */
export function blankCode(kind: CodeKind, scan: Pick<Scan, 'raw' | 'text' | 'warnings'>): ReadCode {
  return {
    ok: true,
    kind,
    raw: scan.raw,
    text: scan.text,
    di: null,
    lot: null,
    serial: null,
    productionDate: null,
    productionDayKnown: false,
    expiryDate: null,
    expiryDayKnown: false,
    expiryRaw: null,
    count: null,
    elements: [],
    repaired: false,
    warnings: scan.warnings,
  }
}

/** A value for use in a message: short, without characters that would garble a screen. */
export function shown(value: string): string {
  const printable = value.replace(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, '□')
  return printable.length > 40 ? `${[...printable].slice(0, 40).join('')}…` : printable
}
