import { canonicalUdi } from '#kernel/codes/encode.ts'
import { flipCase, UNLOCKED } from '#kernel/codes/normalise.ts'
import { parseCode } from '#kernel/codes/parse-code.ts'
import type { NamedNumber, ParsedCode } from '#kernel/codes/parsed-code.ts'
import { today } from '#kernel/values/date.ts'
import type { Tx } from '#server/database/transaction.ts'

/** The given lots and serials that exist, in this organisation or any other. */
async function thatExist(tx: Tx, asked: readonly NamedNumber[]): Promise<readonly NamedNumber[]> {
  if (asked.length === 0) return []
  const numbers = asked.map(one => ({ ...one, code: one.ai === '21' ? canonicalUdi(one.gtin, one.value) : '' }))
  return tx<NamedNumber[]>`
    select k.gtin, k.ai, k.value
      from jsonb_to_recordset(${tx.json(numbers)}) as k(gtin text, ai text, value text, code text)
     where case when k.ai = '21' then exists (select 1 from unit_code c where c.bare in (k.code, k.value))
             else exists (select 1 from specification s, known_lot(s.id, k.value) t where s.udi_di = k.gtin) end`
}
const isSame = (one: NamedNumber) => (other: NamedNumber) =>
  one.gtin === other.gtin && one.ai === other.ai && one.value === other.value

/** The reading of a code that was scanned with Caps Lock on: its lot and serial are known only in the other case. */
async function unlocked(tx: Tx, text: string, parsed: ParsedCode): Promise<ParsedCode> {
  if (!parsed.ok || parsed.kind !== 'gs1' || parsed.di === null || /^[\s\x1d]*\]/.test(text)) return parsed
  const { di: gtin, lot, serial } = parsed
  const numbers = [['10', lot] as const, ['21', serial] as const].flatMap(([ai, value]): NamedNumber[] =>
    value === null || flipCase(value) === value ? [] : [{ gtin, ai, value }],
  )
  const flipped = numbers.map(one => ({ ...one, value: flipCase(one.value) }))
  const known = await thatExist(tx, [...numbers, ...flipped])
  if (known.length === 0 || numbers.some(one => known.some(isSame(one)))) return parsed
  const restored = parseCode(flipCase(text), {
    today: today(),
    knownNumbers: some => some.filter(one => known.some(isSame(one))),
  })
  return restored.ok ? { ...restored, warnings: [...restored.warnings, UNLOCKED] } : parsed
}

/**
 * The parser with known data: the day, and which there are of the lots and serials that a string without separators,
 * or one typed with Caps Lock on, may name.
 */
export async function parseWithKnown(tx: Tx, text: string): Promise<ParsedCode> {
  const asked: NamedNumber[] = []
  const first = parseCode(text, {
    today: today(),
    knownNumbers: some => {
      asked.push(...some)
      return []
    },
  })
  const known = await thatExist(tx, asked)
  const knownNumbers = (some: readonly NamedNumber[]) => some.filter(one => known.some(isSame(one)))
  return unlocked(tx, text, known.length === 0 ? first : parseCode(text, { today: today(), knownNumbers }))
}
