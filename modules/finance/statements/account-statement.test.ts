import { afterAll, beforeAll, expect } from 'vitest'
import { expectMessage, lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { story } from '#tests/support/steps.ts'
import { day } from '#tests/support/story.ts'

/** 对账函: both books of a trade side by side; the differences name their documents. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
  await scene.shelve(scene.dealer, scene.shop, [lotOf(scene.inflator, 'DZ1', { quantity: '500' })])
})
afterAll(() => scene?.close())

/** A delivery of some pieces at 145, on the way until it is received. */
async function shipped(quantity: string): Promise<string> {
  const { dealer, shop, inflator, h } = scene
  const lines = [{ specification_sn: inflator, lot_no: 'DZ1', quantity }]
  const odo = await dealer.add('saleOdo', { counterparty_sn: h, warehouse_model_inner_sn: shop, lines })
  await dealer.pass('saleOdo', odo)
  return odo
}
const received = async (odo: string) =>
  scene.hospital.pass('purchaseGrn', (await scene.hospital.from('purchaseGrn', odo)).sn)
const statement = (more: object = {}) => ({
  counterparty_sn: scene.h,
  direction: 'receivable',
  begin_date: day(-30),
  end_date: day(),
  ...more,
})
const summary = async (who: 'hospital' | 'dealer') => {
  const [partner, direction] = who === 'dealer' ? [scene.h, 'receivable'] : [scene.d, 'payable']
  const asked = { begin_date: day(-30), end_date: day(), direction, counterparty_sn: partner }
  return (await scene[who].client.get('/v1/report/receivablePayableSummary', asked)).list[0]
}

let [sn, late] = ['', '']
story('a statement of account, from its sending to the agreement', step => {
  step('it lists the opening and each document of the period, and adds up to the balance', async () => {
    const { dealer } = scene
    await received(await shipped('10'))
    late = await shipped('2')
    expectMessage(
      await dealer.client.post('/v1/business/accountStatement/add', statement({ begin_date: day(1) })),
      '期间止不能早于期间起',
    )
    sn = await dealer.add('accountStatement', statement())
    const doc = await dealer.info('accountStatement', sn)
    expect(doc).toMatchObject({ opening_amount: '0.00', raised_amount: '1740.00', closing_amount: '1740.00' })
    expect(doc.lines.map((line: { document_name: string }) => line.document_name)).toEqual([
      '期初余额',
      '销售出库单',
      '销售出库单',
    ])
    expect((await summary('dealer')).closing_amount).toBe(doc.closing_amount)
    await dealer.done('accountStatement', 'submit', sn)
  })

  step('with a difference it is not confirmed: what is on the way is named, and the objection is kept', async () => {
    const { hospital, dealer } = scene
    expectMessage(
      await hospital.do('accountStatement', 'confirm', sn),
      '双方余额相差290.00元，请提出异议，或核对入账后再确认',
    )
    expectMessage(await hospital.do('accountStatement', 'dispute', sn), '请填写异议原因')
    await hospital.done('accountStatement', 'dispute', sn, { reason: '在途未收' })
    const doc = await dealer.info('accountStatement', sn)
    expect(doc).toMatchObject({
      state: 'rejected',
      their_balance: '1450.00',
      difference_amount: '290.00',
      answer_reason: '在途未收',
    })
    const open = doc.lines.filter((line: { difference_text: string }) => line.difference_text !== '一致')
    expect(open).toMatchObject([{ document_no: late, difference_text: '收函方没有此单据', their_amount: '0.00' }])
    expect(await summary('dealer')).toMatchObject({ their_balance: '1450.00', difference_amount: '290.00' })
  })

  step('sent again once the goods are in, it is confirmed and kept; the summary shows no difference', async () => {
    const { hospital, dealer } = scene
    await received(late)
    await dealer.done('accountStatement', 'submit', sn)
    await hospital.done('accountStatement', 'confirm', sn)
    for (const who of [hospital, dealer])
      expect(await who.info('accountStatement', sn)).toMatchObject({
        state_name: '对方已确认',
        their_balance: '1740.00',
        difference_amount: '0.00',
      })
    expect(await summary('dealer')).toMatchObject({ their_balance: '1740.00', difference_amount: '0.00' })
    expect(await summary('hospital')).toMatchObject({ their_balance: '1740.00', difference_amount: '0.00' })
    expectMessage(await dealer.do('accountStatement', 'unsubmit', sn), /./)
  })

  step('what only the receiver has is named; a partner with users answers himself', async () => {
    const { hospital, dealer, d } = scene
    // Both sides count from 1: the second has a number of its own.
    await hospital.add('accountStatement', statement({ counterparty_sn: d, direction: 'payable' }))
    const ours = await hospital.add('accountStatement', statement({ counterparty_sn: d, direction: 'payable' }))
    await hospital.done('accountStatement', 'submit', ours)
    const more = await shipped('1')
    expectMessage(
      await hospital.do('accountStatement', 'registerReply', ours, { their_balance: '1740' }),
      '该往来单位在平台上，请等对方确认或提出异议',
    )
    await dealer.done('accountStatement', 'dispute', ours, { reason: '少一张' })
    expect(await hospital.info('accountStatement', ours)).toMatchObject({
      difference_amount: '-145.00',
      missing_documents: `销售出库单${more}：145.00元`,
    })
  })
})
