import { halfWidth, withoutEnd, withoutStart } from '#kernel/values/trimmed.ts'
import { isGtin } from './check-digit.ts'
import { checkedBody, looksHibc } from './hibc-code.ts'
import type { Scan } from './parsed-code.ts'

/** Invisible characters left by copy-and-paste and right-to-left marks. */
const INVISIBLE = /[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g

/** White space and control characters around a code, except the separator, which is data. */
const EDGE = /[\s\0-\x1c\x1e\x1f\x7f]/
const isEdge = (character: string): boolean => EDGE.test(character)
const withoutEdges = (text: string): string => withoutEnd(withoutStart(text, isEdge), isEdge)

/**
 * Characters that Chinese input methods produce for keys without a full-width equivalent at a fixed distance. The key
 * of `、` is that of the slash or of the backslash, and no code has a backslash.
 */
const IME: Readonly<Record<string, string>> = {
  '\u3000': ' ',
  '。': '.',
  '【': '[',
  '】': ']',
  '\u300c': '[',
  '\u300d': ']',
  '\u300e': '{',
  '\u300f': '}',
  '《': '<',
  '》': '>',
  '、': '/',
  '￥': '$',
  '¥': '$',
  '“': '"',
  '”': '"',
  '‘': "'",
  '’': "'",
  '……': '^',
  '——': '_',
  '−': '-',
  '‐': '-',
  '–': '-',
}
const IME_KEYS = /……|——|[\u3000。【】\u300c\u300d\u300e\u300f《》、￥¥“”‘’−‐–]/g

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

function toHalfWidth(text: string): string {
  return halfWidth(text).replace(IME_KEYS, key => IME[key] ?? key)
}

/** Small letters for capitals and capitals for small letters, as Caps Lock gives them. */
export function flipCase(text: string): string {
  return text.replace(/[A-Za-z]/g, letter => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()))
}

/** The two characters of each key that is no letter, without and with Shift. */
const KEYS = '1!2@3#4$5%6^7&8*9(0)-_=+[{]}\\|;:\'",<.>/?`~'
/** Types the same keys again with Shift held where it was not, and without it where it was. */
const otherShift = (text: string): string =>
  flipCase(text).replace(/[^A-Za-z]/g, character => {
    const at = KEYS.indexOf(character)
    return at === -1 ? character : KEYS.charAt(at % 2 === 0 ? at + 1 : at - 1)
  })

/** Prefixes and beginnings as they arrive with Caps Lock on; `]E0` and `]e0` become each other. */
const FLIPPED = [/^\x1d*\](?:c[01]|D[12]|q[13]|a0)/, /^ma\.\d{3}\.m/]
/** An address in capitals up to its path, which has small letters. */
const isFlippedLink = (text: string): boolean => /^HTTPS?:\/\/[^a-z/]*\//.test(text) && /[a-z]/.test(text)
const isWhole = (text: string): boolean =>
  (looksHibc(text) && checkedBody(text) !== null) || (/^01\d{14}/.test(text) && isGtin(text.slice(2, 16)))

/** The text that the keys would have given without Caps Lock or a locked Shift, where the text itself proves one. */
function unlocked(text: string): string | null {
  if (isFlippedLink(text) || FLIPPED.some(beginning => beginning.test(text))) return flipCase(text)
  // HIBC has no small letters.
  if (/[a-z]/.test(text) && looksHibc(text.toUpperCase())) return text.toUpperCase()
  if (!/^[)=]/.test(text)) return null
  const shifted = otherShift(text)
  return isWhole(shifted) ? shifted : null
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

/** People read this warning where Caps Lock was undone. */
export const UNLOCKED = '扫码时键盘大写锁定是打开的，字母大小写已还原，请关闭大写锁定并核对序列号。'

/** Removes what a scanner, clipboard or input method did to a code, and reads the symbology prefix. */
export function normalise(raw: string): Scan {
  const warnings: string[] = []
  let text = withoutEdges(toHalfWidth(raw.replace(INVISIBLE, '')))
  const restored = unlocked(text)
  if (restored !== null) {
    text = restored
    warnings.push(UNLOCKED)
  }
  const taken = takePrefix(text)
  return { raw, ...taken, text: withoutEdges(taken.text), warnings }
}
