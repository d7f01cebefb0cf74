/** Sorts what is not so before what is. */
export const falseFirst = (a: boolean, b: boolean): number => (a === b ? 0 : a ? 1 : -1)

/** Sorts ids by their number, the smaller first. */
export function compareIds(a: string, b: string): number {
  const difference = BigInt(a) - BigInt(b)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}
