/** Turns GS1 groups into a reading: which product, lot and piece, and whether the groups agree. */
import { parseInteger } from '#kernel/values/integer.ts'
import { isInvariant } from './identifiers.ts'
import { blankCode, refuse, shown } from './parsed-code.ts'
import type { CodeElement, ParsedCode, ReadCode, RefusedCode, Scan } from './parsed-code.ts'
import { readYymmdd, referenceDay } from './code-date.ts'
import type { ScanDay } from './code-date.ts'

/** Identifiers that are keys by themselves; without one of them a symbol only describes an unnamed product. */
const KEYS = /^(?:00|01|02|03|253|255|401|402|41[0-7]|8002|8003|8004|8006|8010|8013|8017|8018|8026)$/

/** Identifiers that only make sense together with a product. */
const ATTRIBUTES =
  /^(?:1[0-7]|20|21|22|235|24[0-3]|25[01]|30|37|3[1-69]\d\d|42\d|700\d|701[01]|71\d|723\d|8001|8005|8008|8012|8014)$/

/** The number of the goods that the groups name: a product, or what a box holds; null where none does. */
export function productNumber(elements: readonly CodeElement[]): string | null {
  for (const key of ['01', '03', '8006', '02', '8026']) {
    const found = elements.find(({ ai }) => ai === key)
    if (found !== undefined) return found.value.slice(0, 14)
  }
  return null
}

export interface Gs1Facts {
  readonly kind: 'gs1' | 'gs1-digital-link'
  readonly scan: Pick<Scan, 'raw' | 'text' | 'warnings'>
  readonly elements: readonly CodeElement[]
  readonly today: string | undefined
  readonly repaired: boolean
}

/** Drops repeats with the same value; returns the first group that repeats with another value. */
export function withoutRepeats(elements: readonly CodeElement[]): {
  elements: CodeElement[]
  conflict: CodeElement | null
} {
  const kept = new Map<string, CodeElement>()
  for (const element of elements) {
    const earlier = kept.get(element.ai)
    if (earlier !== undefined && earlier.value !== element.value)
      return { elements: [...kept.values()], conflict: element }
    kept.set(element.ai, element)
  }
  return { elements: [...kept.values()], conflict: null }
}

function conflictRefusal(raw: string, elements: readonly CodeElement[], conflict: CodeElement): RefusedCode {
  const earlier = elements.find(element => element.ai === conflict.ai)?.value ?? ''
  const name = `${conflict.label}(${conflict.ai})`
  const message = `同一条码里${name}出现了两个不同的值“${shown(earlier)}”和“${shown(conflict.value)}”，请核对标签后手工录入。`
  return refuse(raw, 'gs1.conflictingElements', message)
}

function missingProduct(raw: string, elements: readonly CodeElement[]): RefusedCode {
  const names = elements.map(element => `${element.label}(${element.ai})`).join('、')
  const message = `条码里只有${names}，没有产品标识(01)，请把同一标签上的另一个条码也扫一次。`
  return refuse(raw, 'gs1.missingProduct', message, elements)
}

interface Dates {
  readonly production: ScanDay | null
  readonly expiry: ScanDay | null
}

function dateWarnings(dates: Dates, today: string | undefined): string[] {
  const warnings: string[] = []
  const century = referenceDay(today).slice(0, 2)
  for (const [label, date] of [
    ['生产日期', dates.production],
    ['有效期', dates.expiry],
  ] as const) {
    if (date === null) continue
    const guessed = date.day.slice(0, 4)
    if (!date.day.startsWith(century)) warnings.push(`${label}的年份只印了两位，按规则推算为${guessed}年，请核对标签。`)
    if (!date.dayKnown) warnings.push(`${label}未标明具体日，按当月最后一天${date.day}处理。`)
  }
  const { production, expiry } = dates
  if (production !== null && expiry !== null && production.day > expiry.day) {
    warnings.push(`生产日期${production.day}晚于有效期${expiry.day}，请核对标签。`)
  }
  if (production !== null && today !== undefined && production.day > referenceDay(today)) {
    warnings.push(`生产日期${production.day}晚于今天，请核对标签。`)
  }
  return warnings
}

function groupWarnings(elements: readonly CodeElement[]): string[] {
  const has = (ai: string): boolean => elements.some(element => element.ai === ai)
  const warnings = elements
    .filter(element => !isInvariant(element.value))
    .map(element => `${element.label}(${element.ai})“${shown(element.value)}”含有 GS1 规定以外的字符，请核对标签。`)
  if (has('01') && (has('02') || has('37')))
    warnings.push('条码同时含有产品标识(01)和箱内产品信息(02/37)，不符合 GS1 规则，请核对数量。')
  if (has('02') && !has('37')) warnings.push('条码有箱内产品标识(02)但没有箱内数量(37)，请手工确认数量。')
  return warnings
}

/** Builds the reading; refuses groups that contradict each other or name no product. */
export function gs1Code(facts: Gs1Facts): ParsedCode {
  const { elements, conflict } = withoutRepeats(facts.elements)
  if (conflict !== null) return conflictRefusal(facts.scan.raw, elements, conflict)
  const hasKey = elements.some(element => KEYS.test(element.ai))
  if (!hasKey && elements.some(element => ATTRIBUTES.test(element.ai))) return missingProduct(facts.scan.raw, elements)
  return readingOf(facts, elements)
}

function readingOf(facts: Gs1Facts, elements: readonly CodeElement[]): ReadCode {
  const value = (...ais: string[]): string | null => {
    for (const ai of ais) {
      const found = elements.find(element => element.ai === ai)
      if (found !== undefined) return found.value
    }
    return null
  }
  const day = (raw: string | null): ScanDay | null =>
    raw === null ? null : readYymmdd(raw.slice(0, 6), referenceDay(facts.today))
  const expiryRaw = value('17', '7003')
  const count = value('30', '37')
  const dates: Dates = { production: day(value('11')), expiry: day(expiryRaw) }
  return {
    ...blankCode(facts.kind, facts.scan),
    di: productNumber(elements),
    lot: value('10'),
    serial: value('21'),
    productionDate: dates.production?.day ?? null,
    productionDayKnown: dates.production?.dayKnown ?? false,
    expiryDate: dates.expiry?.day ?? null,
    expiryDayKnown: dates.expiry?.dayKnown ?? false,
    expiryRaw,
    count: count === null ? null : parseInteger(count),
    elements,
    repaired: facts.repaired,
    warnings: [...facts.scan.warnings, ...groupWarnings(elements), ...dateWarnings(dates, facts.today)],
  }
}
