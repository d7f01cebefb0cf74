import { expect, test } from 'vitest'
import { canonicalCode } from './canonical-code.ts'
import { asPackCode } from './pack-code.ts'

test.each(['dsb2601010001', ' DSB2601010001 ', 'ＤＳＢ２６０１０１０００１', 'Dsb2601010001'])(
  'a pack code is found however it is typed: %j',
  typed => {
    expect(asPackCode(typed)).toBe('DSB2601010001')
    expect(canonicalCode(typed, '2026-01-01')).toEqual({ bare: 'DSB2601010001', kind: 'inhouse' })
  },
)

test('any other code stays as it was typed', () => {
  expect(asPackCode('dsb-1')).toBe('dsb-1')
  expect(canonicalCode('zc-001', '2026-01-01').bare).toBe('zc-001')
})
