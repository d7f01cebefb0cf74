import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assigned, valuesOf } from '#tests/support/identifier-values.ts'
import { standTogether } from './associations.ts'
import { gs1ElementString } from './encode.ts'
import { identifierNamed, valueFault } from './identifiers.ts'
import { parseCode } from './parse-code.ts'
import type { ParsedCode, ReadCode } from './parsed-code.ts'

/** Labels of any identifiers of the table, with values as short as a character, as scanners send them. */
const today = '2026-06-15'
type Group = { readonly ai: string; readonly value: string }

const product: Group = { ai: '01', value: '06901234567892' }
/** Values of any length, of which every second has three characters at most. */
const groupsOf = new Map(
  assigned
    .filter(({ ai }) => standTogether([product, { ai }]) || ['250', '7004', '8040', '7022', '427'].includes(ai))
    .map(id => {
      const values = fc.oneof(valuesOf(id, 3), valuesOf(id, 12)).filter(value => valueFault(id, value, today) === null)
      return [id.ai, values.map((value): Group => ({ ai: id.ai, value }))]
    }),
)
/** Identifiers that labels of devices have: half of the labels have some of them only. */
const USUAL = ['10', '21', '17', '11', '240', '30', '250', '710', '22', '235']
/** Identifiers that a warning names where a lot may hide them; of the others nobody is warned. */
const MARKED = /^(?:1[01357]|21|30|24[01]|25[01]|71[0-7]|7003)$/
const some = (ais: readonly string[], maxLength: number) => fc.shuffledSubarray([...ais], { maxLength })
const labels = fc
  .tuple(
    some(USUAL, 3),
    some(
      [...groupsOf.keys()].filter(ai => ai !== '01'),
      2,
    ),
  )
  .map(([usual, others]) => [...new Set([...usual, ...others])])
  .chain(ais => fc.shuffledSubarray(ais, { minLength: ais.length }))
  .filter(ais => ais.length > 0 && standTogether([product, ...ais.map(ai => ({ ai }))]))
  .chain(ais => fc.tuple(...ais.map(ai => groupsOf.get(ai)!)))
const anywhere = fc
  .tuple(labels, fc.nat(5))
  .map(([groups, at]): Group[] => groups.toSpliced(Math.min(at, groups.length), 0, product))

const facts = ({ di, lot, serial, expiryDate, productionDate, count }: ReadCode) => ({
  di,
  lot,
  serial,
  expiryDate,
  productionDate,
  count,
})
const withSeparators = (groups: readonly Group[]): string =>
  groups.map(({ ai, value }) => `${ai}${value}${identifierNamed(ai)!.predefined ? '' : '\x1d'}`).join('')
const without = (groups: readonly Group[]): string => groups.map(({ ai, value }) => ai + value).join('')
const shown = (groups: readonly Group[]): string => groups.map(({ ai, value }) => `(${ai})${value}`).join('')

function read(code: string): ReadCode {
  const reading = parseCode(code, { today })
  if (!reading.ok) throw new Error(`${JSON.stringify(code)} ${reading.message}`)
  return reading
}

/** How an answer stands to what the label means; `silent`: other values, of which nobody is told. */
function verdictOf(code: ParsedCode, meant: ReadCode): 'right' | 'asked' | 'refused' | 'told' | 'silent' {
  if (!code.ok) return 'refused'
  if (code.candidates !== undefined) return 'asked'
  if (JSON.stringify(facts(code)) === JSON.stringify(facts(meant))) return 'right'
  return code.warnings.some(warning => /^条码(?:缺少|没有)分隔符/.test(warning)) ? 'told' : 'silent'
}

describe('labels of all identifiers', () => {
  test('with separators are read as they are printed, group by group', () => {
    fc.assert(
      fc.property(anywhere, groups => {
        const printed = parseCode(shown(groups.map(each => ({ ...each, value: each.value.replaceAll('(', '\\(') }))))
        for (const prefix of [']C1', ']d2', '\x1d', ''])
          if (prefix !== '' || groups[0] === product) {
            const { elements } = read(prefix + withSeparators(groups))
            expect(elements.map(({ ai, value }) => ({ ai, value }))).toEqual(groups)
          }
        if (printed.ok) expect(facts(printed)).toEqual(facts(read(`]C1${withSeparators(groups)}`)))
      }),
      { numRuns: 1500 },
    )
  })

  test('without separators are read right, asked about or refused; those of devices never otherwise unsaid', () => {
    const verdicts: Record<string, number> = {}
    fc.assert(
      fc.property(anywhere, groups => {
        const meant = read(`]C1${withSeparators(groups)}`)
        const begun = groups[0] === product ? [without(groups)] : []
        for (const code of [`]C1${without(groups)}`, `]C1${gs1ElementString(groups)}`, ...begun]) {
          const verdict = verdictOf(parseCode(code, { today }), meant)
          verdicts[verdict] = (verdicts[verdict] ?? 0) + 1
          if (verdict === 'silent' && groups.every(({ ai }) => ai === '01' || MARKED.test(ai)))
            throw new Error(`${shown(groups)} is read as ${shown(read(code).elements)}`)
        }
      }),
      { numRuns: 1500 },
    )
    expect(verdicts.right).toBeGreaterThan(500)
  })
})
