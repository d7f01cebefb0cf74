/** Smaller parts of a paper's definition. */

/**
 * Besides the right to an action, a right of its own that some papers ask of whoever has the last word: who signs a lot answers for
 * quality. No ready role has it by its pages; the system never has it.
 */
export type ExtraPermission<D> = {
  readonly flag: string
  readonly label: string
  readonly when: (doc: D) => boolean
  readonly message: string
}

/** Rows of a workbook speak of lines that stand: found by their goods and by these fields where the row says them, and these are written. */
export type MatchedLines = { readonly by: readonly string[]; readonly writes: readonly string[] }
