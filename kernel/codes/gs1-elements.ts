/** Reads GS1 data as the standard defines it: identifier by identifier, with separators or with brackets. */
import { identifierAt, identifierNamed, valueFault } from './identifiers.ts'
import type { Identifier, ValueFault } from './identifiers.ts'
import { shown } from './parsed-code.ts'
import type { CodeElement, CodeError } from './parsed-code.ts'

/** ASCII 29, sent by scanners for the separator inside a GS1 symbol. */
export const GS = '\x1d'

export type ElementReading =
  | { readonly ok: true; readonly elements: readonly CodeElement[] }
  | { readonly ok: false; readonly error: CodeError; readonly message: string }

const FAULT_ERRORS: Readonly<Record<ValueFault, CodeError>> = {
  empty: 'gs1.emptyElement',
  length: 'gs1.badLength',
  character: 'gs1.badCharacter',
  checkDigit: 'gs1.badCheckDigit',
  date: 'gs1.badDate',
  piece: 'gs1.badPiece',
  sex: 'gs1.badCharacter',
}

function faultMessage(id: Identifier, value: string, fault: ValueFault): string {
  const name = `${id.label}(${id.ai})`
  const range = id.minLength === id.maxLength ? `${id.maxLength}` : `${id.minLength}～${id.maxLength}`
  switch (fault) {
    case 'empty':
      return `${name}后面没有内容，条码可能没有扫完整，请重新扫码。`
    case 'length':
      return `${name}应为${range}位，实际为${value.length}位“${shown(value)}”，请重新扫码或核对标签。`
    case 'character':
      return `${name}“${shown(value)}”含有不允许的字符，请重新扫码；若仍失败请核对标签。`
    case 'checkDigit':
      return `${name}“${shown(value)}”的校验位不对，可能扫错或录错，请重新扫码。`
    case 'date':
      return `${name}“${shown(value)}”不是有效日期，请核对标签上的日期。`
    case 'piece':
      return `${name}“${shown(value)}”中的第几件与总件数不符，请重新扫码或核对标签。`
    case 'sex':
      return `${name}“${shown(value)}”不是性别代码（0未知、1男、2女、9不适用），请核对标签。`
  }
}

/** Checks one group; returns the element, or a refusal that names the group. */
export function readElement(id: Identifier, value: string, today: string): ElementReading {
  const fault = valueFault(id, value, today)
  if (fault !== null) return { ok: false, error: FAULT_ERRORS[fault], message: faultMessage(id, value, fault) }
  return { ok: true, elements: [{ ai: id.ai, label: id.label, value }] }
}

function unknownIdentifier(text: string): ElementReading {
  const message = `“${shown(text.slice(0, 8))}”处不是已知的 GS1 标识符，条码内容不完整或分隔符丢失，请重新扫码或手工录入。`
  return { ok: false, error: 'gs1.unknownIdentifier', message }
}

/** The end of the value that starts at `start`, assuming no separator is missing. */
function valueEnd(body: string, id: Identifier, start: number): number {
  const separator = body.indexOf(GS, start)
  const stop = separator === -1 ? body.length : separator
  return id.predefined ? Math.min(stop, start + id.maxLength) : stop
}

/**
 * Reads an element string. A separator after a predefined-length group is superfluous but common, so it is accepted.
 */
export function readElementString(body: string, today: string): ElementReading {
  const elements: CodeElement[] = []
  let at = 0
  while (at < body.length) {
    if (body[at] === GS) {
      at += 1
      continue
    }
    const id = identifierAt(body, at)
    if (id === undefined) return unknownIdentifier(body.slice(at))
    const start = at + id.ai.length
    at = valueEnd(body, id, start)
    const reading = readElement(id, body.slice(start, at), today)
    if (!reading.ok) return reading
    elements.push(...reading.elements)
  }
  return { ok: true, elements }
}

/** True when text starts with an assigned identifier in brackets: the human-readable line under the symbol. */
export function looksBracketed(text: string): boolean {
  const ai = /^\((\d{2,4})\)/.exec(text)?.[1]
  return ai !== undefined && identifierNamed(ai) !== undefined
}

const BRACKETED = /(?<!\\)\((\d{2,4})\)/g

function unknownInBrackets(ai: string): ElementReading {
  const message = `“(${ai})”不是已知的 GS1 标识符，请核对标签；如果它是前一项内容的一部分，请写成“\\(${ai})”。`
  return { ok: false, error: 'gs1.unknownIdentifier', message }
}

/** The value as a symbol carries it. People separate digits with spaces: (01)0 6901234 56789 2. */
function unprinted(id: Identifier, printed: string): string {
  const isNumeric = id.components.every(part => part.set === 'N')
  return (isNumeric ? printed.replace(/\s/g, '') : printed.trim()).replaceAll('\\(', '(').replaceAll(GS, '')
}

/** Reads the human-readable line. A bracket that belongs to a value is written `\(`. */
export function readBracketed(text: string, today: string): ElementReading {
  const marks = [...text.matchAll(BRACKETED)]
  const elements: CodeElement[] = []
  for (const [position, mark] of marks.entries()) {
    const ai = mark[1] ?? ''
    const id = identifierNamed(ai)
    if (id === undefined) return unknownInBrackets(ai)
    const printed = text.slice(mark.index + mark[0].length, marks[position + 1]?.index ?? text.length)
    const reading = readElement(id, unprinted(id, printed), today)
    if (!reading.ok) return reading
    elements.push(...reading.elements)
  }
  return { ok: true, elements }
}

/**
 * Escapes the brackets of a value that itself contains something like "(10)", as the line could otherwise be read
 * two ways.
 */
function bracketSafe(value: string): string {
  return /\(\d{2,4}\)/.test(value) ? value.replaceAll('(', '\\(') : value
}

/** The line with brackets, group by group: read again, it says the same. */
export const bracketed = (parts: readonly { readonly ai: string; readonly value: string }[]): string =>
  parts.map(({ ai, value }) => `(${ai})${bracketSafe(value)}`).join('')
