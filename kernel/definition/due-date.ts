/**
 * The day on which a document is due. A field name: its main purpose is due on that day, and lists have 是否超期.
 * `while`: due until the field leaves these values instead. `lapses`: the document is valid until that day, and
 * lists have 是否到期.
 */
export type Due =
  | string
  | { readonly field: string; readonly while: Readonly<Record<string, readonly string[]>> }
  | { readonly field: string; readonly lapses: true }
