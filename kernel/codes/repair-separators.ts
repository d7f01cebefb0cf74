/**
 * Reads element strings whose separators the scanner dropped. All legal splits are tried within a budget; the readings
 * that a person could choose, and known lots and serials, decide which of them may be meant.
 */
import { standTogether } from './associations.ts'
import { productNumber } from './gs1-code.ts'
import { GS } from './gs1-elements.ts'
import { identifierAt, isInvariant, valueFault } from './identifiers.ts'
import type { Identifier } from './identifiers.ts'
import type { CodeElement } from './parsed-code.ts'
import { readShortOrLongDay, readYymmdd, yearsFrom } from './code-date.ts'

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
    if (productNumber(elements) !== null) walk.splits.push({ elements, lostAfter })
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

/**
 * Identifiers that medical labels have after a lot or a serial; any other one after a lost separator is probably part
 * of the value before it.
 */
const USUAL = /^(?:01|1[01357]|21|30|24[01]|25[01]|71[0-7]|7003)$/
/** Lots and serials of one or two characters are rare; two digits within a lot are not. */
const SHORTEST = 3
/** So many digits are no accident within a lot. */
const LONG_NUMBER = 7
const isNumbered = ({ ai }: CodeElement): boolean => ai === '10' || ai === '21'
const isDate = (ai: string): boolean => /^1[1-7]$/.test(ai)

/** True if a date is likely for its kind: 17 and 15 are ahead or a few years back, the others in the past. */
function isLikelyDay({ ai, value }: CodeElement, today: string): boolean {
  const day = readYymmdd(value, today)?.day
  if (day === undefined) return false
  const [back, ahead] = ai === '17' || ai === '15' ? [-10, 15] : [-20, 0]
  return day >= yearsFrom(today, back) && day <= yearsFrom(today, ahead)
}

/** A lost separator is one of these, the likeliest first; `forbidden` leaves identifiers that GS1 keeps apart. */
const cuts = ['proven', 'possible', 'unlikely', 'unusual', 'forbidden'] as const
type Cut = (typeof cuts)[number]

/** Judges a lost separator by what begins there: a date proves it, other values must be long enough to allow it. */
function cutAt({ elements }: Split, position: number, today: string): Cut {
  const [before, next] = [elements[position]!, elements[position + 1]!]
  if (next.ai === '01' || next.ai === '7003') return 'proven'
  const isContents = next.ai === '37' && elements.some(({ ai }) => ai === '02' || ai === '8026')
  if (!isContents && !USUAL.test(next.ai)) return 'unusual'
  const isLong = !isNumbered(before) || before.value.length >= SHORTEST
  if (isDate(next.ai)) return !isLikelyDay(next, today) ? 'unlikely' : isLong ? 'proven' : 'possible'
  if (!isLong || cutsDay(elements, position, today)) return 'unlikely'
  if (isContents || next.ai === '30') return /^[1-9]\d{0,3}$/.test(next.value) ? 'possible' : 'unlikely'
  const isNumber = next.ai.length > 2 && /^\d+$/.test(next.value)
  return next.value.length >= (isNumber ? LONG_NUMBER : SHORTEST) ? 'possible' : 'unlikely'
}

/**
 * True if a lost separator would be inside a day with which a number begins, which never happens: 20210305 is no lot 20
 * with a serial 0305. Digits that stand where the day of the month does prove nothing: lots like 2405 are common.
 */
function cutsDay(elements: readonly CodeElement[], position: number, today: string): boolean {
  const before = elements[position]!
  if (!isNumbered(before)) return false
  const start = [...before.value].findLastIndex(letter => !/\d/.test(letter)) + 1
  const behind = elements.slice(position + 1).map(({ ai, value }) => ai + value)
  const digits = /^\d*/.exec([before.value.slice(start), ...behind].join(''))?.[0] ?? ''
  const cut = before.value.length - start
  return [6, 8].some(length => {
    const day = readShortOrLongDay(digits.slice(0, length), today)
    const isDay = day?.dayKnown === true && day.day > yearsFrom(today, -20) && day.day <= yearsFrom(today, 10)
    return isDay && digits.length >= length && cut < length - 2
  })
}

