/** The GS1 application identifiers: their meaning and permitted values. */
import { parseInteger } from '#kernel/values/integer.ts'
import { identifierRows, measureRows } from './identifier-table.ts'
import { ruleFault, valueRules } from './value-rules.ts'
import type { RuleFault, ValueRule } from './value-rules.ts'

interface Component {
  readonly set: 'N' | 'X' | 'Y' | 'Z'
  readonly min: number
  readonly max: number
  /** Absent or present with its whole length. */
  readonly allOrNothing: boolean
  /** Null: any value of the right length and characters. */
  readonly rule: ValueRule | null
}

export interface Identifier {
  readonly ai: string
  readonly label: string
  /** Length fixed by the standard through the first two digits: no separator needed. */
  readonly predefined: boolean
  readonly minLength: number
  readonly maxLength: number
  readonly components: readonly Component[]
}

export type ValueFault = 'empty' | 'length' | RuleFault

const PREDEFINED = /^(?:0[0-4]|1[1-9]|20|3[1-6]|41)/

function component(text: string): Component {
  const match = /^(\[?)([NXYZ])(\.\.)?(\d+)(?::(\w+))?\]?$/.exec(text)
  const rule = valueRules.find(each => each === match?.[5]) ?? null
  if (match === null || (match[5] !== undefined && rule === null)) throw new Error(`identifier table: ${text}`)
  const max = parseInteger(match[4])
  const isOptional = match[1] === '['
  const isOpen = match[3] === '..'
  const min = isOptional ? 0 : isOpen ? 1 : max
  return { set: match[2] as Component['set'], min, max, allOrNothing: isOptional && !isOpen, rule }
}

function identifier(ai: string, label: string, format: string): Identifier {
  const components = format.split(' ').map(component)
  const minLength = components.reduce((sum, part) => sum + part.min, 0)
  const maxLength = components.reduce((sum, part) => sum + part.max, 0)
  return { ai, label, predefined: PREDEFINED.test(ai), minLength, maxLength, components }
}

function buildIdentifiers(): ReadonlyMap<string, Identifier> {
  const all = new Map<string, Identifier>()
  const add = (ai: string, label: string, format: string): void => void all.set(ai, identifier(ai, label, format))
  for (const [range, label, format] of identifierRows) {
    const [first, last] = range.split('-') as [string, string?]
    for (let n = parseInteger(first); n <= parseInteger(last ?? first); n += 1)
      add(String(n).padStart(first.length, '0'), label, format)
  }
  for (const [stem, label] of measureRows) for (let n = 0; n <= 5; n += 1) add(stem + n, label, 'N6')
  return all
}

const IDENTIFIERS = buildIdentifiers()

/** The identifier written exactly `ai`, if GS1 has assigned it. */
export function identifierNamed(ai: string): Identifier | undefined {
  return IDENTIFIERS.get(ai)
}

/** The longest identifier found in `text` at position `at`. */
export function identifierAt(text: string, at: number): Identifier | undefined {
  return (
    IDENTIFIERS.get(text.slice(at, at + 4)) ??
    IDENTIFIERS.get(text.slice(at, at + 3)) ??
    IDENTIFIERS.get(text.slice(at, at + 2))
  )
}

/** True when every character is one of the 82 that GS1 allows in text. */
export function isInvariant(value: string): boolean {
  return /^[!"%-?A-Z_a-z]*$/.test(value)
}

const LETTERS: Readonly<Record<Component['set'], RegExp>> = {
  N: /^[0-9]*$/,
  // Labels in use carry a few printable characters outside the 82; they are read with a warning, not refused. Not so
  // `~`, which some scanners send for the separator.
  X: /^[ -}]*$/,
  Y: /^[#\-/0-9A-Z]*$/,
  // Base64url; what is filled up with `=` has a length divisible by three.
  Z: /^(?:[-\w]*|(?:[-\w]{3})*(?:[-\w]==|[-\w]{2}=))$/,
}

/** The fault of `value` as the content of `id`, or null. */
export function valueFault(id: Identifier, value: string, today: string): ValueFault | null {
  if (value === '') return 'empty'
  if (value.length < id.minLength || value.length > id.maxLength) return 'length'
  let at = 0
  for (const part of id.components) {
    const piece = value.slice(at, at + part.max)
    at += piece.length
    if (!LETTERS[part.set].test(piece)) return 'character'
    if (piece.length < (part.allOrNothing && piece !== '' ? part.max : part.min)) return 'length'
    const fault = piece === '' || part.rule === null ? null : ruleFault(part.rule, piece, today)
    if (fault !== null) return fault
  }
  return null
}
