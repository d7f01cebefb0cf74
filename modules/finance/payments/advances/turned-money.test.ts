import { subtract } from '#kernel/values/decimal.ts'
import { afterAll, beforeAll, expect } from 'vitest'
import { expectMessage, lotOf, openScene, owed, type Scene } from '#tests/support/fixture.ts'
import { expectMoneyAgrees } from '#tests/support/money.ts'
import { story } from '#tests/support/steps.ts'
import { day, type Person } from '#tests/support/story.ts'

/** 转预付, 转预收: money that settled an invoice becomes money in advance, so that the invoice may be reversed. */
let scene: Scene
let nth = 0
beforeAll(async () => {
  scene = await openScene({ figures: true })
  await scene.shelve(scene.dealer, scene.shop, [lotOf(scene.inflator, 'ZY1', { quantity: '500' })])
})
afterAll(async () => {
  await expectMoneyAgrees(scene.hospital, scene, scene.h, 'H')
  await expectMoneyAgrees(scene.dealer, scene, scene.d, 'D')
  await scene.close()
})

/** The dealer's invoice over pieces at 100, reviewed on both sides; its number at the dealer and at the hospital. */
async function billed(pieces: string): Promise<{ ours: string; theirs: string; no: string }> {
  const { dealer, hospital, shop, inflator, h } = scene
  const lines = [{ specification_sn: inflator, lot_no: 'ZY1', quantity: pieces, price: '100' }]
  const odo = await dealer.add('saleOdo', { counterparty_sn: h, warehouse_model_inner_sn: shop, lines })
  await dealer.pass('saleOdo', odo)
  const no = `26381000000000000${String(++nth).padStart(3, '0')}`
  const theirs = await dealer.add('outboundInvoice', {
    source_type: 7,
    source_sn: odo,
    invoice_no: no,
    invoice_date: day(),
  })
  await dealer.pass('outboundInvoice', theirs)
  await hospital.pass('purchaseGrn', (await hospital.from('purchaseGrn', odo)).sn)
  const [copy] = await hospital.list('inboundInvoice', { invoice_no: no })
  await hospital.done('inboundInvoice', 'review', copy.sn)
  return { ours: copy.sn, theirs, no }
}
/** The hospital applies for an invoice and pays; the number of the payment. */
async function paid(invoice: string, amount: string | null = null): Promise<string> {
  const { hospital, finance } = scene
  const application = await hospital.add('paymentApplication', { source_type: 10, source_sn: invoice })
  await hospital.done('paymentApplication', 'edit', application, { offset_amount: '0' })
  await hospital.pass('paymentApplication', application)
  const lines = amount === null ? {} : { lines: [{ source_line_no: 1, taxed_amount: amount }] }
  const payment = await hospital.add('payment', { source_type: 115, source_sn: application, ...lines })
  await hospital.done('payment', 'submit', payment)
  await finance.done('payment', 'review', payment)
  return payment
}
const newest = async (who: Person, kind: string, query: object = {}) => (await who.list(kind, query as never))[0]