export type Weighed = {
  readonly split: Split
  /** How many of its lots and serials are known. */
  readonly known: number
  /** The least likely of its lost separators. */
  readonly worst: Cut
  /** The number of its lost separators that are before a date or a product, which is hardly chance. */
  readonly proven: number
}

/** Weighs a split; `known` are the lots and serials of its product that the caller knows. */
export function weighed(split: Split, today: string, known: ReadonlySet<string>): Weighed {
  const isForbidden = split.lostAfter.length > 0 && !standTogether(split.elements)
  const lost = isForbidden ? ['forbidden' as const] : split.lostAfter.map(position => cutAt(split, position, today))
  return {
    split,
    known: split.elements.filter(({ ai, value }) => known.has(`${ai}${value}`)).length,
    worst: cuts.findLast(cut => lost.includes(cut)) ?? 'possible',
    proven: lost.filter(cut => cut === 'proven').length,
  }
}

/** The facts that a reading states. Two splits that state the same are one reading, and nobody is asked. */
const factsOf = ({ elements }: Split): string =>
  JSON.stringify([
    productNumber(elements),
    ...[['10'], ['21'], ['11'], ['17', '7003'], ['30', '37']].map(ais =>
      ais.map(ai => elements.find(element => element.ai === ai)?.value ?? null),
    ),
  ])

/**
 * The splits between which nothing decides, one for each reading: those with the most known lots and serials; else the
 * likeliest, without those that leave in a value what another proves to be a date. Where no split does without a lost
 * separator, rare identifiers are as likely as others.
 */
export function rivals(all: readonly Weighed[]): readonly Weighed[] {
  const most = Math.max(0, ...all.map(({ known }) => known))
  if (most > 0) return all.filter(({ known }) => known === most)
  const isWhole = all.some(({ split }) => split.lostAfter.length === 0)
  const readable: readonly Cut[] = isWhole ? ['proven', 'possible'] : ['proven', 'possible', 'unlikely', 'unusual']
  const likely = [readable, ['unlikely'], ['unusual'], ['forbidden']]
    .map(grade => all.filter(({ worst }) => grade.includes(worst)))
    .find(found => found.length > 0)
  const proven = Math.max(0, ...(likely ?? []).map(each => each.proven))
  const left = (likely ?? []).filter(each => each.proven === proven)
  const byLikelihood = left.toSorted((one, other) => cuts.indexOf(one.worst) - cuts.indexOf(other.worst))
  return [...new Map(byLikelihood.toReversed().map(each => [factsOf(each.split), each])).values()].toReversed()
}

/**
 * Finds the value that may hide another one, in a string that can be read as it is while another split says something
 * else. That is worth a warning, not a question. A lot or a serial is named before other values; null where nothing is
 * hidden. Identifiers that labels of devices do not have are left out: every second lot has digits in it that could be
 * one, and a warning at every second label is read by nobody.
 */
export function mayHide(
  all: readonly Weighed[],
  today: string,
): { readonly before: CodeElement; readonly hidden: CodeElement } | null {
  const whole = all.find(({ split }) => split.lostAfter.length === 0)
  if (whole === undefined) return null
  const others = all.filter(({ split, worst }) => worst !== 'forbidden' && factsOf(split) !== factsOf(whole.split))
  const found = others.flatMap(({ split: { elements, lostAfter } }) => {
    const position = lostAfter[0]!
    const [before, hidden] = [elements[position]!, elements[position + 1]!]
    if (!USUAL.test(hidden.ai)) return []
    const isNumber = isNumbered(hidden) && hidden.value.length >= SHORTEST
    const isWhole = /\D$/.test(before.value) || !cutsDay(elements, position, today)
    const isApart = isWhole || (isNumber && before.value.length >= SHORTEST)
    return isApart ? [{ before, hidden, isNumber }] : []
  })
  return found.find(({ isNumber }) => isNumber) ?? found[0] ?? null
}
