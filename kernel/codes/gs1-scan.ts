/**
 * Turns the cleaned text of a scanned element string into a result, repairing lost separators when the evidence
 * allows.
 */
import { gs1Code, productNumber } from './gs1-code.ts'
import { bracketed, GS, readElementString } from './gs1-elements.ts'
import type { ElementReading } from './gs1-elements.ts'
import { legalSplits, mayHide, rivals, weighed } from './repair-separators.ts'
import type { Search, Split, Weighed } from './repair-separators.ts'
import { refuse } from './parsed-code.ts'
import type { CodeContext, CodeElement, NamedNumber, ParsedCode, ReadCode, Scan } from './parsed-code.ts'
import { referenceDay } from './code-date.ts'
import { separatedBodies } from './separators.ts'
import type { SeparatedBody } from './separators.ts'

/** A person compares so many readings with a label; of more the scanner must say. */
const MOST_READINGS = 8
const REPAIRED = '条码缺少分隔符，已按规则自动拆分，请核对批号、序列号和日期。'
const GUESSED = '条码的分隔符被转成了其他字符，已自动还原，请核对批号和序列号。'
const UNDECIDED = '条码缺少分隔符，有多种拆分方式，请对照标签选择正确的一种；都与标签不符时，请按标签手工录入。'

function warned(scan: Scan, ...warnings: readonly string[]): Scan {
  return { ...scan, warnings: [...scan.warnings, ...warnings] }
}

function build(scan: Scan, elements: readonly CodeElement[], repaired: boolean, context: CodeContext): ParsedCode {
  return gs1Code({ kind: 'gs1', scan, elements, today: context.today, repaired })
}

/** A split as a reading. Its text is the line with brackets, which can be read in no other way. */
function buildSplit(scan: Scan, { elements, lostAfter }: Split, context: CodeContext): ParsedCode {
  return build({ ...scan, text: bracketed(elements) }, elements, lostAfter.length > 0, context)
}

/** The lots and serials of these splits that the caller knows, each by its identifier and its value. */
function knownIn(splits: readonly Split[], { knownNumbers }: CodeContext): ReadonlySet<string> {
  if (knownNumbers === undefined) return new Set()
  const asked = splits.flatMap(({ elements }): NamedNumber[] => {
    const gtin = productNumber(elements) ?? ''
    return elements.flatMap(({ ai, value }) => (ai === '10' || ai === '21' ? [{ gtin, ai, value }] : []))
  })
  return new Set(knownNumbers(asked).map(({ ai, value }) => ai + value))
}

function undecided(scan: Scan, choices: readonly Split[], context: CodeContext): ParsedCode {
  const candidates = choices
    .map(split => buildSplit(scan, split, context))
    .filter((candidate): candidate is ReadCode => candidate.ok)
  const [first, ...others] = candidates
  if (first === undefined || candidates.length > MOST_READINGS) return lostSeparator(scan)
  return others.length === 0 ? first : inCommon(scan, candidates, context)
}

/** The elements that several readings share, with the readings from which a person chooses. */
export function inCommon(
  scan: Pick<Scan, 'raw' | 'text' | 'warnings'>,
  candidates: readonly ReadCode[],
  { today }: CodeContext,
): ParsedCode {
  const agreed = (candidates[0]?.elements ?? []).filter(element =>
    candidates.every(other => other.elements.some(it => it.ai === element.ai && it.value === element.value)),
  )
  const asked = { ...scan, warnings: [...scan.warnings, UNDECIDED] }
  const common = gs1Code({ kind: 'gs1', scan: asked, elements: agreed, today, repaired: false })
  return common.ok ? { ...common, candidates } : lostSeparator(scan)
}

function lostSeparator(scan: Pick<Scan, 'raw'>): ParsedCode {
  const message = '条码的分隔符丢失，无法确定批号和序列号从哪里分开，请在扫码枪上开启 GS 分隔符后重扫，或手工录入。'
  return refuse(scan.raw, 'gs1.separatorLost', message)
}

function hiddenNote(all: readonly Weighed[], today: string): readonly string[] {
  const found = mayHide(all, today)
  if (found === null) return []
  const { before, hidden } = found
  return [`条码没有分隔符且${before.label}中含有“${hidden.ai}”，若标签上另有${hidden.label}，请核对${before.label}。`]
}

function decide(scan: Scan, search: Search, context: CodeContext): ParsedCode | null {
  if (search.splits.length === 0) return null
  const today = referenceDay(context.today)
  const known = search.splits.length > 1 ? knownIn(search.splits, context) : new Set<string>()
  const all = search.splits.map(split => weighed(split, today, known))
  const left = rivals(all)
  const [best, ...others] = left.map(({ split }) => split)
  if (best === undefined) return null
  const isRepaired = others.length > 0 || best.lostAfter.length > 0
  if (isRepaired && !search.isExhaustive) return lostSeparator(scan)
  if (others.length > 0) return undecided(scan, [best, ...others], context)
  if (isRepaired) return buildSplit(warned(scan, REPAIRED), best, context)
  return build(warned(scan, ...(known.size > 0 ? [] : hiddenNote(all, today))), best.elements, false, context)
}

/** Reads one body; null when only the reason of `reading` is left to report. */
function readBody(
  scan: Scan,
  { body, isGuessed }: SeparatedBody,
  reading: ElementReading,
  context: CodeContext,
): ParsedCode | null {
  if (reading.ok && (body.includes(GS) || isGuessed)) {
    return build(isGuessed ? warned(scan, GUESSED) : scan, reading.elements, isGuessed, context)
  }
  // The separator itself is a guess here, so missing separators are not guessed as well.
  if (isGuessed) return null
  const decided = decide(scan, legalSplits(body, referenceDay(context.today)), context)
  if (decided !== null) return decided
  return reading.ok ? build(scan, reading.elements, false, context) : null
}

/** Reads the text of a scan as an element string. */
export function readGs1Scan(scan: Scan, context: CodeContext): ParsedCode {
  let refusal: ParsedCode | null = null
  for (const separated of separatedBodies(scan)) {
    const reading = readElementString(separated.body, referenceDay(context.today))
    const result = readBody(scan, separated, reading, context)
    if (result !== null) return result
    if (!reading.ok && refusal === null) refusal = refuse(scan.raw, reading.error, reading.message)
  }
  return refusal ?? lostSeparator(scan)
}
