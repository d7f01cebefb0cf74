/** A copy of a record without some of its names. */
export const without = <T>(
  record: Readonly<Record<string, T>>,
  names: readonly string[] | ReadonlySet<string>,
): Record<string, T> => {
  const left = new Set(names)
  return Object.fromEntries(Object.entries(record).filter(([name]) => !left.has(name)))
}
