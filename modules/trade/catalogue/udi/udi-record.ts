/** One device as in the regulator's file: the text of its own elements, and the packs that hold it. */
export type UdiRecord = { readonly said: Readonly<Record<string, string>>; readonly packs: readonly UdiPack[] }
export type UdiPack = {
  readonly di: string
  readonly level: string | null
  readonly count: number | null
  readonly holds: string | null
}
