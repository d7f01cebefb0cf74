/** A small seeded random generator: the same seed makes the same choices. */
export interface Chance {
  readonly seed: number
  /** 0 ≤ n < below. */
  below(below: number): number
  /** from ≤ n ≤ to. */
  between(from: number, to: number): number
  one<T>(list: readonly T[]): T
  some<T>(list: readonly T[], most: number): T[]
  /** A shuffled copy of the list. */
  all<T>(list: readonly T[]): T[]
  yes(share: number): boolean
}

export function chanceOf(seed: number): Chance {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (limit: number) => Math.floor(next() * limit)
  const shuffled = <T>(list: readonly T[]): T[] => {
    const copy = [...list]
    for (let at = copy.length - 1; at > 0; at--) {
      const other = below(at + 1)
      ;[copy[at], copy[other]] = [copy[other]!, copy[at]!]
    }
    return copy
  }
  return {
    seed,
    below,
    between: (from, to) => from + below(to - from + 1),
    one: list => list[below(list.length)]!,
    some: (list, most) => shuffled(list).slice(0, 1 + below(most)),
    all: shuffled,
    yes: share => next() < share,
  }
}