story('a paid invoice', step => {
  step('is reversed once what was paid became a prepayment; the ledger says so on both accounts', async () => {
    const { hospital, dealer, d } = scene
    const { ours, theirs, no } = await billed('6')
    expectMessage(
      await hospital.do('inboundInvoice', 'toAdvance', ours, { reason: '退票' }),
      `发票${ours}没有已结的金额`,
    )
    const payment = await paid(ours)
    expectMessage(
      await hospital.do('inboundInvoice', 'redReverse', ours, { reason: '退票' }),
      '发票已付款，请先办理退款或转预付',
    )
    const before = await owed(hospital, d)
    expectMessage(await hospital.do('inboundInvoice', 'toAdvance', ours), '请填写转预付的原因')
    await hospital.done('inboundInvoice', 'toAdvance', ours, { reason: '退票重开' })
    const after = await owed(hospital, d)
    expect(subtract(after.prepaid, before.prepaid, 2)).toBe('600.00')
    expect(subtract(after.payable_invoiced, before.payable_invoiced, 2)).toBe('600.00')
    expect(await hospital.info('inboundInvoice', ours)).toMatchObject({ state: 'reviewed', pay_state: '1' })
    const advance = await newest(hospital, 'prepayment', { state: 'completed' })
    expect(advance).toMatchObject({ taxed_amount: '600.00', paid_amount: '600.00', unoffset_amount: '600.00' })
    // The supplier reads how to correct its own books.
    const { history } = await dealer.info('outboundInvoice', theirs)
    expect(JSON.stringify(history)).toContain('客户已将该发票的付款转为预付，请办理转预收')
    expectMessage(
      await scene.finance.do('payment', 'redReverse', payment, { reason: '退汇' }),
      new RegExp(`^发票${no}的款已转为预付预收（ZYF.*），不能红冲`),
    )
    await hospital.done('inboundInvoice', 'redReverse', ours, { reason: '退票' })
    expect(subtract((await owed(hospital, d)).payable_invoiced, before.payable_invoiced, 2)).toBe('0.00')
    expect((await owed(hospital, d)).prepaid).toBe(after.prepaid)
    // The money in advance pays another invoice.
    const next = await billed('6')
    await hospital.done('prepayment', 'offset', advance.sn)
    const offset = (await newest(hospital, 'prepaymentOffset', { state: 'draft' })).sn
    await hospital.pass('prepaymentOffset', offset)
    expect(await hospital.info('inboundInvoice', next.ours)).toMatchObject({ pay_state: '3' })
    const transfer = (await newest(hospital, 'prepaymentTransfer')).sn
    expectMessage(
      await hospital.do('prepaymentTransfer', 'unreview', transfer, { reason: '误' }),
      `${advance.sn}已核销或退款，不能撤销转入，请先撤销核销或退款`,
    )
  })

  step('paid in part: the application is stopped first, then what was paid is turned', async () => {
    const { hospital } = scene
    const { ours } = await billed('5')
    await paid(ours, '200')
    await hospital.done('inboundInvoice', 'toAdvance', ours, { reason: '退票' })
    expectMessage(
      await hospital.do('inboundInvoice', 'redReverse', ours, { reason: '退票' }),
      /^发票已申请付款或收款，不能红冲（FKSQ/,
    )
    const [application] = await hospital.list('paymentApplication', { source_sn: ours })
    await hospital.done('paymentApplication', 'stop', application.sn, { reason: '退票' })
    await hospital.done('inboundInvoice', 'redReverse', ours, { reason: '退票' })
  })

  step('办理退款 leaves a draft of the refund for the slip of the bank', async () => {
    const { hospital } = scene
    const { ours } = await billed('3')
    await paid(ours)
    await hospital.done('inboundInvoice', 'refundPaid', ours, { reason: '退货退款' })
    const refund = await newest(hospital, 'prepaymentRefund', { state: 'draft' })
    expect(refund).toMatchObject({ taxed_amount: '300.00' })
    await hospital.done('inboundInvoice', 'redReverse', ours, { reason: '退票' })
  })

  step('taken back, the invoice is paid again and the prepayment void', async () => {
    const { hospital, d } = scene
    const { ours } = await billed('2')
    await paid(ours)
    const before = await owed(hospital, d)
    await hospital.done('inboundInvoice', 'toAdvance', ours, { reason: '误' })
    const transfer = await newest(hospital, 'prepaymentTransfer')
    const { lines } = await hospital.info('prepaymentTransfer', transfer.sn)
    await hospital.done('prepaymentTransfer', 'unreview', transfer.sn, { reason: '误' })
    expect(await owed(hospital, d)).toEqual(before)
    // Or later, in red.
    await hospital.done('inboundInvoice', 'toAdvance', ours, { reason: '误' })
    const again = await newest(hospital, 'prepaymentTransfer')
    await hospital.done('prepaymentTransfer', 'redReverse', again.sn, { reason: '误' })
    expect(await owed(hospital, d)).toEqual(before)
    expect(await hospital.info('inboundInvoice', ours)).toMatchObject({ state: 'completed', pay_state: '3' })
    expect(await hospital.info('prepayment', lines[0].advance_sn)).toMatchObject({ state: 'cancelled' })
  })
})

