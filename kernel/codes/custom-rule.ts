/** Non-standard codes, split by the positions that an organisation defined for them. */
import { blankCode } from './parsed-code.ts'
import type { CodeElement, ReadCode } from './parsed-code.ts'
import { readShortOrLongDay, referenceDay, type ScanDay } from './code-date.ts'

/** Date formats of such codes. */
export const codeDates = {
  YYMMDD: '年月日(6位)',
  YYYYMMDD: '年月日(8位)',
  YYMM: '年月(4位)',
  YYYYMM: '年月(6位)',
} as const
export type CodeDate = keyof typeof codeDates

/** Positions count from 1 and include the prefix; a part without length reaches to the end. */
export type CodeRule = {
  readonly name: string
  readonly prefix: string
  readonly total_length: number | null
  readonly date_format: CodeDate
  readonly product_from: number | null
  readonly product_length: number | null
  readonly lot_from: number | null
  readonly lot_length: number | null
  readonly production_from: number | null
  readonly expiry_from: number | null
  readonly serial_from: number | null
  readonly serial_length: number | null
}

export type RuleReading = { readonly product: string; readonly code: ReadCode }

const part = (text: string, from: number | null, length: number | null): string | null => {
  if (from === null) return null
  const taken = text.slice(from - 1, length === null ? undefined : from - 1 + length)
  return taken === '' || (length !== null && taken.length < length) ? '' : taken
}

/** A month without a day means its last day, as (17) with day 00 does. */
function dayAt(text: string, from: number | null, format: CodeDate, today: string): ScanDay | null | 'bad' {
  if (from === null) return null
  const digits = part(text, from, format.length) ?? ''
  return readShortOrLongDay(format.endsWith('DD') ? digits : `${digits}00`, today) ?? 'bad'
}

/**
 * The reading of a code under a rule; null where the rule does not apply: another prefix or length, a missing part, an
 * invalid day.
 */
export function readWithRule(text: string, rule: CodeRule, today?: string): RuleReading | null {
  if (!text.startsWith(rule.prefix)) return null
  if (rule.total_length !== null && text.length !== rule.total_length) return null
  const reference = referenceDay(today)
  const product = part(text, rule.product_from, rule.product_length)
  const lot = part(text, rule.lot_from, rule.lot_length)
  const serial = part(text, rule.serial_from, rule.serial_length)
  const production = dayAt(text, rule.production_from, rule.date_format, reference)
  const expiry = dayAt(text, rule.expiry_from, rule.date_format, reference)
  if (!product || lot === '' || serial === '' || production === 'bad' || expiry === 'bad') return null
  const element = (ai: string, label: string, value: string | null): CodeElement[] =>
    value === null ? [] : [{ ai, label, value }]
  const scan = { raw: text, text, warnings: [`按解析规则【${rule.name}】识别`] }
  return {
    product,
    code: {
      ...blankCode('inhouse', scan),
      lot,
      serial,
      productionDate: production?.day ?? null,
      productionDayKnown: production?.dayKnown ?? false,
      expiryDate: expiry?.day ?? null,
      expiryDayKnown: expiry?.dayKnown ?? false,
      elements: [
        ...element('CODE', '产品码', product),
        ...element('10', '批号', lot),
        ...element('11', '生产日期', production?.day ?? null),
        ...element('17', '有效期至', expiry?.day ?? null),
        ...element('21', '序列号', serial),
      ],
    },
  }
}

/** True if some code could be read by both rules: overlapping prefixes, and lengths that may be equal. */
export const rulesConflict = (
  a: Pick<CodeRule, 'prefix' | 'total_length'>,
  b: Pick<CodeRule, 'prefix' | 'total_length'>,
): boolean =>
  (a.prefix.startsWith(b.prefix) || b.prefix.startsWith(a.prefix)) &&
  (a.total_length === null || b.total_length === null || a.total_length === b.total_length)
