import { flipCase } from '#kernel/codes/normalise.ts'

/** The properties of one key press. */
export type Press = Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey' | 'ctrlKey' | 'altKey' | 'metaKey'> & {
  readonly isComposing?: boolean
  /** True if Caps Lock is on. */
  readonly getModifierState?: (name: string) => boolean
}
/** The result of a key press: a complete code, part of a code, or not from the scanner. */
export type Pressed =
  | { readonly is: 'code'; readonly code: string }
  | { readonly is: 'part' }
  | { readonly is: 'other' }

const SEPARATOR = '\u001d'
const LONGEST = 600
const shifted: Readonly<Record<string, string>> = {
  Digit1: '!',
  Digit2: '@',
  Digit3: '#',
  Digit4: '$',
  Digit5: '%',
  Digit6: '^',
  Digit7: '&',
  Digit8: '*',
  Digit9: '(',
  Digit0: ')',
  Minus: '_',
  Equal: '+',
  BracketLeft: '{',
  BracketRight: '}',
  Backslash: '|',
  Semicolon: ':',
  Quote: '"',
  Comma: '<',
  Period: '>',
  Slash: '?',
}
const plainKeys: Readonly<Record<string, string>> = {
  Minus: '-',
  Equal: '=',
  BracketLeft: '[',
  BracketRight: ']',
  Backslash: '\\',
  Semicolon: ';',
  Quote: "'",
  Comma: ',',
  Period: '.',
  Slash: '/',
  Space: ' ',
}

/** An input method swallows the character but reports the physical key, from which the character is restored. */
function characterOf({ key, code, shiftKey, isComposing }: Press): string | null {
  if (key.length === 1 && !isComposing) return key
  const letter = /^Key([A-Z])$/.exec(code)?.[1]
  if (letter !== undefined) return shiftKey ? letter : letter.toLowerCase()
  const digit = /^(?:Digit|Numpad)(\d)$/.exec(code)?.[1]
  if (digit !== undefined) return shiftKey && code.startsWith('Digit') ? (shifted[code] ?? null) : digit
  return (shiftKey ? shifted[code] : plainKeys[code]) ?? null
}

/** Scanners send the group separator as a control character, as F8, or as Ctrl and the `]` key. */
const isSeparator = ({ key, code, ctrlKey }: Press): boolean =>
  key === SEPARATOR || key === 'F8' || (ctrlKey && (key === ']' || code === 'BracketRight'))

/** A capital that Caps Lock made small: a scanner presses Shift for it, a person does not. */
const isMadeSmall = (press: Press, character: string): boolean =>
  press.shiftKey && /^[a-z]$/.test(character) && press.getModifierState?.('CapsLock') === true

/** Collects the key presses of a keyboard-wedge scanner into codes, with any input method and Caps Lock. */
export function createWedge() {
  let gathered = ''
  let isLocked = false
  const clear = (): void => {
    gathered = ''
    isLocked = false
  }
  const take = (): string => {
    const code = isLocked ? flipCase(gathered) : gathered
    clear()
    return code
  }
  return {
    gathered: () => gathered,
    clear,
    press: (press: Press): Pressed => {
      if (isSeparator(press)) {
        gathered += SEPARATOR
        return { is: 'part' }
      }
      if (press.ctrlKey || press.metaKey || press.altKey) return { is: 'other' }
      const composed = press.key === 'Process' || press.isComposing === true
      const key = composed && /^(?:Enter|NumpadEnter|Tab|Backspace|Escape)$/.test(press.code) ? press.code : press.key
      if (key === 'Enter' || key === 'NumpadEnter' || key === 'Tab') {
        if (gathered.trim() === '') return { is: 'other' }
        return { is: 'code', code: take() }
      }
      if (key === 'Backspace' || key === 'Escape') {
        if (gathered === '') return { is: 'other' }
        if (key === 'Escape') clear()
        else gathered = gathered.slice(0, -1)
        return { is: 'part' }
      }
      const character = characterOf(press)
      if (character === null) return { is: 'other' }
      isLocked ||= isMadeSmall(press, character)
      if (gathered.length < LONGEST) gathered += character
      return { is: 'part' }
    },
  }
}
export type Wedge = ReturnType<typeof createWedge>
