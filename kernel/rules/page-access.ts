/** A definition as far as rights go: its kind, and the pages that show it. */
export type Shown = { readonly kind: string; readonly screens: readonly { readonly route: string }[] }

/**
 * True if somebody has a page that shows the kind, or any operation on it: who may act on a document may open it. The
 * server refuses by it, and pages offer links by it.
 */
export const showsKind = (
  { kind, screens }: Shown,
  hasPage: (route: string) => boolean,
  operations: Iterable<string>,
): boolean => {
  if (screens.some(({ route }) => hasPage(route))) return true
  for (const flag of operations) if (flag.startsWith(`${kind}.`)) return true
  return false
}