story('what was paid with credits among it', step => {
  /** Received at 100 a piece. */
  async function arrived(quantity: string): Promise<string> {
    const { dealer, hospital, shop, inflator, h } = scene
    const lines = [{ specification_sn: inflator, lot_no: 'ZY1', quantity, price: '100' }]
    const odo = await dealer.add('saleOdo', { counterparty_sn: h, warehouse_model_inner_sn: shop, lines })
    await dealer.pass('saleOdo', odo)
    const { sn } = await hospital.from('purchaseGrn', odo)
    await hospital.pass('purchaseGrn', sn)
    return sn
  }
  async function invoiced(lines: object[]): Promise<string> {
    const { hospital, d } = scene
    const no = `26381000000000001${String(++nth).padStart(3, '0')}`
    const head = { counterparty_sn: d, invoice_no: no, invoice_date: day() }
    const sn = await hospital.add('inboundInvoice', { ...head, lines })
    await hospital.pass('inboundInvoice', sn)
    return sn
  }
  /** An invoice over received goods, less goods invoiced before and returned; its number at the hospital. */
  async function mixed(pieces: string, back: string): Promise<string> {
    const { hospital } = scene
    const first = await arrived(back)
    await invoiced([{ source_sn: first, source_line_no: 1, quantity: back }])
    const returned = await hospital.add('purchaseReturn', {
      source_type: 9,
      source_sn: first,
      return_reason: '破损',
      lines: [{ source_line_no: 1, quantity: back }],
    })
    await hospital.pass('purchaseReturn', returned)
    return invoiced([
      { source_sn: await arrived(pieces), source_line_no: 1, quantity: pieces },
      { source_sn: returned, source_line_no: 1, quantity: `-${back}` },
    ])
  }

  step('an invoice with lines of both signs turns what was paid between them, and back', async () => {
    const { hospital, d } = scene
    const invoice = await mixed('5', '2')
    expect((await hospital.info('inboundInvoice', invoice)).taxed_amount).toBe('300.00')
    await paid(invoice)
    const before = await owed(hospital, d)
    await hospital.done('inboundInvoice', 'toAdvance', invoice, { reason: '退票' })
    const after = await owed(hospital, d)
    expect(subtract(after.prepaid, before.prepaid, 2)).toBe('300.00')
    expect(subtract(after.payable_invoiced, before.payable_invoiced, 2)).toBe('300.00')
    expect(await hospital.info('inboundInvoice', invoice)).toMatchObject({ state: 'reviewed', pay_state: '1' })
    const transfer = await newest(hospital, 'prepaymentTransfer')
    const { lines } = await hospital.info('prepaymentTransfer', transfer.sn)
    expect(lines.map((line: { taxed_amount: string }) => line.taxed_amount)).toEqual(['500.00', '-200.00'])
    const advance = await newest(hospital, 'prepayment', { state: 'completed' })
    expect(advance).toMatchObject({ taxed_amount: '300.00', paid_amount: '300.00', unoffset_amount: '300.00' })
    await hospital.done('prepaymentTransfer', 'unreview', transfer.sn, { reason: '误' })
    expect(await owed(hospital, d)).toEqual(before)
    expect(await hospital.info('inboundInvoice', invoice)).toMatchObject({ pay_state: '3' })
    // A second time is refused, because no settled amount is left.
    await hospital.done('inboundInvoice', 'toAdvance', invoice, { reason: '退票' })
    expectMessage(
      await hospital.do('inboundInvoice', 'toAdvance', invoice, { reason: '退票' }),
      `发票${invoice}没有已结的金额`,
    )
    await hospital.done('inboundInvoice', 'redReverse', invoice, { reason: '退票' })
    expect((await owed(hospital, d)).prepaid).toBe(after.prepaid)
  })

  step('of an opening all is turned that was paid, or one line of it; credits are set off in it', async () => {
    const { hospital, finance, d } = scene
    const of = (taxed_amount: string) => ({ opened_on: '2025-11-20', due_date: day(-1), taxed_amount })
    const lines = [of('300'), of('200'), of('-50')]
    const sn = await hospital.add('openingPayable', { counterparty_sn: d, opening_month: day().slice(0, 7), lines })
    await hospital.pass('openingPayable', sn)
    const name = `期初应付${sn}`
    const turn = (more: object = {}) => hospital.do('openingPayable', 'toAdvance', sn, { reason: '重付', ...more })
    expectMessage(await turn(), `${name}没有已结的金额`)
    const application = await hospital.add('paymentApplication', { source_type: 141, source_sn: sn })
    await hospital.done('paymentApplication', 'edit', application, { offset_amount: '0' })
    await hospital.pass('paymentApplication', application)
    const payment = await hospital.add('payment', { source_type: 115, source_sn: application })
    await hospital.done('payment', 'submit', payment)
    await finance.done('payment', 'review', payment)
    const settled = await owed(hospital, d)
    expectMessage(await turn({ turned_line: 4 }), `${name}第4行没有已结的金额`)
    expectMessage(
      await turn({ turned_line: 3 }),
      `${name}第3行已结的金额合计-50.00，没有付出的款可转，请取消核销后再办理`,
    )
    expect((await turn({ turned_line: 2 })).code).toBe(0)
    expect(subtract((await owed(hospital, d)).prepaid, settled.prepaid, 2)).toBe('200.00')
    expect((await hospital.info('openingPayable', sn)).state).toBe('partial')
    expectMessage(
      await finance.do('payment', 'redReverse', payment, { reason: '退汇' }),
      new RegExp(`^${name}的款已转为预付预收（ZYF.*），不能红冲`),
    )
    // The rest of the lines: the choice of one line before is not remembered.
    expect((await turn()).code).toBe(0)
    const after = await owed(hospital, d)
    expect(subtract(after.prepaid, settled.prepaid, 2)).toBe('450.00')
    expect(subtract(after.payable_invoiced, settled.payable_invoiced, 2)).toBe('450.00')
    expect(await hospital.info('openingPayable', sn)).toMatchObject({ state: 'reviewed', pay_state: '1' })
    const items = await hospital.list('openItem', { document_no: sn })
    expect(items.map((item: { open_amount: string }) => item.open_amount)).toEqual(['300.00', '200.00', '-50.00'])
  })

  step('of a customer the same, for a refund', async () => {
    const { dealer, h } = scene
    const lines = [{ opened_on: '2025-11-20', due_date: day(-1), taxed_amount: '120' }]
    const sn = await dealer.add('openingReceivable', { counterparty_sn: h, opening_month: day().slice(0, 7), lines })
    await dealer.pass('openingReceivable', sn)
    const receipt = await dealer.add('receipt', {
      counterparty_sn: h,
      lines: [{ source_sn: sn, source_line_no: 1, taxed_amount: '120' }],
    })
    await dealer.pass('receipt', receipt)
    const before = await owed(dealer, h)
    await dealer.done('openingReceivable', 'refundPaid', sn, { reason: '重复收款' })
    const after = await owed(dealer, h)
    expect(subtract(after.prereceived, before.prereceived, 2)).toBe('120.00')
    expect(subtract(after.receivable_invoiced, before.receivable_invoiced, 2)).toBe('120.00')
    expect(await newest(dealer, 'prereceiptRefund', { state: 'draft' })).toMatchObject({ taxed_amount: '120.00' })
    expectMessage(
      await dealer.do('receipt', 'unmatch', receipt, { reason: '误' }),
      new RegExp(`^期初应收${sn}的款已转为预付预收（ZYS.*），不能取消核销`),
    )
    // Users without the right to turn money into an advance cannot do it on an opening either.
    const keeper = await scene.person('keeper')
    const body = { sn, version: 1, reason: '试' }
    expectMessage(await keeper.client.post('/v1/business/openingPayable/toAdvance', body), '没有操作权限')
  })
})

