import type { Problem } from '#kernel/rules/errors.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { isBlank, type Line } from '#web/grid/lines.ts'

/**
 * The number under which the server speaks of each line: its own, or for a new one the next after all others, in the
 * order in which they are sent. Null for rows that are not sent.
 */
function serverNumbers(lines: readonly Line[]): readonly (number | null)[] {
  const own = lines.map(line => (line.values.line_no === undefined ? null : parseInteger(line.values.line_no)))
  let next = own.reduce<number>((most, number) => Math.max(most, number ?? 0), 0)
  return lines.map((line, at) => own[at] ?? (isBlank(line) ? null : ++next))
}

/** A line named at the beginning of a sentence or of one of its parts; a line of the source is another document's. */
const NAMED = /(?<!来源|来源单|与)第(\d{1,9})行/g
const FIRST = /^第(\d{1,9})行/

export type RowNumbers = {
  /** The row of a line that the server names. */
  readonly rowOf: (number: number) => number | null
  /** A sentence of the server, with the row numbers that the user sees. */
  readonly seen: (sentence: string) => string
  /** Marks for rows: where only the sentence names its line, that row is marked as a whole. */
  readonly marks: (problems: readonly Problem[], sentence: string) => readonly RowProblem[]
}
export type RowProblem = { readonly at: number; readonly field: string; readonly msg: string }

/** Rows are counted by the eye: the first is 1 whatever was deleted before. `numbered`: rows show their lines' own. */
export function rowNumbers(lines: readonly Line[], numbered: boolean): RowNumbers {
  const numbers = serverNumbers(lines)
  const rows = new Map(numbers.flatMap((number, at) => (number === null ? [] : [[number, at] as const])))
  const rowOf = (number: number) => rows.get(number) ?? null
  const seen = (sentence: string) =>
    numbered
      ? sentence
      : sentence.replaceAll(NAMED, (whole, digits: string) => {
          const at = rowOf(parseInteger(digits))
          return at === null ? whole : `第${at + 1}行`
        })
  const named = (sentence: string): readonly Problem[] => {
    const digits = FIRST.exec(sentence)?.[1]
    return digits === undefined ? [] : [{ line: parseInteger(digits), msg: sentence }]
  }
  return {
    rowOf,
    seen,
    marks: (problems, sentence) =>
      (problems.some(problem => problem.line !== undefined) ? problems : named(sentence)).flatMap(
        ({ line, field = '', msg }) => {
          const at = line === undefined ? null : rowOf(line)
          return at === null ? [] : [{ at, field, msg: seen(msg) }]
        },
      ),
  }
}
