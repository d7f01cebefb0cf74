/**
 * The single entry point for every scanned, pasted or typed code: any string becomes a reading or a refusal, never
 * an exception.
 */
import { hasCheckDigit, isGtin, padGtin } from './check-digit.ts'
import { readDigitalLink } from './digital-link.ts'
import { documentSn } from '#kernel/values/document-sn.ts'
import { gs1Code } from './gs1-code.ts'
import { looksBracketed, readBracketed } from './gs1-elements.ts'
import { readGs1Scan } from './gs1-scan.ts'
import { looksHibc, readHibc } from './hibc-code.ts'
import { looksMa, readMa } from './ma-code.ts'
import { normalise } from './normalise.ts'
import { blankCode, refuse, shown } from './parsed-code.ts'
import type { CodeContext, ParsedCode, ReadCode, Scan } from './parsed-code.ts'
import { readShortOrLongDay, referenceDay } from './code-date.ts'

/** No carrier we print or buy holds more; longer input means a stuck scanner or a pasted page. */
export const MAX_CODE_LENGTH = 512

/** Reads a code in the fixed order: link, MA, HIBC, brackets, GS1 groups, bare item number, document, in-house. */
export function parseCode(input: string, context: CodeContext = {}): ParsedCode {
  if (input.length > MAX_CODE_LENGTH) {
    return refuse(
      input,
      'code.tooLong',
      `扫码内容有${input.length}个字符，超过${MAX_CODE_LENGTH}个，请清空后重新扫码。`,
    )
  }
  const scan = normalise(input)
  if (scan.text === '') return refuse(input, 'code.empty', '没有扫到内容，请重新扫码。')
  const code = readScan(scan, context)
  return code.ok || !/[^\0-\x7f]/.test(scan.text) ? code : { ...code, message: code.message + INPUT_METHOD }
}

/** Standard codes have no letters but English ones: an input method has eaten what was typed. */
const INPUT_METHOD = '条码里有英文以外的字符，若扫码时开着中文输入法，请切换到英文输入后重新扫码。'

function readScan(scan: Scan, context: CodeContext): ParsedCode {
  const reading = readSelfEvident(scan, context) ?? readGs1(scan, context)
  if (reading?.ok === true) return reading
  return (
    readItemNumber(scan, context) ?? readDocument(scan) ?? readByRule(scan, context) ?? reading ?? readInhouse(scan)
  )
}

