/** The place of an item in a list, -1 if it is not there, and the items before and behind it. */
export type Neighbours<T> = { readonly at: number; readonly previous: T | undefined; readonly next: T | undefined }

export function neighboursIn<T>(list: readonly T[], isIt: (item: T) => boolean): Neighbours<T> {
  const at = list.findIndex(isIt)
  return { at, previous: list[at - 1], next: at < 0 ? undefined : list[at + 1] }
}
