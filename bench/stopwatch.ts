/** Milliseconds of each run of `work`, in order. */
export async function timed(runs: number, work: (run: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let run = 0; run < runs; run++) {
    const start = performance.now()
    await work(run)
    times.push(performance.now() - start)
  }
  return times
}

const at = (times: readonly number[], share: number): number =>
  [...times].sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
/** 25th percentile: for reads under a millisecond only the quick runs show the real cost. */
export const p25 = (times: readonly number[]): number => at(times, 0.25)
export const p50 = (times: readonly number[]): number => at(times, 0.5)
export const p95 = (times: readonly number[]): number => at(times, 0.95)

/**
 * Runs both sides in alternating rounds, so that a slow minute of the machine affects both. Returns the times of
 * each side.
 */
export async function sideBySide(
  rounds: number,
  a: (run: number) => Promise<unknown>,
  b: (run: number) => Promise<unknown>,
  each = 1,
): Promise<[number[], number[]]> {
  const [left, right]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    left.push(...(await timed(each, run => a(round * each + run))))
    right.push(...(await timed(each, run => b(round * each + run))))
  }
  return [left, right]
}

const ms = (value: number) => `${value < 10 ? value.toFixed(2) : value.toFixed(1)} ms`

/** The limit a ratio must stay within. */
export type Goal = { readonly most: number } | { readonly least: number }
/** A ratio within a quarter of its goal is not a failure: ratios vary by that much within one run. */
const LEEWAY = 1.25
const missed = new Map<string, string>()

/** Compares a ratio with its goal and records a miss beyond the leeway. Returns the goal as text. */
export function hold(what: string, ratio: number, goal: Goal): string {
  const isLeast = 'least' in goal
  const words = isLeast ? `≥ ${goal.least}x` : `≤ ${goal.most}x`
  const isMissed = isLeast ? ratio * LEEWAY < goal.least : ratio > goal.most * LEEWAY
  if (isMissed) missed.set(what, `${what}: ${ratio.toFixed(2)}x, goal ${words}`)
  return `${words}${isMissed ? '  MISSED' : ''}`
}

/** Measures, and repeats once if a goal was missed. Returns the goals missed twice in a row, as text. */
export async function checked(measure: () => Promise<unknown>): Promise<string[]> {
  missed.clear()
  await measure()
  const before = new Set(missed.keys())
  if (before.size === 0) return []
  console.log(`${[...before].join(', ')}: measured once more`)
  missed.clear()
  await measure()
  return [...missed].filter(([what]) => before.has(what)).map(([, words]) => words)
}

/** One report line: name, both figures, ratio, goal. */
export function report(what: string, ours: readonly number[], peer: readonly number[] | null, goal?: Goal): void {
  const ratio = peer ? p50(ours) / p50(peer) : null
  console.log(
    `${what.padEnd(52)} ${ms(p50(ours)).padStart(10)} (p95 ${ms(p95(ours)).padStart(9)})  ` +
      `${peer ? ms(p50(peer)).padStart(10) : ''.padStart(10)}  ` +
      `${(ratio === null ? '' : `${ratio.toFixed(2)}x`).padStart(7)}  ` +
      `${goal && ratio !== null ? hold(what, ratio, goal) : ''}`,
  )
}
