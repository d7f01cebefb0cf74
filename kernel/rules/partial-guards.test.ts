import { expect, test } from 'vitest'
import { refusedByKnown } from '#kernel/rules/partial-guards.ts'

const isAccepted = (doc: { accept_state: string | null }) => doc.accept_state === '2' || '请先受理'
const hasLines = (doc: { lines: readonly unknown[] }) => doc.lines.length > 0 || '请填写明细'

test('a list evaluates guards by the header; guards that need lines are skipped', () => {
  expect(refusedByKnown([hasLines, isAccepted], { accept_state: '1' }, ['lines'])).toBe('请先受理')
  expect(refusedByKnown([hasLines, isAccepted], {}, ['lines'])).toBe('请先受理')
  expect(refusedByKnown([hasLines, isAccepted], { accept_state: '2' }, ['lines'])).toBeNull()
  expect(refusedByKnown([hasLines], {}, ['lines'])).toBeNull()
})

test('a broken guard is not mistaken for one that needs lines', () => {
  const broken = () => {
    throw new TypeError('broken')
  }
  expect(() => refusedByKnown([broken], {}, ['lines'])).toThrow('broken')
})

test('a value the dialog will ask for is not missing yet; one it does not ask for can already be wrong', () => {
  const borne = (doc: { bearer: string | null }) =>
    doc.bearer === 'person' || '赔付方式为责任人赔付的报损单才能登记赔付'
  const paid = (doc: { claim_amount: string | null }) => doc.claim_amount !== null || '请填写赔付金额'
  expect(refusedByKnown([paid, borne], { bearer: 'none' }, ['lines', 'claim_amount'])).toMatch(/责任人赔付/)
  expect(refusedByKnown([paid, borne], { bearer: 'person' }, ['lines', 'claim_amount'])).toBeNull()
})
