import { expect, test } from 'vitest'
import { refusedByKnown } from '#kernel/rules/partial-guards.ts'

const isAccepted = (doc: { accept_state: string | null }) => doc.accept_state === '2' || '请先受理'
const hasLines = (doc: { lines: readonly unknown[] }) => doc.lines.length > 0 || '请填写明细'

test('a list judges by the header; guards that look at lines are left to whoever has them', () => {
  expect(refusedByKnown([hasLines, isAccepted], { accept_state: '1' }, ['lines'])).toBe('请先受理')
  expect(refusedByKnown([hasLines, isAccepted], {}, ['lines'])).toBe('请先受理')
  expect(refusedByKnown([hasLines, isAccepted], { accept_state: '2' }, ['lines'])).toBeNull()
  expect(refusedByKnown([hasLines], {}, ['lines'])).toBeNull()
})

test('a guard that is broken is not taken for one that looks at lines', () => {
  const broken = () => {
    throw new TypeError('broken')
  }
  expect(() => refusedByKnown([broken], {}, ['lines'])).toThrow('broken')
})

test('what a dialog will ask for cannot be missing yet; what it does not ask for can be wrong already', () => {
  const borne = (doc: { bearer: string | null }) =>
    doc.bearer === 'person' || '赔付方式为责任人赔付的报损单才能登记赔付'
  const paid = (doc: { claim_amount: string | null }) => doc.claim_amount !== null || '请填写赔付金额'
  expect(refusedByKnown([paid, borne], { bearer: 'none' }, ['lines', 'claim_amount'])).toMatch(/责任人赔付/)
  expect(refusedByKnown([paid, borne], { bearer: 'person' }, ['lines', 'claim_amount'])).toBeNull()
})
