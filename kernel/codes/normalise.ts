import { halfWidth, withoutEnd, withoutStart } from '#kernel/values/trimmed.ts'
import type { Scan } from './parsed-code.ts'

/** Invisible characters left by copy-and-paste and right-to-left marks. */
const INVISIBLE = /[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g

/** White space and control characters around a code, except the separator, which is data. */
const EDGE = /[\s\0-\x1c\x1e\x1f\x7f]/
const isEdge = (character: string): boolean => EDGE.test(character)
const withoutEdges = (text: string): string => withoutEnd(withoutStart(text, isEdge), isEdge)

/** What a Chinese input method produces for keys that have no full-width equivalent at a fixed distance. */
const IME: Readonly<Record<string, string>> = {
  '\u3000': ' ',
  '。': '.',
  '【': '[',
  '】': ']',
  '《': '<',
  '》': '>',
  '、': '\\',
  '￥': '$',
  '“': '"',
  '”': '"',
  '‘': "'",
  '’': "'",
  '……': '^',
  '——': '_',
}
const IME_KEYS = /\u3000|。|【|】|《|》|、|￥|“|”|‘|’|……|——/g

type Carrier = Scan['carrier']

/** The ISO/IEC 15424 prefixes that a scanner may send, and what each means. */
const PREFIXES: Readonly<Record<string, Carrier>> = {
  ']C1': 'gs1',
  ']d2': 'gs1',
  ']Q3': 'gs1-qr',
  ']e0': 'gs1-databar',
  ']J1': 'gs1',
  ']E0': 'item',
  ']E4': 'item',
  ']I0': 'item',
  ']I1': 'item',
  ']d1': 'not-gs1',
  ']d0': 'not-gs1',
  ']Q1': 'not-gs1',
  ']Q0': 'not-gs1',
  ']C0': 'not-gs1',
  ']A0': 'not-gs1',
}

/** Prefixes as they arrive with Caps Lock on; `]E0` and `]e0` become each other and cannot be distinguished. */
const FLIPPED = /^\](?:c1|D2|q3)/

function toHalfWidth(text: string): string {
  return halfWidth(text).replace(IME_KEYS, key => IME[key] ?? key)
}

function flipCase(text: string): string {
  return text.replace(/[A-Za-z]/g, letter => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()))
}

/** Removes every prefix; some scanners send the symbol twice, or put the leading FNC1 before it. */
function takePrefix(text: string): { text: string; carrier: Carrier; hasLeadingSeparator: boolean } {
  let rest = text
  let carrier: Carrier = 'unstated'
  let hasLeadingSeparator = false
  for (;;) {
    if (rest.startsWith('\x1d')) {
      hasLeadingSeparator = true
      rest = rest.slice(1)
      continue
    }
    const found = PREFIXES[rest.slice(0, 3)]
    if (found === undefined) return { text: rest, carrier, hasLeadingSeparator }
    carrier = carrier === 'unstated' ? found : carrier
    rest = rest.slice(3)
  }
}

/** Removes what a scanner, clipboard or input method did to a code, and reads the symbology prefix. */
export function normalise(raw: string): Scan {
  const warnings: string[] = []
  let text = withoutEdges(toHalfWidth(raw.replace(INVISIBLE, '')))
  if (FLIPPED.test(text.replace(/^\x1d+/, '')) || /^ma\.\d{3}\.m/.test(text)) {
    text = flipCase(text)
    warnings.push('扫码时键盘大写锁定是打开的，字母大小写已还原，请关闭大写锁定并核对序列号。')
  }
  const taken = takePrefix(text)
  return { raw, ...taken, text: withoutEdges(taken.text), warnings }
}
