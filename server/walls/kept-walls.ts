type Kept = { readonly until: number; readonly answer: Promise<unknown> }

/** Most answers that are kept at once. */
const MOST_KEPT = 400

/**
 * Walls of an organisation, and sums over all organisations, kept until they are read again: however many screens show
 * them, each is computed once per refresh. A failed reading is not kept. A key contains everything on which the answer
 * depends, also who may see it.
 */
const kept = new Map<string, Kept>()

export function keptAnswer<T>(key: string, seconds: number, read: () => Promise<T>): Promise<T> {
  const now = Date.now()
  const known = kept.get(key)
  if (known !== undefined && known.until > now) return known.answer as Promise<T>
  for (const [name, { until }] of kept) if (until <= now || kept.size >= MOST_KEPT) kept.delete(name)
  // Somewhat shorter than the clock of a screen, so that each of its readings is a new one.
  const answer = read()
  kept.set(key, { until: now + seconds * 900, answer })
  answer.catch(() => kept.delete(key))
  return answer
}
