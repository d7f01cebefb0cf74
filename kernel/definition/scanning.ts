/** True if lines are counted against what is expected of them: only a checklist is counted in several sessions. */
type Counting =
  | {
      /** The lines are a checklist, also without a source (a count, a ward's receipt). */
      readonly checklist: true
      /**
       * An open count in several sessions: figures grow, surplus quantities and goods on no line count as well, and
       * what was not scanned stays open.
       */
      readonly openCount?: boolean
      /**
       * It is scanned in several sessions: figures grow up to the expected quantity, and this line field keeps the
       * pieces.
       */
      readonly scannedUnitsField?: string
    }
  | { readonly checklist?: never; readonly openCount?: never; readonly scannedUnitsField?: never }

/**
 * The lines that the scan counter counts into, and the lines that it counts against. `counts`: an expected line of the
 * document is scanned off, an unknown code is refused; otherwise scans create lines. A document made from a source is
 * always counted against it.
 */
export type Scanning = Counting & {
  /** The line field that holds the scanned quantity; default `quantity`. It may depend on the document's progress. */
  readonly quantityField?: string | ((header: Readonly<Record<string, unknown>>) => string)
  /** The line field with the expected quantity; default the earlier value of `into`. */
  readonly expectedField?: string
  /** The line field with the expected pieces; default `unit_codes`. */
  readonly expectedUnitsField?: string
  /**
   * Missing items stay on the document with quantity zero: their line needs a reason. Otherwise such lines are left
   * out.
   */
  readonly keepsUnscanned?: (header: Readonly<Record<string, unknown>>) => boolean
  /** Once the document meets this, it is scanned in another way: what was promised is picked. */
  readonly later?: { readonly when: (header: Readonly<Record<string, unknown>>) => boolean; readonly as: Scanning }
  /** Single pieces are not written on lines but passed to this call of the kind: `sn` and `codes`. */
  readonly unitAction?: string
}

/** The way in which the document is scanned in its current state. */
export const scansOf = (scans: Scanning, header: Readonly<Record<string, unknown>>): Scanning =>
  scans.later?.when(header) ? scans.later.as : scans

/** The line field that scans are counted into, in the document's current state. */
export const countedInto = ({ quantityField: into }: Scanning, header: Readonly<Record<string, unknown>>): string =>
  (typeof into === 'function' ? into(header) : into) ?? 'quantity'
