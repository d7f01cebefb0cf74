/** A row without the columns of these names. */
export const without = (
  row: Readonly<Record<string, unknown>>,
  names: readonly string[] | ReadonlySet<string>,
): Record<string, unknown> => {
  const left = new Set(names)
  return Object.fromEntries(Object.entries(row).filter(([name]) => !left.has(name)))
}
