import { codesOfText } from '#kernel/codes/code-list.ts'
import { canonicalCode } from '#kernel/codes/canonical-code.ts'
import { isDay, momentOf, today } from '#kernel/values/date.ts'
import { compare, type Decimal, isDecimal, isNegative, places, plain, round } from '#kernel/values/decimal.ts'
import type { Fields, FieldSpec } from '#kernel/definition/field.ts'
import type { Problem } from '#kernel/rules/errors.ts'
import { taxRates } from '#kernel/values/tax-amounts.ts'
import { lotForm } from '#kernel/values/lot-no.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { unseenAt } from '#kernel/values/same-name.ts'

/** A parsed wire value, or the message that says what is wrong with it. */
export type Parsed = { readonly value: unknown } | { readonly msg: string }

const CONTROL =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/
const LONGEST = { text: 200, longText: 2000 } as const

/** The one form of what is known under several. */
function formed({ form }: FieldSpec, text: string): string {
  if (form === 'lot') return lotForm(text)
  return form === 'piece' ? canonicalCode(text.trim(), today()).bare : text.trim()
}

function parseText(field: FieldSpec, raw: unknown): Parsed {
  if (typeof raw !== 'string' && !Number.isInteger(raw)) return { msg: `【${field.label}】应为文字` }
  const value = formed(field, String(raw))
  const longest = parseInteger(field.max ?? LONGEST[field.as === 'longText' ? 'longText' : 'text'])
  if (value.length > longest) return { msg: `【${field.label}】不能超过${longest}个字` }
  if (CONTROL.test(value) || (field.as === 'text' && /[\r\n]/.test(value)))
    return { msg: `【${field.label}】不能输入特殊字符` }
  const unseen = field.as === 'text' ? unseenAt(value) : 0
  if (unseen > 0) return { msg: `【${field.label}】第${unseen}个字是看不见的特殊字符，请删除后重新输入` }
  if (value !== '' && field.match && !field.match.test(value))
    return { msg: field.matchMsg ?? `【${field.label}】格式有误` }
  return { value: value === '' ? null : value }
}

function parseFigure(field: FieldSpec, raw: unknown, decimals: number): Parsed {
  const text = typeof raw === 'number' ? String(raw) : typeof raw === 'string' ? raw.trim() : ''
  if (!isDecimal(text)) return { msg: `【${field.label}】应为数字` }
  if (!isDecimal(text, decimals)) return { msg: `【${field.label}】最多${decimals}位小数` }
  if (text.replace('-', '').split('.')[0]!.length > 14) return { msg: `【${field.label}】数值过大` }
  if (isNegative(text) && field.min !== undefined && !isNegative(field.min as Decimal))
    return { msg: `【${field.label}】不能为负数` }
  if (field.min !== undefined && compare(text, field.min as Decimal) < 0)
    return { msg: field.min === '0.001' ? `【${field.label}】必须大于0` : `【${field.label}】不能小于${field.min}` }
  if (field.max !== undefined && compare(text, String(field.max) as Decimal) > 0)
    return { msg: `【${field.label}】不能大于${field.max}` }
  // Figures get the decimal places of their kind, however they were typed; a rate keeps only the places it needs.
  return { value: field.as === 'rate' ? plain(round(text, decimals)) : round(text, decimals) }
}

function parseWhole(field: FieldSpec, raw: unknown): Parsed {
  const text = String(raw).trim()
  if (!/^-?\d{1,9}$/.test(text)) return { msg: `【${field.label}】应为整数` }
  const value = parseInteger(text)
  if (field.min !== undefined && value < parseInteger(field.min))
    return { msg: `【${field.label}】不能小于${field.min}` }
  if (field.max !== undefined && value > parseInteger(field.max))
    return { msg: `【${field.label}】不能大于${field.max}` }
  return { value }
}

/** Checks that each item of a list is one of the field's choices. */
function amongChoices({ label, choices }: FieldSpec, parsed: Parsed): Parsed {
  if (choices === undefined || 'msg' in parsed) return parsed
  const wrong = (parsed.value as readonly string[]).find(choice => !Object.hasOwn(choices, choice))
  return wrong === undefined ? parsed : { msg: `【${label}】没有“${wrong.slice(0, 20)}”这个选项` }
}

