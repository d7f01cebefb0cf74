import { expect, it } from 'vitest'
import { chineseMoney } from '#kernel/values/chinese-money.ts'

/** Section 9: below 0.01 zero yuan, from 1e12 out of range, a minus before negative values. */
it.each([
  ['0', '零元整'],
  ['0.009', '零元整'],
  ['-0.009', '零元整'],
  ['0.01', '壹分'],
  ['0.10', '壹角整'],
  ['1', '壹元整'],
  ['10.05', '壹拾元零伍分'],
  ['1234.50', '壹仟贰佰叁拾肆元伍角整'],
  ['10001', '壹万零壹元整'],
  ['100000000', '壹亿元整'],
  ['-11300.00', '负壹万壹仟叁佰元整'],
  ['999999999999.99', '玖仟玖佰玖拾玖亿玖仟玖佰玖拾玖万玖仟玖佰玖拾玖元玖角玖分'],
  ['1000000000000', '超出范围'],
  ['-1000000000000', '超出范围'],
])('%s is %s', (amount, words) => expect(chineseMoney(amount)).toBe(words))
