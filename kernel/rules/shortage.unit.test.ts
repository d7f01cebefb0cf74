import { expect, test } from 'vitest'
import { shortage } from '#kernel/rules/shortage.ts'

test('a shortage says what is free, what is wanted, and what is there and not free', () => {
  expect(shortage('支架 3.0 批号L1', { free: '-1.000', wanted: '99.000' })).toBe(
    '库存不足：支架 3.0 批号L1 可用0，需要99',
  )
  const held = { reserved: '8.000', stopped: '4.000', frozen: '0.000', unfit: '2.500' }
  expect(shortage('支架', { free: '12.000', wanted: '99.000', ...held })).toBe(
    '库存不足：支架 可用12，需要99（另有已占用8、已停售4、已过期或召回2.5）',
  )
})