function parseList(field: FieldSpec, raw: unknown, most: number): Parsed {
  let list: unknown = raw
  if (typeof raw === 'string' && raw.trim().startsWith('[')) {
    try {
      list = JSON.parse(raw)
    } catch {
      return { msg: `【${field.label}】格式有误` }
    }
  } else if (typeof raw === 'string') {
    const read = codesOfText(raw)
    if ('undecided' in read)
      return { msg: `【${field.label}】“${read.undecided.slice(0, 60)}”可能是一个码，也可能是几个，请每行填写一个码` }
    list = read.codes
  }
  if (!Array.isArray(list) || list.some(item => typeof item !== 'string')) return { msg: `【${field.label}】应为列表` }
  const values = (list as string[]).map(item => item.trim()).filter(Boolean)
  if (values.length > most) return { msg: `【${field.label}】不能超过${most}项` }
  if (values.some(item => item.length > 128 || CONTROL.test(item.replaceAll('\u001d', ''))))
    return { msg: `【${field.label}】含有无法识别的内容` }
  return { value: values }
}

/**
 * Digits that a number of JSON keeps; of more, others than those that were sent arrive. One with an exponent has lost
 * its zeros.
 */
const MOST_DIGITS = 15
const hasLostDigits = (raw: unknown): boolean => {
  const text = typeof raw === 'number' ? String(raw) : ''
  return text.includes('e+') || text.replace(/^-?0*\.?0*|\D/g, '').length > MOST_DIGITS
}

/**
 * Parses one wire value by its field kind. Empty is null; whether a field may be empty is checked elsewhere, because
 * documents check it at submit and records at once. Never throws, whatever `raw` is.
 */
export function parseValue(field: FieldSpec, raw: unknown): Parsed {
  if (raw === null || raw === undefined || raw === '')
    return { value: field.as === 'files' || field.as === 'codes' ? [] : null }
  if (typeof raw === 'object' && field.as !== 'files' && field.as !== 'codes')
    return { msg: `【${field.label}】格式有误` }
  if (hasLostDigits(raw)) return { msg: `【${field.label}】的数字超过${MOST_DIGITS}位，请加引号以文本传送` }
  switch (field.as) {
    case 'text':
    case 'longText':
      return parseText(field, raw)
    case 'quantity':
      return parseFigure(field, raw, places.quantity)
    case 'price':
      return parseFigure(field, raw, places.price)
    case 'amount':
      return parseFigure(field, raw, places.amount)
    case 'rate':
      // Four places of the percentage that users enter.
      return parseFigure(field, raw, 6)
    case 'count':
      return parseWhole(field, raw)
    case 'taxRate':
      return (taxRates as readonly number[]).includes(parseInteger(raw)) && /^\d{1,2}$/.test(String(raw))
        ? { value: parseInteger(raw) }
        : { msg: `【${field.label}】只能是0、1、3、6、9、13` }
    case 'day':
      return isDay(raw) ? { value: raw } : { msg: `【${field.label}】不是有效日期（格式 2026-01-31）` }
    case 'instant': {
      const moment = momentOf(raw)
      return moment === null
        ? { msg: `【${field.label}】不是有效时间（格式 2026-01-31T08:30:00+08:00）` }
        : { value: moment }
    }
    case 'flag':
      return raw === true || raw === 'true'
        ? { value: true }
        : raw === false || raw === 'false'
          ? { value: false }
          : { msg: `【${field.label}】应为 true 或 false` }
    case 'pick':
      return Object.hasOwn(field.choices ?? {}, String(raw))
        ? { value: String(raw) }
        : { msg: `【${field.label}】没有“${String(raw).slice(0, 20)}”这个选项` }
    case 'ref':
      return /^\d{1,18}$/.test(String(raw)) ? { value: String(raw) } : { msg: `【${field.label}】不存在` }
    case 'files':
      return parseList(field, raw, 50)
    case 'codes':
      return amongChoices(field, parseList(field, raw, 20_000))
  }
}

/** Parses the named fields in `body`. Unknown names are problems: nothing that was sent is silently dropped. */
export function parseFields(
  fields: Fields,
  body: Readonly<Record<string, unknown>>,
  line?: number,
): { values: Record<string, unknown>; problems: Problem[] } {
  const values: Record<string, unknown> = {}
  const problems: Problem[] = []
  const at = line === undefined ? {} : { line }
  const where = line === undefined ? '' : `第${line}行：`
  for (const [name, raw] of Object.entries(body)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (!field) {
      problems.push({ field: name.slice(0, 64), ...at, msg: `${where}没有“${name.slice(0, 64)}”这个字段` })
      continue
    }
    const parsed = parseValue(field, raw)
    if ('msg' in parsed) problems.push({ field: name, ...at, msg: where + parsed.msg })
    else values[name] = parsed.value
  }
  return { values, problems }
}
