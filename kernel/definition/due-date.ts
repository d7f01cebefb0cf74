/**
 * The day on which a paper is due. A field name: on that day its main purpose is, and lists know 是否超期. `while`: what waits is, till it
 * leaves these values instead. `lapses`: what it says holds until that day, and lists know 是否到期.
 */
export type Due =
  | string
  | { readonly field: string; readonly while: Readonly<Record<string, readonly string[]>> }
  | { readonly field: string; readonly lapses: true }
