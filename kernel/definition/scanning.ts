/**
 * What the scan counter counts into, and against what. `counts`: a line of the paper is expected and scanned off, a code of
 * nothing on it is refused; else scans make lines. A paper made from a source is always counted against it.
 */
export type Scanning = {
  /** The line field that the scanned quantity goes into; default `quantity`. It may depend on how far the paper is. */
  readonly quantityField?: string | ((header: Readonly<Record<string, unknown>>) => string)
  /** The line field that says how many are expected; default what stood in `into`. */
  readonly expectedField?: string
  /** The line field that says which pieces are expected; default `unit_codes`. */
  readonly expectedUnitsField?: string
  /** The lines are a list to tick off, also without a source (a count, a ward's receipt). */
  readonly checklist?: boolean
  /** A count finds what it finds, in many sittings: figures grow, more than expected and what is on no line counts as well, and what was not scanned stays open. */
  readonly openCount?: boolean
  /** A list is scanned off in several sittings: figures grow up to what is expected, and the line field `grows` keeps the pieces that were scanned. */
  readonly scannedUnitsField?: string
  /** What was not there stays on the paper with nothing counted: its line is to say why. Else such lines are left out. */
  readonly keepsUnscanned?: (header: Readonly<Record<string, unknown>>) => boolean
  /** Once this holds of the paper it is scanned in another way: what was promised is picked. */
  readonly later?: { readonly when: (header: Readonly<Record<string, unknown>>) => boolean; readonly as: Scanning }
  /** Single pieces are not written on lines but handed to this call of the kind: `sn` and `codes`. */
  readonly unitAction?: string
}

/** How the paper is scanned as it stands. */
export const scansOf = (scans: Scanning, header: Readonly<Record<string, unknown>>): Scanning =>
  scans.later?.when(header) ? scans.later.as : scans

/** The line field that scans are counted into, as the paper stands. */
export const countedInto = ({ quantityField: into }: Scanning, header: Readonly<Record<string, unknown>>): string =>
  (typeof into === 'function' ? into(header) : into) ?? 'quantity'
