/** GS1 Digital Link: the web address form of a product code, as QR codes on packs carry it. */
import { padGtin } from './check-digit.ts'
import { gs1Code } from './gs1-code.ts'
import { readElement } from './gs1-elements.ts'
import { identifierNamed } from './identifiers.ts'
import { refuse, shown } from './parsed-code.ts'
import type { CodeContext, CodeElement, CodeError, ParsedCode, Scan } from './parsed-code.ts'
import { referenceDay } from './code-date.ts'

/** Primary keys that may start the path, each with the qualifiers that may follow, in order. */
export const LINK_QUALIFIERS: ReadonlyMap<string, readonly string[]> = new Map([
  ['00', []],
  ['01', ['22', '10', '21', '235']],
  ['253', []],
  ['255', []],
  ['401', []],
  ['402', []],
  ['414', ['254', '7040']],
  ['415', ['8020']],
  ['417', ['7040']],
  ['8003', []],
  ['8004', ['7040']],
  ['8006', ['22', '10', '21']],
  ['8010', ['8011']],
  ['8013', []],
  ['8017', ['8019']],
  ['8018', ['8019']],
])

/** Words that the first edition of the standard allowed instead of numbers. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ['gtin', '01'],
  ['cpv', '22'],
  ['lot', '10'],
  ['ser', '21'],
  ['exp', '17'],
  ['sscc', '00'],
])

interface Pair {
  readonly ai: string
  readonly encoded: string
}

interface LinkParts {
  readonly path: readonly string[]
  readonly query: readonly Pair[]
}

function aiOf(name: string): string {
  return WORDS.get(name) ?? name
}

function splitLink(text: string): LinkParts | null {
  const match = /^https?:\/\/[^/?#]+([^?#]*)(?:\?([^#]*))?/i.exec(text)
  if (match === null) return null
  const path = (match[1] ?? '').split('/').filter(segment => segment !== '')
  const query = (match[2] ?? '').split(/[&;]/).flatMap(pair => {
    const cut = pair.indexOf('=')
    return cut < 1 ? [] : [{ ai: aiOf(pair.slice(0, cut)), encoded: pair.slice(cut + 1) }]
  })
  // Query parameters that are not identifiers (campaign marks, linkType) are ignored.
  return { path, query: query.filter(pair => identifierNamed(pair.ai) !== undefined) }
}

/** The key and qualifiers at the end of the path, or null; leading segments belong to the web site. */
function pathPairs(path: readonly string[]): readonly Pair[] | null {
  for (let start = 0; start + 1 < path.length; start += 1) {
    const qualifiers = LINK_QUALIFIERS.get(aiOf(path[start] ?? ''))
    if (qualifiers === undefined || (path.length - start) % 2 !== 0) continue
    const pairs: Pair[] = []
    for (let at = start; at < path.length; at += 2)
      pairs.push({ ai: aiOf(path[at] ?? ''), encoded: path[at + 1] ?? '' })
    if (pairs.slice(1).every(pair => qualifiers.includes(pair.ai))) return pairs
  }
  return null
}

/** A compressed link ends in one opaque base64url segment, alone or after an uncompressed key. */
function looksCompressed(path: readonly string[]): boolean {
  const last = path.at(-1) ?? ''
  return /^[A-Za-z0-9_-]{8,}$/.test(last) && /[A-Z]/.test(last) && /[a-z]/.test(last) && /[0-9_-]/.test(last)
}

function decoded(encoded: string): string | null {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return null
  }
}

function noProduct(raw: string, path: readonly string[]): ParsedCode {
  const [error, message]: [CodeError, string] = looksCompressed(path)
    ? ['link.compressed', '这是压缩格式的 GS1 数字链接，系统不能直接解读，请扫描标签上的其他条码。']
    : ['link.noProduct', '这是一个网址，里面没有产品标识，请扫描标签上的 UDI 条码。']
  return refuse(raw, error, message)
}

/** Reads an http(s) address as a Digital Link. */
export function readDigitalLink(scan: Scan, context: CodeContext): ParsedCode {
  const link = splitLink(scan.text)
  const pairs = link === null ? null : pathPairs(link.path)
  if (link === null || pairs === null) return noProduct(scan.raw, link?.path ?? [])
  const elements: CodeElement[] = []
  for (const { ai, encoded } of [...pairs, ...link.query]) {
    const value = decoded(encoded)
    if (value === null) {
      return refuse(scan.raw, 'link.badEncoding', `网址里“${shown(encoded)}”的百分号编码不正确，请重新扫码。`)
    }
    const id = identifierNamed(ai)
    if (id === undefined) continue
    // Early links wrote a GTIN as short as the bar code beside it.
    const reading = readElement(id, ai === '01' ? (padGtin(value) ?? value) : value, referenceDay(context.today))
    if (!reading.ok) return refuse(scan.raw, reading.error, reading.message)
    elements.push(...reading.elements)
  }
  return gs1Code({ kind: 'gs1-digital-link', scan, elements, today: context.today, repaired: false })
}
