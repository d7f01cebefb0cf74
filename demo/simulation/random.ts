/** Random numbers with a fixed seed: the same name gives the same numbers on every run, in any order of calls. */
export type Chance = {
  /** At least 0, below 1. */
  readonly next: () => number
  /** A whole number from `low` to `high`, both possible. */
  readonly between: (low: number, high: number) => number
}

const SEED = 20260521

export function chance(name: string): Chance {
  let state = SEED
  for (const letter of name) state = Math.imul(state ^ letter.charCodeAt(0), 0x01000193) >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return { next, between: (low, high) => low + Math.floor(next() * (high - low + 1)) }
}
