/** Smaller parts of a document's definition. */

/**
 * An extra right that some documents require for the final decision: the person who signs off a lot is responsible
 * for quality. No predefined role has it through its pages; the system never has it.
 */
export type ExtraPermission<D> = {
  readonly flag: string
  readonly label: string
  readonly when: (doc: D) => boolean
  readonly message: string
}

/**
 * Rows of a workbook that update existing lines: matched by goods and by these fields where given, then these fields
 * are written.
 */
export type MatchedLines = { readonly by: readonly string[]; readonly writes: readonly string[] }
