/**
 * Reads element strings whose separators the scanner dropped. All legal splits are tried within a budget, and each
 * is scored by how much of it can hardly be chance: a known lot, a plausible expiry date.
 */
import { GS } from './gs1-elements.ts'
import { identifierAt, isInvariant, valueFault } from './identifiers.ts'
import type { Identifier } from './identifiers.ts'
import type { CodeElement } from './parsed-code.ts'
import { readYymmdd, yearsFrom } from './code-date.ts'

/**
 * One way to split the string. `lostAfter` lists the positions, in `elements`, of groups that should have had a
 * separator.
 */
export interface Split {
  readonly elements: readonly CodeElement[]
  readonly lostAfter: readonly number[]
}

export interface Search {
  readonly splits: readonly Split[]
  readonly isExhaustive: boolean
}

const STEP_BUDGET = 20_000
const SPLIT_LIMIT = 400
const GROUP_LIMIT = 12

interface Walk {
  readonly body: string
  readonly today: string
  readonly splits: Split[]
  steps: number
}

/** Possible ends of a value: the standard's first, then earlier ones, which presume a lost separator. */
function possibleEnds(walk: Walk, id: Identifier, start: number): readonly { end: number; isLost: boolean }[] {
  const separator = walk.body.indexOf(GS, start)
  const stop = separator === -1 ? walk.body.length : separator
  if (id.predefined) return [{ end: start + id.maxLength, isLost: false }]
  const ends: { end: number; isLost: boolean }[] = []
  for (let end = Math.min(stop, start + id.maxLength); end > start; end -= 1) {
    if (end === stop || identifierAt(walk.body, end) !== undefined) ends.push({ end, isLost: end !== stop })
  }
  return ends
}

function skipSeparators(body: string, at: number): number {
  let next = at
  while (body[next] === GS) next += 1
  return next
}

function descend(walk: Walk, from: number, elements: readonly CodeElement[], lostAfter: readonly number[]): void {
  walk.steps += 1
  if (walk.steps > STEP_BUDGET || walk.splits.length >= SPLIT_LIMIT) return
  const at = skipSeparators(walk.body, from)
  if (at >= walk.body.length) {
    if (elements.some(element => element.ai === '01')) walk.splits.push({ elements, lostAfter })
    return
  }
  const id = identifierAt(walk.body, at)
  if (id === undefined || elements.length >= GROUP_LIMIT || elements.some(element => element.ai === id.ai)) return
  const start = at + id.ai.length
  for (const { end, isLost } of possibleEnds(walk, id, start)) {
    const value = walk.body.slice(start, end)
    if (!isInvariant(value) || valueFault(id, value, walk.today) !== null) continue
    const element: CodeElement = { ai: id.ai, label: id.label, value }
    descend(walk, end, [...elements, element], isLost ? [...lostAfter, elements.length] : lostAfter)
  }
}

/** Every legal split of `body` that names a product, the standard one first. */
export function legalSplits(body: string, today: string): Search {
  const walk: Walk = { body, today, splits: [], steps: 0 }
  descend(walk, 0, [], [])
  return { splits: walk.splits, isExhaustive: walk.steps <= STEP_BUDGET && walk.splits.length < SPLIT_LIMIT }
}

/** Identifiers usual on medical labels; any other one inside a string without separators is probably part of a lot. */
const USUAL = new Set(['01', '10', '11', '13', '15', '17', '20', '21', '22', '30', '37', '240', '241', '250', '7003'])

function dateScore(element: CodeElement, today: string): number {
  const day = readYymmdd(element.value, today)?.day
  if (day === undefined) return 0
  if (element.ai === '17') return day >= yearsFrom(today, -10) && day <= yearsFrom(today, 15) ? 15 : -6
  return day >= yearsFrom(today, -20) && day <= today ? 9 : -6
}

function shortness(element: CodeElement): number {
  if (element.ai !== '10' && element.ai !== '21') return 0
  return element.value.length === 1 ? -4 : element.value.length === 2 ? -2 : 0
}

/** A lot followed by a serial that starts with a letter: a person would see this cut, so the user is asked. */
function serialHint(split: Split): number {
  return split.lostAfter.some(position => {
    const lot = split.elements[position]?.value ?? ''
    const next = split.elements[position + 1]
    return next?.ai === '21' && lot.length >= 3 && next.value.length >= 3 && /^[A-Za-z]/.test(next.value)
  })
    ? 10
    : 0
}

/** How far apart two scores must be for the better one to be accepted. */
export const CLEAR_LEAD = 3

/** Higher is likelier. A string that is legal without repair scores above any that needs a lost separator. */
export function plausibility(split: Split, today: string, lots: ReadonlySet<string>): number {
  let score = split.lostAfter.length === 0 ? 10 : -2 * split.lostAfter.length
  for (const element of split.elements) {
    if (element.ai === '10' && lots.has(element.value)) score += 100
    if (element.ai === '11' || element.ai === '17') score += dateScore(element, today)
    if (!USUAL.has(element.ai)) score -= 8
    score += shortness(element)
  }
  return score + serialHint(split)
}

/** True when a legal lot may contain a serial number: worth a warning, not a question. */
export function mayHideSerial(search: Search): boolean {
  return search.splits.some(split =>
    split.lostAfter.some(position => {
      const [before, after] = [split.elements[position], split.elements[position + 1]]
      return before?.ai === '10' && after?.ai === '21' && before.value.length >= 3 && after.value.length >= 3
    }),
  )
}
