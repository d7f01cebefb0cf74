/** The carriers that labels are printed with. The input is our own, so errors in it are thrown, with a sentence. */
import { withoutEnd } from '#kernel/values/trimmed.ts'
import { padGtin } from './check-digit.ts'
import { isHibcDi } from './hibc-code.ts'
import { LINK_QUALIFIERS } from './digital-link.ts'
import { bracketed, GS, readElement } from './gs1-elements.ts'
import { identifierNamed, isInvariant } from './identifiers.ts'
import { shown } from './parsed-code.ts'
import type { CodeError } from './parsed-code.ts'
import { referenceDay } from './code-date.ts'

/** One group to print; a CodeElement can be passed as well. */
export interface Gs1Part {
  readonly ai: string
  readonly value: string
}

/** Why a label cannot be made. */
export class UnprintableCode extends Error {
  readonly code: CodeError

  constructor(code: CodeError, message: string) {
    super(message)
    this.name = 'UnprintableCode'
    this.code = code
  }
}

function wellFormed(part: Gs1Part): Gs1Part {
  const id = identifierNamed(part.ai)
  if (id === undefined)
    throw new UnprintableCode('gs1.unknownIdentifier', `“${shown(part.ai)}”不是 GS1 标识符，请修改标签模板。`)
  const reading = readElement(id, part.value, referenceDay(undefined))
  if (!reading.ok) throw new UnprintableCode(reading.error, reading.message)
  return part
}

function checked(part: Gs1Part): Gs1Part {
  wellFormed(part)
  if (!isInvariant(part.value)) {
    const label = identifierNamed(part.ai)?.label ?? ''
    throw new UnprintableCode(
      'gs1.badCharacter',
      `${label}(${part.ai})“${shown(part.value)}”含有 GS1 规定以外的字符，请修改后再打印。`,
    )
  }
  return part
}

/** Product first, then groups of predefined length, so that as few separators as possible are needed. */
function inPrintOrder(parts: readonly Gs1Part[]): readonly Gs1Part[] {
  const rank = (part: Gs1Part): number => (part.ai === '01' ? 0 : identifierNamed(part.ai)?.predefined === true ? 1 : 2)
  const seen = new Set<string>()
  for (const part of parts.map(checked)) {
    if (seen.has(part.ai))
      throw new UnprintableCode('gs1.conflictingElements', `标识符(${part.ai})重复，请修改标签内容。`)
    seen.add(part.ai)
  }
  if (seen.size === 0) throw new UnprintableCode('gs1.emptyElement', '标签没有任何内容，请先填写产品标识。')
  return [...parts].sort((a, b) => rank(a) - rank(b))
}

/** The data of a GS1-128 or GS1 DataMatrix, without the leading FNC1 that the symbol generator adds. */
export function gs1ElementString(parts: readonly Gs1Part[]): string {
  const ordered = inPrintOrder(parts)
  return ordered
    .map((part, position) => {
      const needsSeparator = identifierNamed(part.ai)?.predefined !== true && position < ordered.length - 1
      return part.ai + part.value + (needsSeparator ? GS : '')
    })
    .join('')
}

/** The human-readable line under the symbol: (01)…(17)…(10)…(21)… */
export function gs1Bracketed(parts: readonly Gs1Part[]): string {
  return bracketed(inPrintOrder(parts))
}

/** The web address form for QR codes; qualifiers in the standard's order, everything else in the query. */
export function digitalLink(parts: readonly Gs1Part[], domain = 'https://id.gs1.org'): string {
  const ordered = inPrintOrder(parts)
  const key = ordered.find(part => LINK_QUALIFIERS.has(part.ai))
  if (key === undefined)
    throw new UnprintableCode('gs1.missingProduct', '没有产品标识(01)，不能生成数字链接，请先填写产品标识。')
  const allowed = (LINK_QUALIFIERS.get(key.ai) ?? []).filter(
    ai => ai !== '235' || !ordered.some(part => part.ai === '21'),
  )
  const qualifiers = allowed.flatMap(ai => ordered.filter(part => part.ai === ai))
  const path = [key, ...qualifiers].map(part => `/${part.ai}/${encodeURIComponent(part.value)}`).join('')
  const others = ordered.filter(part => part !== key && !qualifiers.includes(part))
  const query = others.map(part => `${part.ai}=${encodeURIComponent(part.value)}`).join('&')
  return withoutEnd(domain, character => character === '/') + path + (query === '' ? '' : `?${query}`)
}

/**
 * The unique code of one piece, or of the product when it has no serial: the same for every carrier it was read
 * from. A serial printed against the rules still identifies its piece, so its characters are not limited to the 82.
 */
export function canonicalUdi(di: string, serial: string | null): string {
  if (/^MA\.\d{3}\.[^.]+\.[^.]+\.[^.]+$/.test(di)) return serial === null ? di : `${di}.S${serial}`
  if (isHibcDi(di)) return serial === null ? di : `${di}/S${serial}`
  const gtin = padGtin(di)
  if (gtin === null)
    throw new UnprintableCode('gs1.badCheckDigit', `产品标识“${shown(di)}”不是有效的 GTIN、MA 码或 HIBC 码，请核对。`)
  return serial === null
    ? `(01)${gtin}`
    : bracketed([
        { ai: '01', value: gtin },
        { ai: '21', value: wellFormed({ ai: '21', value: serial }).value },
      ])
}
