import type { Guard } from '#kernel/definition/document.ts'

const unknownAsked = Symbol('a guard looks at what is not known yet')

/**
 * Why an action cannot run on a partly known document, or null: a row of a list has no `lines`, and what the
 * action's dialog will ask for is not answered. Guards that need unknown data are skipped.
 */
export function refusedByKnown(
  guards: readonly Guard<never>[],
  doc: Readonly<Record<string, unknown>>,
  unknown: readonly string[],
): string | null {
  const known = new Proxy(doc, {
    get(row: Readonly<Record<string, unknown>>, name: string) {
      if (unknown.includes(name)) throw unknownAsked
      return row[name] ?? null
    },
  })
  for (const guard of guards) {
    try {
      const held = guard(known as never)
      if (held !== true) return held
    } catch (thrown) {
      if (thrown !== unknownAsked) throw thrown
    }
  }
  return null
}