/** Codes identified by their first characters. */
function readSelfEvident(scan: Scan, context: CodeContext): ParsedCode | null {
  if (/^https?:\/\//i.test(scan.text)) return readDigitalLink(scan, context)
  if (looksMa(scan.text)) return readMa(scan, context)
  if (looksHibc(scan.text)) return readHibc(scan, context)
  if (scan.carrier === 'not-gs1' || !looksBracketed(scan.text)) return null
  const reading = readBracketed(scan.text, referenceDay(context.today))
  if (!reading.ok) return refuse(scan.raw, reading.error, reading.message)
  return gs1Code({ kind: 'gs1', scan, elements: reading.elements, today: context.today, repaired: false })
}

/** An element string, if the symbol says so or the text itself is sufficient proof; otherwise null. */
function readGs1(scan: Scan, context: CodeContext): ParsedCode | null {
  if (scan.carrier === 'not-gs1' || scan.carrier === 'item') return null
  const isPromised = scan.carrier !== 'unstated' || scan.hasLeadingSeparator || scan.text.includes('\x1d')
  if (!isPromised && !/^\d{2}/.test(scan.text)) return null
  const reading = readGs1Scan(scan.carrier === 'unstated' ? lockable(scan) : scan, context)
  if (isPromised || /^01\d{14}/.test(scan.text)) return reading
  return isConvincing(reading) ? reading : null
}

/** A text without a prefix does not show whether Caps Lock was on; few labels have small letters only. */
const lockable = (scan: Scan): Scan =>
  /[A-Z]/.test(scan.text) || !/[a-z]/.test(scan.text)
    ? scan
    : { ...scan, warnings: [...scan.warnings, '条码中的字母都是小写，若标签上是大写，请关闭键盘大写锁定后重新扫码。'] }

/**
 * Without a prefix, "10…" or "21…" also starts many in-house codes. Proof is a correct check digit, or several
 * groups of which one is a date.
 */
function isConvincing(reading: ParsedCode): boolean {
  const elements = reading.ok ? reading.elements : (reading.fragment ?? [])
  if (elements.some(element => /^(?:0[0-3]|41[0-7]|8003|8006|801[78])$/.test(element.ai))) return true
  return elements.length > 1 && elements.some(element => /^1[1-7]$/.test(element.ai))
}

function matchesRule(scan: Scan, context: CodeContext): boolean {
  // search() ignores lastIndex, so a rule with the g flag gives the same answer twice.
  return (context.inhouse ?? []).some(rule => scan.text.search(rule) !== -1)
}

function readItemNumber(scan: Scan, context: CodeContext): ParsedCode | null {
  const isItem = scan.carrier === 'item'
  if (!isItem && scan.carrier !== 'unstated' && scan.carrier !== 'gs1-databar' && scan.carrier !== 'not-gs1')
    return null
  const di = padGtin(scan.text)
  if (di === null) {
    if (!isItem) return null
    return refuse(scan.raw, 'gtin.badCheckDigit', `商品条码“${shown(scan.text)}”的位数或校验位不对，请重新扫码。`)
  }
  const warnings = [...scan.warnings]
  if (matchesRule(scan, context)) warnings.push('该编码同时符合院内码规则，请确认扫的是商品条码。')
  return { ...blankCode('gtin', scan), di, elements: [{ ai: '01', label: '产品标识', value: di }], warnings }
}

function readDocument(scan: Scan): ParsedCode | null {
  if (documentSn(scan.text) === null) return null
  return { ...blankCode('document', scan), elements: [{ ai: 'SN', label: '单据编号', value: scan.text }] }
}

function inhouse(scan: Scan, warnings: readonly string[]): ReadCode {
  return {
    ...blankCode('inhouse', scan),
    elements: [{ ai: 'CODE', label: '院内码', value: scan.text }],
    warnings: [...scan.warnings, ...warnings],
  }
}

/** A hospital's own rule takes priority over our refusal of a code that merely resembled a standard one. */
function readByRule(scan: Scan, context: CodeContext): ParsedCode | null {
  return matchesRule(scan, context) ? inhouse(scan, []) : null
}

/** Standard codes that an in-house code resembles, so that a wrong label or a damaged bar code is noticed. */
function resemblances(scan: Scan): string[] {
  const warnings: string[] = []
  const isGs1Shaped = /^01\d{14}/.test(scan.text) && hasCheckDigit(scan.text.slice(2, 16))
  if (scan.carrier === 'not-gs1' && (isGs1Shaped || looksBracketed(scan.text))) {
    warnings.push('内容形似 UDI，但该条码没有 GS1 标志，未按 UDI 解析，请扫描标签上的 GS1 条码。')
  }
  if (/^69\d{11}$/.test(scan.text) && !isGtin(scan.text))
    warnings.push('形似商品条码但校验位不对，已按院内码处理，请核对。')
  const opens = /^(1[0-7]|21)/.exec(scan.text)?.[1]
  if (opens !== undefined && scan.carrier === 'unstated' && readsAsAttribute(opens, scan.text.slice(2))) {
    warnings.push(`形似 UDI 的生产标识(${opens})但没有产品标识(01)，已按院内码处理，请核对。`)
  }
  return warnings
}

function readsAsAttribute(ai: string, value: string): boolean {
  if (ai === '10' || ai === '21') return /^[!-z]{1,20}$/.test(value)
  return readShortOrLongDay(value.slice(0, 6), referenceDay(undefined)) !== null
}

function readInhouse(scan: Scan): ParsedCode {
  const length = [...scan.text].length
  if (/\s/.test(scan.text)) {
    return refuse(scan.raw, 'code.hasSpace', `“${shown(scan.text)}”中间有空格，不是可识别的编码，请重新扫码。`)
  }
  if (!/^[\p{L}\p{M}\p{N}\p{P}\p{S}]+$/u.test(scan.text)) {
    return refuse(scan.raw, 'code.unprintable', '扫码内容含有无法显示的字符，请检查扫码枪的编码设置后重新扫码。')
  }
  if (length < 4) return refuse(scan.raw, 'code.tooShort', `“${shown(scan.text)}”太短，编码至少4个字符，请重新扫码。`)
  if (length > 64) {
    return refuse(scan.raw, 'code.tooLong', `扫码内容有${length}个字符，院内码最多64个，请重新扫码或核对标签。`)
  }
  return inhouse(scan, resemblances(scan))
}
