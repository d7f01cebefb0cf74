type Numbered = Readonly<Record<string, unknown>>

/**
 * The numbers of sent lines: a line keeps its own, a new one gets the next after all others and after `last`, the
 * highest that the document ever had. Sentences name lines by them from the first check on, so that a page can say
 * which of its rows is meant.
 */
export function lineNumbers(lines: readonly unknown[], last = 0): readonly number[] {
  const own = lines.map(line => {
    const given = line !== null && typeof line === 'object' ? (line as Numbered).line_no : undefined
    return typeof given === 'number' && Number.isInteger(given) && given > 0 ? given : null
  })
  let next = own.reduce<number>((most, number) => Math.max(most, number ?? 0), last)
  return own.map(number => number ?? ++next)
}
