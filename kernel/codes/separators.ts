/** The many replacements for a separator that a keyboard, driver or web form could not send as ASCII 29. */
import { GS } from './gs1-elements.ts'
import type { Scan } from './parsed-code.ts'

/** A body to try; `isGuessed` is true when the character used as separator could also be data. */
export interface SeparatedBody {
  readonly body: string
  readonly isGuessed: boolean
}

const SPELLED = new RegExp(
  [
    '[<{[](?:GS|F8|FNC1|0x1D|ALT\\+?0?29|Ctrl\\+\\])[>}\\]]',
    '\\\\x1d',
    '\\\\u001d',
    '\\\\035',
    '\\^\\]',
    '\\u241d',
    'ALT\\+029',
    '&#29;',
    '&#x1d;',
  ].join('|'),
  'gi',
)

/** The prefix of a second symbol read together with the first. */
const INNER_PREFIX = /\](?:C1|d2|Q3|e0)(?=\d\d)/g

/** Not among the 82 characters of GS1 text, so never data; `]` is what Ctrl+] leaves without Ctrl. */
const STRAY = /[\]|]/g

/** The bodies to try, most trustworthy first. A body with real separators is never repaired. */
export function separatedBodies(scan: Scan): readonly SeparatedBody[] {
  const text = scan.text.replace(INNER_PREFIX, GS)
  if (text.includes(GS)) return [{ body: text, isGuessed: false }]
  const spelled = text.replace(SPELLED, GS)
  if (spelled !== text) return [{ body: spelled.replace(/^\x1d+/, ''), isGuessed: false }]
  const stray = text.replace(STRAY, GS)
  if (stray !== text) return [{ body: stray, isGuessed: true }]
  const plain: SeparatedBody = { body: text, isGuessed: false }
  if (scan.carrier !== 'gs1-qr' || !text.includes('%')) return [plain]
  // In a GS1 QR symbol a single % is the separator and a doubled one is a literal %.
  const percent = text.replace(/%%?/g, run => (run === '%' ? GS : '%'))
  return [{ body: percent, isGuessed: true }, plain]
}
