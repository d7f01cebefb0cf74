import { afterAll, beforeAll, expect, test } from 'vitest'
import { afterThisTest, lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { day } from '#tests/support/story.ts'

/**
 * How far a document is executed: one answer for its list, its filter and its page, to the last cent and net of what
 * was reversed.
 */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene?.close())

test('入库单部分红冲、剩余数量全部开票后，开票状态是已开票，不再是部分开票：列表、筛选、单据页一致', async () => {
  const { hospital } = scene
  const sn = await hospital.add('purchaseGrn', {
    counterparty_sn: scene.d,
    warehouse_model_inner_sn: scene.central,
    lines: [lotOf(scene.inflator, 'DS1', { price: '145', quantity: '10' })],
  })
  await hospital.pass('purchaseGrn', sn)
  await hospital.done('purchaseGrn', 'redReverse', sn, { reason: '多收', lines: [{ line_no: 1, quantity: '4' }] })
  const bill = async (quantity: string, invoice_no: string) => {
    const lines = [{ source_line_no: 1, quantity }]
    await hospital.pass(
      'inboundInvoice',
      await hospital.add('inboundInvoice', { source_type: 9, source_sn: sn, invoice_no, invoice_date: day(), lines }),
    )
  }
  const states = async () => {
    const { invoice_state } = await hospital.info('purchaseGrn', sn)
    const [listed] = await hospital.list('purchaseGrn', { sn })
    const [found] = await hospital.list('purchaseGrn', { sn, invoice_state })
    return [invoice_state, listed.invoice_state, found?.sn]
  }
  await bill('2', '26322000000000000021')
  expect(await states()).toEqual(['2', '2', sn])
  await bill('4', '26322000000000000022')
  expect(await states()).toEqual(['3', '3', sn])
})

test('有尾差的发票全部付清后是付款完成，不是部分付款：列表、筛选、单据页一致', async () => {
  const { hospital, finance, d, central, inflator } = scene
  const cheap = lotOf(inflator, 'DS2', { price: '0.07', quantity: '1' })
  const grn = await hospital.add('purchaseGrn', {
    counterparty_sn: d,
    warehouse_model_inner_sn: central,
    lines: [cheap],
  })
  await hospital.pass('purchaseGrn', grn)
  const bill = {
    source_type: 9,
    source_sn: grn,
    invoice_no: '26322000000000000031',
    invoice_date: day(),
    invoice_amount: '0.06',
  }
  const sn = await hospital.add('inboundInvoice', bill)
  await hospital.pass('inboundInvoice', sn)
  expect(await hospital.info('inboundInvoice', sn)).toMatchObject({ taxed_amount: '0.07', rounding: '-0.01' })
  const lines = [{ source_sn: sn, source_line_no: 1 }]
  const application = await hospital.add('paymentApplication', { counterparty_sn: d, lines })
  await hospital.pass('paymentApplication', application)
  const payment = await hospital.add('payment', { source_type: 115, source_sn: application, paid_on: day() })
  await hospital.done('payment', 'submit', payment)
  await finance.done('payment', 'review', payment)
  const [listed] = await hospital.list('inboundInvoice', { sn })
  const found = await hospital.list('inboundInvoice', { sn, pay_state: '3' })
  expect([(await hospital.info('inboundInvoice', sn)).pay_state, listed.pay_state, found.length]).toEqual(['3', '3', 1])
})

test('0.7 到货加 0.1 拒收就是 0.8：该发货单没有剩余，等着收货的草稿自动作废', async () => {
  const { hospital, dealer, shop, inflator, h } = scene
  // Goods that are measured may be parted.
  const unit = await scene.one('select unit_name from specification where id = $1', inflator)
  const measured = (name: string) =>
    scene.one('update specification set unit_name = $1 where id = $2 returning 1', name, inflator)
  await measured('升')
  afterThisTest(() => measured(unit.unit_name))
  await scene.rule(h, 'arrival_before_receipt', true)
  await scene.shelve(dealer, shop, [lotOf(inflator, 'DS3', { quantity: '10' })])
  const sent = [{ specification_sn: inflator, lot_no: 'DS3', quantity: '0.8' }]
  const odo = await dealer.add('saleOdo', { counterparty_sn: h, warehouse_model_inner_sn: shop, lines: sent })
  await dealer.pass('saleOdo', odo)
  const arrival = (await hospital.from('arrivalOrder', odo)).sn
  const line = { source_line_no: 1, quantity: '0.7', refused_quantity: '0.1', refuse_reason: '破损' }
  const other = await hospital.add('arrivalOrder', { source_type: 7, source_sn: odo, lines: [line] })
  await hospital.pass('arrivalOrder', other)
  const waiting = await hospital.info('arrivalOrder', arrival)
  expect(waiting.state).toBe('cancelled')
  expect(waiting.history.at(-1)).toMatchObject({ label: '作废', reason: '来源已全部执行' })
  await scene.rule(h, 'arrival_before_receipt', false)
})