story('a customer', step => {
  const received = async (lines: object[]): Promise<string> => {
    const sn = await scene.dealer.add('receipt', { counterparty_sn: scene.h, lines })
    await scene.dealer.pass('receipt', sn)
    return sn
  }

  step('who paid an invoice that is to be reversed has the money as a prereceipt', async () => {
    const { dealer, hospital, h } = scene
    const { ours, theirs } = await billed('4')
    const receipt = await received([{ source_sn: theirs, source_line_no: 1, taxed_amount: '400' }])
    await hospital.done('inboundInvoice', 'redReverse', ours, { reason: '退票' })
    expectMessage(
      await dealer.do('outboundInvoice', 'redReverse', theirs, { reason: '退票' }),
      '发票已收款，请先办理退款或转预收',
    )
    const before = await owed(dealer, h)
    await dealer.done('outboundInvoice', 'toAdvance', theirs, { reason: '退票' })
    const after = await owed(dealer, h)
    expect(subtract(after.prereceived, before.prereceived, 2)).toBe('400.00')
    expect(subtract(after.receivable_invoiced, before.receivable_invoiced, 2)).toBe('400.00')
    expectMessage(
      await dealer.do('receipt', 'unmatch', receipt, { reason: '误' }),
      /的款已转为预付预收（ZYS.*），不能取消核销/,
    )
    await dealer.done('outboundInvoice', 'redReverse', theirs, { reason: '退票' })
    const advance = await newest(dealer, 'prereceipt')
    expectMessage(await dealer.do('prereceipt', 'unreview', advance.sn), '转入的预收款不能反审核，请核销或退款')
    await dealer.done('prereceipt', 'refund', advance.sn)
    expect(await newest(dealer, 'prereceiptRefund', { state: 'draft' })).toMatchObject({ taxed_amount: '400.00' })
  })

  step('who paid too much: the rest of the receipt is bound to an order, or refunded', async () => {
    const { dealer, hospital, central, inflator, d, h } = scene
    const order = await hospital.add('purchaseOrder', {
      counterparty_sn: d,
      warehouse_model_inner_sn: central,
      lines: [{ specification_sn: inflator, quantity: '10' }],
    })
    await hospital.pass('purchaseOrder', order)
    const sold = await dealer.from('salesOrder', order)
    await dealer.done('salesOrder', 'review', sold.sn)
    const { theirs } = await billed('1')
    const receipt = await received([
      { source_sn: theirs, source_line_no: 1, taxed_amount: '100' },
      { taxed_amount: '250' },
    ])
    const before = await owed(dealer, h)
    expectMessage(
      await dealer.do('receipt', 'turn', receipt, { turned_order: 'XS0000' }),
      '销售订单XS0000不存在或未提交',
    )
    await dealer.done('receipt', 'turn', receipt, { turned_order: sold.sn })
    expect(await owed(dealer, h)).toEqual(before)
    const advance = await newest(dealer, 'prereceipt')
    expect(advance).toMatchObject({ order_sn: sold.sn, taxed_amount: '250.00', unoffset_amount: '250.00' })
    const item = await newest(dealer, 'advanceItem', { document_no: receipt })
    expect(item).toMatchObject({ used_amount: '250.00', left_amount: '0.00' })
    expectMessage(await dealer.do('receipt', 'match', receipt), /^余额已转为预收款单（ZYS.*），不能核销/)
    expectMessage(await dealer.do('receipt', 'refund', receipt), `${receipt}没有未核销的余额`)
    expectMessage(await dealer.do('receipt', 'unreview', receipt), /ZYS/)
    const [transfer] = await dealer.list('prereceiptTransfer', { source_sn: receipt })
    await dealer.done('prereceiptTransfer', 'unreview', transfer.sn, { reason: '改为退款' })
    expect(await owed(dealer, h)).toEqual(before)
    await dealer.done('receipt', 'refund', receipt)
    expect(await newest(dealer, 'prereceiptRefund', { state: 'draft' })).toMatchObject({ taxed_amount: '250.00' })
  })
})
