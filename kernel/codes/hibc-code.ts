/**
 * HIBC codes, the supplier labels of many imported goods: a primary code that names the product, a secondary one with
 * lot, piece and dates, or both joined by a slash. Source: ANSI/HIBC 2.6, Supplier Labeling Standard.
 */
import { parseInteger } from '#kernel/values/integer.ts'
import { readShortOrLongDay, readYymmdd, referenceDay } from './code-date.ts'
import type { ScanDay } from './code-date.ts'
import { blankCode, refuse, shown } from './parsed-code.ts'
import type { CodeContext, CodeElement, CodeError, ParsedCode, RefusedCode, Scan } from './parsed-code.ts'

/** Code 39's characters in the order of their check values. */
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. $/+%'
/** Labeler, product or catalogue number, unit of measure. */
const PRIMARY = /^(\+[A-Z][A-Z0-9]{3}[A-Z0-9]{1,18}\d)(?:\/(.+))?$/s
/** The data of a secondary code, and the link: the check character of the primary code beside it. */
const SECONDARY = /^\+((?:\$|\d{5}).*)(.)$/s

const LABELS = {
  DI: '产品标识',
  $: '批号',
  S: '序列号',
  '14D': '有效期',
  '16D': '生产日期',
  Q: '数量',
  LINK: '关联字符',
} as const
type Identifier = keyof typeof LABELS

/** The modulo-43 check character of `body`, or null when it has a character that HIBC does not know. */
export function hibcCheckCharacter(body: string): string | null {
  const values = [...body].map(letter => ALPHABET.indexOf(letter))
  if (values.includes(-1)) return null
  return ALPHABET.charAt(values.reduce((sum, value) => sum + value, 0) % ALPHABET.length)
}

/** True for a device identifier as it is stored: the primary code without its check character. */
export function isHibcDi(text: string): boolean {
  return PRIMARY.exec(text)?.[1] === text
}

/** Without the start and stop marks that Code 39 prints. */
const bare = (text: string): string => /^\*(.*)\*$/s.exec(text)?.[1] ?? text

/** True for text that claims to be an HIBC code; few codes of hospitals begin with a plus. */
export function looksHibc(text: string): boolean {
  return /^\+(?:[A-Z][A-Z0-9]{3}[A-Z0-9]{2}|\$|\d{5})/.test(bare(text))
}

const element = (ai: Identifier, value: string): CodeElement => ({ ai, label: LABELS[ai], value })

/** YYJJJ: the day of the year, as YYYYMMDD; what is no day is left for the date check to refuse. */
function ordinalDay(text: string, today: string): string {
  if (!/^\d{5}$/.test(text)) return text
  const year = readYymmdd(`${text.slice(0, 2)}0101`, today)?.day.slice(0, 4)
  const date = new Date(`${year}-01-01T00:00:00Z`)
  date.setUTCDate(parseInteger(text.slice(2)))
  const day = date.toISOString().slice(0, 10)
  return day.startsWith(`${year}-`) ? day.replaceAll('-', '') : text
}

/** A day without the hour behind it; what is no hour is left for the date check to refuse. */
const withoutHour = (text: string): string => (/(?:[01]\d|2[0-3])$/.test(text) ? text.slice(0, -2) : text)

/** How a `$$` code writes its expiry, by the flag before it: its length, and the day as YYMMDD or YYYYMMDD. */
const DATE_FORMATS: Readonly<Record<string, readonly [length: number, day: (text: string, today: string) => string]>> =
  {
    '2': [6, text => text.slice(4) + text.slice(0, 4)],
    '3': [6, text => text],
    '4': [8, text => withoutHour(text)],
    '5': [5, ordinalDay],
    '6': [7, (text, today) => ordinalDay(withoutHour(text), today)],
    '7': [0, () => ''],
  }

/** The expiry that the text begins with, and what follows it. Without a flag it is MMYY. */
function takeExpiry(text: string, today: string): { elements: CodeElement[]; rest: string } {
  const format = DATE_FORMATS[text.charAt(0)]
  const [length, day] = format ?? [4, (month: string) => `${month.slice(2)}${month.slice(0, 2)}00`]
  const start = format === undefined ? 0 : 1
  const written = text.slice(start, start + length)
  const expiry = written === '' ? '' : day(written, today)
  return { elements: expiry === '' ? [] : [element('14D', expiry)], rest: text.slice(start + length) }
}

const numbered = (isSerial: boolean, value: string): CodeElement[] =>
  value === '' ? [] : [element(isSerial ? 'S' : '$', value)]

/** `$$`: perhaps a quantity (8 and two digits, 9 and five), an expiry, then the lot, or after a plus the serial. */
function readDated(data: string, today: string): CodeElement[] {
  const isSerial = data.startsWith('+')
  const text = isSerial ? data.slice(1) : data
  const quantity = /^(?:8(\d{2})|9(\d{5}))/.exec(text)
  const rest = text.slice(quantity?.[0].length ?? 0)
  const count = quantity === null ? [] : [element('Q', String(parseInteger(quantity[1] ?? quantity[2])))]
  if (rest === '') return count
  const expiry = takeExpiry(rest, today)
  return [...count, ...expiry.elements, ...numbered(isSerial, expiry.rest)]
}

/** One part of the data between slashes, or null for a part that the standard does not name. */
function readPart(part: string, today: string): CodeElement[] | null {
  if (part.startsWith('$$')) return readDated(part.slice(2), today)
  if (part.startsWith('$+')) return numbered(true, part.slice(2))
  if (part.startsWith('$')) return numbered(false, part.slice(1))
  const marked = /^(14D|16D|S|Q)(.+)$/s.exec(part)
  if (marked !== null) return [element(marked[1] as Identifier, marked[2] ?? '')]
  if (/^\d{5}/.test(part))
    return [element('14D', ordinalDay(part.slice(0, 5), today)), ...numbered(false, part.slice(5))]
  return null
}

