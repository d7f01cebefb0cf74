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
/** Of reads that take less than a millisecond, only the quick ones tell what they cost. */
export const p25 = (times: readonly number[]): number => at(times, 0.25)
export const p50 = (times: readonly number[]): number => at(times, 0.5)
export const p95 = (times: readonly number[]): number => at(times, 0.95)

/** Alternating rounds, so that a slow minute of the machine falls on both sides. Gives the times of each side. */
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

/** One line of the report: what, both figures, their ratio, the goal. */
export function report(what: string, ours: readonly number[], peer: readonly number[] | null, goal = ''): void {
  const ratio = peer ? `${(p50(ours) / p50(peer)).toFixed(2)}x` : ''
  console.log(
    `${what.padEnd(52)} ${ms(p50(ours)).padStart(10)} (p95 ${ms(p95(ours)).padStart(9)})  ${peer ? ms(p50(peer)).padStart(10) : ''.padStart(10)}  ${ratio.padStart(7)}  ${goal}`,
  )
}
