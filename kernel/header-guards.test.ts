import { expect, test } from 'vitest'
import { refusedByHeader } from '#kernel/header-guards.ts'

const isAccepted = (doc: { accept_state: string | null }) => doc.accept_state === '2' || '请先受理'
const hasLines = (doc: { lines: readonly unknown[] }) => doc.lines.length > 0 || '请填写明细'

test('a list judges by the header; guards that look at lines are left to whoever has them', () => {
  expect(refusedByHeader([hasLines, isAccepted], { accept_state: '1' })).toBe('请先受理')
  expect(refusedByHeader([hasLines, isAccepted], {})).toBe('请先受理')
  expect(refusedByHeader([hasLines, isAccepted], { accept_state: '2' })).toBeNull()
  expect(refusedByHeader([hasLines], {})).toBeNull()
})

test('a guard that is broken is not taken for one that looks at lines', () => {
  const broken = () => {
    throw new TypeError('broken')
  }
  expect(() => refusedByHeader([broken], {})).toThrow('broken')
})