type Reading = readonly CodeElement[] | { readonly error: CodeError; readonly message: string }

const isDay = (value: string, today: string): boolean => readShortOrLongDay(value, today) !== null

function readParts(data: string, today: string): Reading {
  const elements: CodeElement[] = []
  for (const part of data.split('/')) {
    const read = readPart(part, today)
    if (read === null)
      return { error: 'hibc.badData', message: `HIBC 码中的“${shown(part)}”段无法识别，请重新扫码或手工录入。` }
    elements.push(...read)
  }
  const uncounted = elements.find(({ ai, value }) => ai === 'Q' && !/^\d{1,9}$/.test(value))
  if (uncounted !== undefined) {
    const message = `HIBC 码中的数量“${shown(uncounted.value)}”不是数字，请核对标签。`
    return { error: 'hibc.badData', message }
  }
  const undated = elements.find(({ ai, value }) => /^1[46]D$/.test(ai) && !isDay(value, today))
  if (undated === undefined) return elements
  const message = `HIBC 码中${undated.label}“${shown(undated.value)}”不是有效日期，请核对标签。`
  return { error: 'hibc.badData', message }
}

/** The text without its check character, or null when that is wrong. A blank one is lost at the end of a scan. */
export function checkedBody(text: string): string | null {
  const printed = bare(text)
  for (const whole of [printed, `${printed} `])
    if (hibcCheckCharacter(whole.slice(0, -1)) === whole.slice(-1)) return whole.slice(0, -1)
  return null
}

/** Reads the text of a scan that looks like HIBC. */
export function readHibc(scan: Scan, context: CodeContext): ParsedCode {
  const today = referenceDay(context.today)
  const text = bare(scan.text)
  const body = checkedBody(scan.text)
  if (body === null) {
    const message = `HIBC 码“${shown(text)}”的校验字符不对，可能扫错或录错，请重新扫码。`
    return refuse(scan.raw, 'hibc.badCheckCharacter', message)
  }
  const primary = PRIMARY.exec(body)
  const secondary = primary === null ? SECONDARY.exec(body) : null
  const reading = readParts(primary?.[2] ?? secondary?.[1] ?? '$', today)
  if ('error' in reading) return refuse(scan.raw, reading.error, reading.message)
  if (primary !== null) return hibcCode(scan, [element('DI', primary[1] ?? ''), ...reading], context)
  if (secondary === null)
    return refuse(scan.raw, 'hibc.badData', `HIBC 码“${shown(text)}”的内容无法识别，请重新扫码或手工录入。`)
  return hibcCode(scan, [...reading, element('LINK', secondary[2] ?? '')], context)
}

function missingProduct(raw: string, elements: readonly CodeElement[]): RefusedCode {
  const message = '这是 HIBC 的第二个条码，里面没有产品标识，请把同一标签上的另一个条码也扫一次。'
  return refuse(raw, 'hibc.missingProduct', message, elements)
}

/**
 * Builds the reading of one code or of two that were scanned together; refuses a second code that is linked to another
 * product, values that contradict each other, and, keeping it for a second scan, one that names no product.
 */
export function hibcCode(
  scan: Pick<Scan, 'raw' | 'text' | 'warnings'>,
  elements: readonly CodeElement[],
  context: CodeContext,
): ParsedCode {
  const value = (ai: Identifier): string | null => elements.find(each => each.ai === ai)?.value ?? null
  const twice = elements.find(each => value(each.ai as Identifier) !== each.value)
  if (twice !== undefined) {
    const message = `HIBC 码中${twice.label}出现了两个不同的值，请核对标签后手工录入。`
    return refuse(scan.raw, 'hibc.badData', message)
  }
  const di = value('DI')
  if (di === null) return missingProduct(scan.raw, elements)
  const link = value('LINK')
  if (link !== null && link !== hibcCheckCharacter(di)) {
    const message = '两个 HIBC 条码不是同一标签上的（关联字符不同），请重新扫码。'
    return refuse(scan.raw, 'merge.differentProducts', message)
  }
  const today = referenceDay(context.today)
  const day = (raw: string | null): ScanDay | null => (raw === null ? null : readShortOrLongDay(raw, today))
  const [production, expiry, count] = [day(value('16D')), day(value('14D')), value('Q')]
  const warnings = [...scan.warnings]
  if (expiry?.dayKnown === false) warnings.push(`有效期未标明具体日，按当月最后一天${expiry.day}处理。`)
  if (production !== null && expiry !== null && production.day > expiry.day)
    warnings.push(`生产日期${production.day}晚于有效期${expiry.day}，请核对标签。`)
  return {
    ...blankCode('hibc', scan),
    di,
    lot: value('$'),
    serial: value('S'),
    productionDate: production?.day ?? null,
    productionDayKnown: production?.dayKnown ?? false,
    expiryDate: expiry?.day ?? null,
    expiryDayKnown: expiry?.dayKnown ?? false,
    expiryRaw: value('14D'),
    count: count === null ? null : parseInteger(count),
    elements: elements.filter(
      (each, at) => each.ai !== 'LINK' && elements.findIndex(({ ai }) => ai === each.ai) === at,
    ),
    warnings,
  }
}

/** The one code that says what the parts of a label say, the product first. */
export function joinedHibc(elements: readonly CodeElement[]): string {
  const body = elements.map(({ ai, value }) => (ai === 'DI' ? value : `/${ai}${value}`)).join('')
  return `${body}${hibcCheckCharacter(body) ?? ''}`
}
