import { expect, it } from 'vitest'
import { documentOf, documents } from '#kernel/registry.ts'
import { followUpsOf, namedValues } from '#web/editor/sources/follow-ups.ts'

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
  expect(followUpsOf('salesOrder', 'reviewed', 'D').map(({ label }) => label)).toContain('转预销售')
  expect(returns.map(({ label }) => label)).toEqual([
    '科室退库单：发放出库单（科室已收货）',
    '科室退库单：发放出库单（未收货差异）',
  ])
})

it('offers documents that only name another one, with its number and partner in the form', () => {
  const naming = documents().flatMap(target => (target.sourcing.named ?? []).map(names => ({ target, names })))
  expect(naming.map(({ names: { label } }) => label)).toEqual(expect.arrayContaining(['申请预付款', '登记预收款']))
  for (const { target, names } of naming) {
    const { kind, ownerTypes } = documentOf(names.from)!
    const org = [...ownerTypes].find(type => target.ownerTypes.includes(type)) as 'D'
    const offered = followUpsOf(kind, 'reviewed', org).find(offer => 'names' in offer && offer.names === names)
    expect(offered, `${kind} to ${target.kind}`).toMatchObject({ target, label: names.label })
    const of = { sn: 'N1', counterparty_sn: '7', counterparty_name: '甲公司' }
    expect(namedValues(target, names, of)).toEqual({
      counterparty_sn: '7',
      counterparty_name: '甲公司',
      [names.field]: 'N1',
    })
  }
  const kinds = followUpsOf('purchaseOrder', 'draft', 'H').filter(offer => 'names' in offer)
  expect(kinds).toEqual([])
})
