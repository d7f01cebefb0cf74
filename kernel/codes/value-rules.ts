/** Rules of GS1 for a value beyond its length and characters. */
import { parseInteger } from '#kernel/values/integer.ts'
import { hasCheckDigit, hasCheckPair } from './check-digit.ts'
import { isDay } from '#kernel/values/date.ts'
import { readYymmdd } from './code-date.ts'

/**
 * `zero` is one nought, `check` ends in a check digit, `pair` in a check character pair; `day` is
 * YYMMDD with day 00 allowed, `fullday` without, `birthday` YYYYMMDD; `time` is hhmm, `hour` hh, `sixty` minutes or
 * seconds; `piece` is two digits each of which piece of how many; `sequence` the same as one digit each with a slash
 * between (who of several was born first); `sex` is ISO 5218.
 */
export const valueRules = [
  'zero',
  'check',
  'pair',
  'day',
  'fullday',
  'birthday',
  'time',
  'hour',
  'sixty',
  'piece',
  'sequence',
  'sex',
] as const
export type ValueRule = (typeof valueRules)[number]

export type RuleFault = 'character' | 'checkDigit' | 'date' | 'piece' | 'sex'

const isPieceOfTotal = (piece: string, total: string): boolean =>
  parseInteger(piece) >= 1 && parseInteger(piece) <= parseInteger(total)

const RULES: Readonly<Record<ValueRule, { readonly fault: RuleFault; holds(value: string, today: string): boolean }>> =
  {
    zero: { fault: 'character', holds: value => value === '0' },
    check: { fault: 'checkDigit', holds: value => /[1-9]/.test(value) && hasCheckDigit(value) },
    pair: { fault: 'checkDigit', holds: hasCheckPair },
    day: { fault: 'date', holds: (value, today) => readYymmdd(value, today) !== null },
    fullday: { fault: 'date', holds: (value, today) => readYymmdd(value, today)?.dayKnown === true },
    birthday: { fault: 'date', holds: value => isDay(value.replace(/^(....)(..)/, '$1-$2-')) },
    time: { fault: 'date', holds: value => /^(?:[01]\d|2[0-3])[0-5]\d$/.test(value) },
    hour: { fault: 'date', holds: value => /^(?:[01]\d|2[0-3])$/.test(value) },
    sixty: { fault: 'date', holds: value => /^[0-5]\d$/.test(value) },
    piece: { fault: 'piece', holds: value => isPieceOfTotal(value.slice(0, 2), value.slice(2)) },
    sequence: {
      fault: 'piece',
      holds: value => /^[1-9]\/[1-9]$/.test(value) && isPieceOfTotal(value.slice(0, 1), value.slice(2)),
    },
    sex: { fault: 'sex', holds: value => /^[0129]$/.test(value) },
  }

/**
 * The fault of a value of the right length and characters, or null. `today` (YYYY-MM-DD) matters even for a yes/no
 * answer: it decides the century, and so whether 29 February exists.
 */
export function ruleFault(rule: ValueRule, value: string, today: string): RuleFault | null {
  return RULES[rule].holds(value, today) ? null : RULES[rule].fault
}
