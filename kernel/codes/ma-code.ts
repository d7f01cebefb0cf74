/** MA codes (IDcode, issued in China by ZIIOT): five dotted segments name the product, lettered ones the piece. */
import { blankCode, refuse, shown } from './parsed-code.ts'
import type { CodeContext, CodeElement, ParsedCode, Scan } from './parsed-code.ts'
import { dayBefore, readShortOrLongDay, referenceDay } from './code-date.ts'
import type { ScanDay } from './code-date.ts'

const LABELS: Readonly<Record<string, string>> = {
  S: '序列号',
  L: '批号',
  M: '生产日期',
  P: '生产日期',
  D: '灭菌批号',
  E: '失效日期',
  V: '有效期至',
  C: '校验码',
}
const DAY_LETTERS = ['M', 'P', 'E', 'V']

/** True for text that claims to be an MA code. */
export function looksMa(text: string): boolean {
  return text.startsWith('MA.')
}

/** The first five segments, or null when some are missing. Product parts come in many lengths, with letters. */
function productOf(segments: readonly string[]): string | null {
  const [agency, country, sector, registrant, product] = segments
  const hasShape = agency === 'MA' && /^\d{3}$/.test(country ?? '') && /^[A-Za-z]\w$/.test(sector ?? '')
  const isFilled = /^[A-Za-z0-9]+$/.test(registrant ?? '') && /^[A-Za-z0-9_+-]+$/.test(product ?? '')
  return hasShape && isFilled ? segments.slice(0, 5).join('.') : null
}

/** Rejoins a value that contains dots: a segment that does not start with a known letter continues the one before. */
function lettered(segments: readonly string[]): {
  elements: readonly CodeElement[]
  bad: string | null
  isJoined: boolean
} {
  const elements: CodeElement[] = []
  let isJoined = false
  for (const segment of segments) {
    const label = LABELS[segment.slice(0, 1)]
    const before = elements.at(-1)
    if (label !== undefined && segment.length > 1) {
      elements.push({ ai: segment.slice(0, 1), label, value: segment.slice(1) })
    } else if (before !== undefined && ['S', 'L', 'D'].includes(before.ai) && /^\d/.test(segment)) {
      elements[elements.length - 1] = { ...before, value: `${before.value}.${segment}` }
      isJoined = true
    } else {
      return { elements, bad: segment, isJoined }
    }
  }
  return { elements, bad: null, isJoined }
}

function firstConflict(elements: readonly CodeElement[]): CodeElement | undefined {
  return elements.find(element => elements.some(other => other.ai === element.ai && other.value !== element.value))
}

/** The last valid day: printed as such (V), or the day before the first invalid one (E); the earlier of both. */
function lastGoodDay(valid: ScanDay | null, expired: ScanDay | null): ScanDay | null {
  const beforeExpired = expired === null ? null : { day: dayBefore(expired.day), dayKnown: expired.dayKnown }
  if (valid === null || beforeExpired === null) return valid ?? beforeExpired
  return valid.day <= beforeExpired.day ? valid : beforeExpired
}

function build(scan: Scan, di: string, elements: readonly CodeElement[], isJoined: boolean, today: string): ParsedCode {
  const value = (ai: string): string | null => elements.find(element => element.ai === ai)?.value ?? null
  const day = (ai: string): ScanDay | null => readShortOrLongDay(value(ai) ?? '', today)
  const production = day('M') ?? day('P')
  const expiry = lastGoodDay(day('V'), day('E'))
  const warnings = [...scan.warnings]
  if (isJoined) warnings.push('批号或序列号中含有小数点，请核对标签。')
  if (value('M') !== null && value('P') !== null && day('M')?.day !== day('P')?.day)
    warnings.push('条码中有两个不同的生产日期，已取 M 段，请核对标签。')
  for (const [label, date] of [
    ['生产日期', production],
    ['有效期', expiry],
  ] as const) {
    if (date !== null && !date.dayKnown) warnings.push(`${label}未标明具体日，按${date.day}处理。`)
  }
  if (production !== null && expiry !== null && production.day > expiry.day) {
    warnings.push(`生产日期${production.day}晚于有效期${expiry.day}，请核对标签。`)
  }
  const printed = ['E', 'V'].flatMap(ai => (value(ai) === null ? [] : [`${ai}${value(ai)}`]))
  return {
    ...blankCode('ma', scan),
    di,
    lot: value('L'),
    serial: value('S'),
    warnings,
    productionDate: production?.day ?? null,
    productionDayKnown: production?.dayKnown ?? false,
    expiryDate: expiry?.day ?? null,
    expiryDayKnown: expiry?.dayKnown ?? false,
    expiryRaw: printed.length === 0 ? null : printed.join('.'),
    elements: [{ ai: 'DI', label: '产品标识', value: di }, ...elements],
  }
}

/** Reads an MA code. Its check character is kept but cannot be verified (the algorithm is not public). */
export function readMa(scan: Scan, context: CodeContext): ParsedCode {
  const today = referenceDay(context.today)
  const segments = scan.text.split('.')
  const di = productOf(segments)
  if (di === null) {
    const message = `MA 码“${shown(scan.text)}”的产品标识应有五段（如 MA.156.M0.企业.产品），请重新扫码或核对标签。`
    return refuse(scan.raw, 'ma.incomplete', message)
  }
  const { elements, bad, isJoined } = lettered(segments.slice(5))
  if (bad !== null)
    return refuse(scan.raw, 'ma.badSegment', `MA 码中的“${shown(bad)}”段无法识别，请重新扫码或手工录入。`)
  const conflict = firstConflict(elements)
  if (conflict !== undefined) {
    return refuse(
      scan.raw,
      'ma.conflictingSegments',
      `MA 码中${conflict.label}(${conflict.ai})出现了两个不同的值，请核对标签后手工录入。`,
    )
  }
  for (const element of elements) {
    if (DAY_LETTERS.includes(element.ai) && readShortOrLongDay(element.value, today) === null) {
      return refuse(
        scan.raw,
        'ma.badDate',
        `MA 码中${element.label}“${shown(element.value)}”不是有效日期，请核对标签。`,
      )
    }
  }
  const unique = elements.filter(
    (element, position) => elements.findIndex(other => other.ai === element.ai) === position,
  )
  return build(scan, di, unique, isJoined, today)
}
