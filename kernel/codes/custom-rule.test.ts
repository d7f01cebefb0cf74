import { expect, test } from 'vitest'
import { type CodeRule, readWithRule, rulesConflict } from './custom-rule.ts'

const rule: CodeRule = {
  name: '旧码',
  prefix: 'QW',
  total_length: null,
  date_format: 'YYMM',
  product_from: 3,
  product_length: 5,
  lot_from: 12,
  lot_length: null,
  production_from: null,
  expiry_from: 8,
  serial_from: null,
  serial_length: null,
}

test("parts are read from the rule's positions; a month without a day means its last day", () => {
  const read = readWithRule('QW100232802LOT-7', rule, '2026-11-22')!
  expect(read.product).toBe('10023')
  expect(read.code).toMatchObject({ lot: 'LOT-7', serial: null, expiryDate: '2028-02-29', expiryDayKnown: false })
  expect(read.code.warnings).toEqual(['按解析规则【旧码】识别'])
})

test.each([
  ['another prefix', 'XW100232802LOT-7'],
  ['a day that is none', 'QW100232813LOT-7'],
  ['a part that is missing', 'QW100232802'],
  ['nothing but the prefix', 'QW'],
])('%s is not the rule’s', (_, text) => expect(readWithRule(text, rule, '2026-11-22')).toBeNull())

test('a rule with a fixed length reads no other length', () => {
  const fixed = { ...rule, total_length: 16 }
  expect(readWithRule('QW100232802LOT-7', fixed)).not.toBeNull()
  expect(readWithRule('QW100232802LOT-71', fixed)).toBeNull()
})

test('two rules that could read one code conflict', () => {
  expect(rulesConflict({ prefix: 'QW', total_length: null }, { prefix: 'QW1', total_length: 20 })).toBe(true)
  expect(rulesConflict({ prefix: 'QW', total_length: 18 }, { prefix: 'QW1', total_length: 20 })).toBe(false)
  expect(rulesConflict({ prefix: 'QW', total_length: 18 }, { prefix: 'AB', total_length: 18 })).toBe(false)
})
