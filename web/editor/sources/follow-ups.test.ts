import { expect, it } from 'vitest'
import { followUpsOf } from '#web/editor/sources/follow-ups.ts'

const kinds = (kind: string, state: string, org: 'H' | 'D') =>
  followUpsOf(kind, state, org).map(({ target }) => target.kind)

it('offers follow-up documents of a document in effect, to organisations that keep that kind', () => {
  expect(kinds('purchaseGrn', 'completed', 'H')).toEqual(
    expect.arrayContaining(['purchaseReturn', 'inboundInvoice', 'stockCorrection']),
  )
  expect(kinds('saleOdo', 'completed', 'D')).toEqual(expect.arrayContaining(['saleReturn', 'outboundInvoice']))
  expect(kinds('purchaseGrn', 'draft', 'H')).toEqual([])
  // The receipt that follows from the other side's copy is created there automatically.
  expect(kinds('saleOdo', 'completed', 'H')).not.toContain('purchaseGrn')
  const returns = followUpsOf('grantOdo', 'completed', 'H').filter(({ target }) => target.kind === 'grantReturn')
  expect(returns.map(({ label }) => label)).toEqual([
    '科室退库单：发放出库单（科室已收货）',
    '科室退库单：发放出库单（未收货差异）',
  ])
})
