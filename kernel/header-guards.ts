import type { Guard } from '#kernel/document.ts'

const linesAsked = Symbol('a guard looks at lines')
const noLines = {
  get(row: Readonly<Record<string, unknown>>, name: string) {
    if (name === 'lines') throw linesAsked
    return row[name] ?? null
  },
}

/**
 * Why a paper of which only the header is at hand (a row of a list) cannot have something done to it, or null. Guards that look at lines
 * are left to whoever has them.
 */
export function refusedByHeader(
  // oxlint-disable-next-line typescript/no-explicit-any -- a guard takes the paper of its own definition
  guards: readonly Guard<any>[],
  row: Readonly<Record<string, unknown>>,
): string | null {
  const paper = new Proxy(row, noLines)
  for (const guard of guards) {
    try {
      const held = guard(paper)
      if (held !== true) return held
    } catch (thrown) {
      if (thrown !== linesAsked) throw thrown
    }
  }
  return null
}
