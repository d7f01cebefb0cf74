import type { Purpose } from '#kernel/definition/progress.ts'

/**
 * The day on which a document is due. A field name: its main purpose is due on that day, and lists have 是否超期.
 * `while`: due until the field leaves these values instead. `lapses`: the document is valid until that day, and
 * lists have 是否到期. `owed`: what was counted of the first purpose is due until it was counted of the second, unless
 * the flag says that nothing is owed any more; lists have 是否逾期.
 */
export type Due =
  | string
  | { readonly field: string; readonly while: Readonly<Record<string, readonly string[]>> }
  | { readonly field: string; readonly lapses: true }
  | { readonly field: string; readonly owed: readonly [Purpose, Purpose]; readonly unless: string }
