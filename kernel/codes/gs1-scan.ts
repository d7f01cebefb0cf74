/**
 * Turns the cleaned text of a scanned element string into a result, repairing lost separators when the evidence
 * allows.
 */
import { gs1Code } from './gs1-code.ts'
import { GS, readElementString } from './gs1-elements.ts'
import type { ElementReading } from './gs1-elements.ts'
import { CLEAR_LEAD, legalSplits, mayHideSerial, plausibility } from './repair-separators.ts'
import type { Search, Split } from './repair-separators.ts'
import { refuse } from './parsed-code.ts'
import type { CodeContext, CodeElement, ParsedCode, ReadCode, Scan } from './parsed-code.ts'
import { referenceDay } from './code-date.ts'
import { separatedBodies } from './separators.ts'
import type { SeparatedBody } from './separators.ts'

const CANDIDATE_LIMIT = 5
const REPAIRED = '条码缺少分隔符，已按规则自动拆分，请核对批号、序列号和日期。'
const GUESSED = '条码的分隔符被转成了其他字符，已自动还原，请核对批号和序列号。'
const UNDECIDED = '条码缺少分隔符，有多种拆分方式，请对照标签选择正确的一种。'
const HIDDEN_SERIAL = '条码没有分隔符且批号中含有“21”，若标签上另有序列号，请核对批号。'

function warned(scan: Scan, ...warnings: readonly string[]): Scan {
  return { ...scan, warnings: [...scan.warnings, ...warnings] }
}

function build(scan: Scan, elements: readonly CodeElement[], repaired: boolean, context: CodeContext): ParsedCode {
  return gs1Code({ kind: 'gs1', scan, elements, today: context.today, repaired })
}

interface Ranked {
  readonly split: Split
  readonly score: number
}

function rank(search: Search, context: CodeContext): readonly Ranked[] {
  const today = referenceDay(context.today)
  const lotsOf = new Map<string, ReadonlySet<string>>()
  const lots = (gtin: string): ReadonlySet<string> => {
    const known = lotsOf.get(gtin) ?? new Set(context.knownLots?.(gtin) ?? [])
    lotsOf.set(gtin, known)
    return known
  }
  const productOf = (split: Split): string => split.elements.find(element => element.ai === '01')?.value ?? ''
  return search.splits
    .map(split => ({ split, score: plausibility(split, today, lots(productOf(split))) }))
    .sort((a, b) => b.score - a.score)
}

/** What all readings have in common, with the readings for a person to choose from. */
function undecided(scan: Scan, choices: readonly Ranked[], context: CodeContext): ParsedCode {
  const candidates = choices
    .map(({ split }) => build(scan, split.elements, split.lostAfter.length > 0, context))
    .filter((candidate): candidate is ReadCode => candidate.ok)
  const [first, ...others] = candidates
  if (first === undefined) return lostSeparator(scan)
  if (others.length === 0) return first
  const agreed = first.elements.filter(element =>
    others.every(other => other.elements.some(it => it.ai === element.ai && it.value === element.value)),
  )
  const common = build(warned(scan, UNDECIDED), agreed, false, context)
  return common.ok ? { ...common, candidates } : common
}

function lostSeparator(scan: Scan): ParsedCode {
  const message = '条码的分隔符丢失，无法确定批号和序列号从哪里分开，请在扫码枪上开启 GS 分隔符后重扫，或手工录入。'
  return refuse(scan.raw, 'gs1.separatorLost', message)
}

function decide(scan: Scan, search: Search, context: CodeContext): ParsedCode | null {
  const ranked = rank(search, context)
  const best = ranked[0]
  if (best === undefined) return null
  const rivals = ranked.filter(entry => entry.score > best.score - CLEAR_LEAD)
  if (rivals.length > 1) return undecided(scan, rivals.slice(0, CANDIDATE_LIMIT), context)
  if (best.split.lostAfter.length > 0) {
    if (!search.isExhaustive) return lostSeparator(scan)
    return build(warned(scan, REPAIRED), best.split.elements, true, context)
  }
  const isKnown = best.score >= 100
  const notes = mayHideSerial(search) && !isKnown ? [HIDDEN_SERIAL] : []
  return build(warned(scan, ...notes), best.split.elements, false, context)
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
  // Where the separator itself is a guess, missing separators are not guessed as well.
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
