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

/** A fault says what is wrong with an address that has a key. */
interface Fault {
  readonly error: CodeError
  readonly message: string
}

interface LinkParts {
  readonly path: readonly string[]
  readonly query: readonly Pair[]
}

function aiOf(name: string): string {
  return WORDS.get(name.toLowerCase()) ?? name
}

function splitLink(text: string): LinkParts | null {
  const match = /^https?:\/\/[^/?#]+([^?#]*)(?:\?([^#]*))?/i.exec(text)
  if (match === null) return null
  const path = (match[1] ?? '').split('/').filter(segment => segment !== '')
  const query = (match[2] ?? '').split(/[&;]/).flatMap(pair => {
    const [, name = '', encoded = ''] = /^([^=]*)=?(.*)$/s.exec(pair) ?? []
    return [{ ai: aiOf(decoded(name) ?? name), encoded }]
  })
  // Other query parameters (campaign marks, linkType) are ignored; names of digits are reserved for identifiers.
  return { path, query: query.filter(({ ai }) => /^\d+$/.test(ai) || identifierNamed(ai) !== undefined) }
}

const unknownKey = (ai: string): Fault => ({
  error: 'gs1.unknownIdentifier',
  message: `网址里的“${shown(ai)}”不是已知的 GS1 标识符，请核对标签。`,
})

/** Finds a group that may not follow the key, one that occurs twice, or one in the wrong order. */
function faultOf([key, ...others]: readonly Pair[], qualifiers: readonly string[]): Fault | null {
  let before = -1
  for (const { ai } of others) {
    if (identifierNamed(ai) === undefined) return unknownKey(ai)
    const at = qualifiers.indexOf(ai)
    const name = `${identifierNamed(ai)?.label}(${ai})`
    if (at === -1) {
      const message = `网址的路径里${name}不能跟在(${key?.ai})后面，不符合 GS1 数字链接规则，请扫描标签上的其他条码。`
      return { error: 'link.badPath', message }
    }
    if (at === before) return repeated(ai)
    if (at < before) {
      const order = qualifiers.map(each => `(${each})`).join('、')
      const message = `网址里${name}的位置不对，(${key?.ai})后面应按${order}的顺序，请扫描标签上的其他条码。`
      return { error: 'link.badPath', message }
    }
    before = at
  }
  return null
}

/** The fault of a group before the key: left out as a folder of the site, its value would be lost. */
function faultBefore(name: string | undefined, key: string): Fault | null {
  const id = name === undefined ? undefined : identifierNamed(aiOf(name))
  if (id === undefined) return null
  const message = `网址里${id.label}(${id.ai})不能在(${key})前面，不符合 GS1 数字链接规则，请扫描标签上的其他条码。`
  return { error: 'link.badPath', message }
}

const repeated = (ai: string): Fault => ({
  error: 'gs1.conflictingElements',
  message: `网址里${identifierNamed(ai)?.label}(${ai})出现了两次，请核对标签后手工录入。`,
})

/**
 * The key and qualifiers at the end of the path, or what is wrong with them; null without a key. Leading segments
 * belong to the web site, whose folders may be called like a key.
 */
function pathPairs(path: readonly string[]): readonly Pair[] | Fault | null {
  let fault: Fault | null = null
  for (let start = 0; start + 1 < path.length; start += 1) {
    const key = aiOf(path[start] ?? '')
    const qualifiers = LINK_QUALIFIERS.get(key)
    if (qualifiers === undefined) continue
    const pairs: Pair[] = []
    for (let at = start; at < path.length; at += 2)
      pairs.push({ ai: aiOf(path[at] ?? ''), encoded: path[at + 1] ?? '' })
    const wrong = faultBefore(path[start - 2], key) ?? faultOf(pairs, qualifiers)
    if (wrong === null && (path.length - start) % 2 === 0) return pairs
    if (looksCompressed(path) || !/\d{8}/.test(path[start + 1] ?? '')) continue
    fault ??= wrong ?? { error: 'gs1.emptyElement', message: `网址在(${path.at(-1)})后面没有内容，请重新扫码。` }
  }
  return fault
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

/** Reads an http(s) address as a Digital Link; one that breaks the rules of the standard is refused with the rule. */
export function readDigitalLink(scan: Scan, context: CodeContext): ParsedCode {
  const link = splitLink(scan.text)
  const pairs = link === null ? null : pathPairs(link.path)
  if (link === null || pairs === null) return noProduct(scan.raw, link?.path ?? [])
  if ('error' in pairs) return refuse(scan.raw, pairs.error, pairs.message)
  const elements: CodeElement[] = []
  for (const { ai, encoded } of [...pairs, ...link.query]) {
    const read = readPair(ai, encoded, elements, context)
    if ('error' in read) return refuse(scan.raw, read.error, read.message)
    elements.push(read)
  }
  return gs1Code({ kind: 'gs1-digital-link', scan, elements, today: context.today, repaired: false })
}

function readPair(
  ai: string,
  encoded: string,
  before: readonly CodeElement[],
  context: CodeContext,
): CodeElement | Fault {
  const value = decoded(encoded)
  if (value === null)
    return { error: 'link.badEncoding', message: `网址里“${shown(encoded)}”的百分号编码不正确，请重新扫码。` }
  const id = identifierNamed(ai)
  if (id === undefined) return unknownKey(ai)
  // Early links wrote a GTIN as short as the bar code beside it.
  const reading = readElement(id, ai === '01' ? (padGtin(value) ?? value) : value, referenceDay(context.today))
  if (!reading.ok) return reading
  const element = reading.elements[0]!
  return before.some(earlier => earlier.ai === ai && earlier.value === element.value) ? repeated(ai) : element
}
