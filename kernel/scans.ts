/**
 * What the scan counter counts into, and against what. `counts`: a line of the paper is expected and scanned off, a code of
 * nothing on it is refused; else scans make lines. A paper made from a source is always counted against it.
 */
export type Scans = {
  /** The line field that the scanned quantity goes into; default `quantity`. It may depend on how far the paper is. */
  readonly into?: string | ((header: Readonly<Record<string, unknown>>) => string)
  /** The line field that says how many are expected; default what stood in `into`. */
  readonly expects?: string
  /** The line field that says which pieces are expected; default `unit_codes`. */
  readonly pieces?: string
  /** The lines are a list to tick off, also without a source (a count, a ward's receipt). */
  readonly counts?: boolean
  /** A count finds what it finds, in many sittings: figures grow, more than expected and what is on no line counts as well, and what was not scanned stays open. */
  readonly beyond?: boolean
  /** Single pieces are not written on lines but handed to this call of the kind: `sn` and `codes`. */
  readonly call?: string
}

/** The line field that scans are counted into, as the paper stands. */
export const countedInto = ({ into }: Scans, header: Readonly<Record<string, unknown>>): string =>
  (typeof into === 'function' ? into(header) : into) ?? 'quantity'
