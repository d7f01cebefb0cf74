import { allRules } from '#server/menu/page-rules.ts'

/**
 * Says which rules the test proves that begins with it: it fails when one of them is broken. Called in a `describe` it
 * speaks for all its tests. Refuses an id that no rule has.
 */
export function proves(...ids: readonly string[]): void {
  const known = new Set(allRules().map(({ id }) => id))
  const unknown = ids.filter(id => !known.has(id))
  if (unknown.length > 0) throw new Error(`no rule is called ${unknown.join(', ')}`)
}
