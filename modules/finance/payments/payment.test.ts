import { subtract } from '#kernel/values/decimal.ts'
import { afterAll, beforeAll, expect } from 'vitest'
import { story } from '#tests/support/steps.ts'
import { attempt, lotOf, openScene, owed, expectMessage, type Scene } from '#tests/support/fixture.ts'
import { proves } from '#tests/support/proves.ts'
import { day } from '#tests/support/story.ts'

/** 付款单: money paid on an approved application. The review reduces the debt, and the supplier has a receipt to check. */
let scene: Scene
let nth = 0
const number = () => `26352000000000000${String(++nth).padStart(3, '0')}`

/** The dealer's invoice over some pieces at 145, checked by the hospital; returns its number on both sides. */
async function billed(pieces: string): Promise<{ theirs: string; ours: string; invoice_no: string }> {
  const { dealer, hospital, shop, inflator, h } = scene
  const lines = [{ specification_sn: inflator, lot_no: 'FK1', quantity: pieces }]
  const odo = await dealer.add('saleOdo', { counterparty_sn: h, warehouse_model_inner_sn: shop, lines })
  await dealer.pass('saleOdo', odo)
  await hospital.pass('purchaseGrn', (await hospital.from('purchaseGrn', odo)).sn)
  const invoice_no = number()
  const body = { source_type: 7, source_sn: odo, invoice_no, invoice_date: day() }
  const theirs = await dealer.add('outboundInvoice', body)
  await dealer.pass('outboundInvoice', theirs)
  const [created] = await hospital.list('inboundInvoice', { invoice_no })
  await hospital.done('inboundInvoice', 'review', created.sn)
  return { theirs, ours: created.sn, invoice_no }
}
async function applied(...invoices: string[]): Promise<string> {
  const lines = invoices.map(source_sn => ({ source_sn, source_line_no: 1 }))
  const sn = await scene.hospital.add('paymentApplication', { counterparty_sn: scene.d, lines })
  await scene.hospital.pass('paymentApplication', sn)
  return sn
}
const pay = (application: string, more: object = {}) =>
  scene.hospital.add('payment', { source_type: 115, source_sn: application, paid_on: day(), ...more })
async function paid(application: string, more: object = {}): Promise<string> {
  const sn = await pay(application, more)
  await scene.hospital.done('payment', 'submit', sn)
  await scene.finance.done('payment', 'review', sn)
  return sn
}
const part = (taxed_amount: string) => ({ lines: [{ source_line_no: 1, taxed_amount }] })
const payState = async (sn: string) => (await scene.hospital.info('inboundInvoice', sn)).pay_state
const receiptOf = async (payment: string) =>
  (await scene.dealer.list('receipt', { counter_payment_sn: payment })).find(row => row.state !== 'cancelled')

beforeAll(async () => {
  scene = await openScene()
  await scene.shelve(scene.dealer, scene.shop, [lotOf(scene.inflator, 'FK1', { quantity: '500' })])
})
afterAll(() => scene?.close())

story('payment, from one step to the next', step => {
  step(
    'paid in full: the debt is gone, the invoice 付款完成, and the supplier has a receipt of that amount',
    async () => {
      const { hospital, dealer, h, d } = scene
      const { ours, theirs, invoice_no } = await billed('10')
      const before = await owed(hospital, d)
      const application = await applied(ours)
      const sn = await paid(application, { bank_serial_no: 'YH-1' })
      expect(subtract(before.payable_invoiced, (await owed(hospital, d)).payable_invoiced, 2)).toBe('1450.00')
      expect(await payState(ours)).toBe('3')
      expect(await hospital.info('paymentApplication', application)).toMatchObject({
        state: 'completed',
        pay_state: '3',
      })
      const created = await receiptOf(sn)
      expect(created).toMatchObject({ state: 'draft', taxed_amount: '1450.00', counter_payment_amount: '1450.00' })
      const receipt = await dealer.info('receipt', created.sn)
      expect(receipt).toMatchObject({
        counterparty_sn: h,
        bank_serial_no: 'YH-1',
        paid_on: day(),
        payment_method: 'transfer',
      })
      expect(receipt.lines).toMatchObject([{ source_sn: theirs, invoice_no, taxed_amount: '1450.00' }])
      await dealer.pass('receipt', created.sn)
      expect((await dealer.info('outboundInvoice', theirs)).state).toBe('completed')
      expect((await owed(dealer, h)).receivable).toBe((await owed(hospital, d)).payable)
    },
  )

  step('in parts, never more than the application has left; the rest stays 已申请待付款', async () => {
    const { hospital } = scene
    const { ours } = await billed('10')
    const application = await applied(ours)
    await paid(application, part('1000'))
    expect([await payState(ours), (await hospital.info('paymentApplication', application)).state]).toEqual([
      '2',
      'partial',
    ])
    const much = await pay(application, part('450.01'))
    expectMessage(await hospital.do('payment', 'submit', much), '付款金额超过申请未付金额450.00')
    expectMessage(
      await attempt(hospital, 'payment', { source_type: 115, source_sn: application, ...part('0') }),
      '第1行：金额不能为0',
    )
    await paid(application)
    expect([await payState(ours), (await hospital.info('paymentApplication', application)).state]).toEqual([
      '3',
      'completed',
    ])
  })

  step('needs an application, except prepayments: these stay with the supplier as 预付', async () => {
    const { hospital, finance, dealer, h, d } = scene
    const bare = { counterparty_sn: d, lines: [{ taxed_amount: '500' }] }
    expectMessage(await attempt(hospital, 'payment', bare), '第1行：请先提交付款申请')
    expectMessage(
      await attempt(hospital, 'payment', { ...bare, source_type: 12 }),
      '来源类型为【预付款】，请选择来源单',
    )
    const asked = await hospital.add('prepayment', { ...bare, purpose_text: '备货' })
    await hospital.pass('prepayment', asked)
    await hospital.done('prepayment', 'pay', asked)
    const { sn } = await hospital.from('payment', asked)
    await hospital.done('payment', 'submit', sn)
    await finance.done('payment', 'review', sn)
    expect((await owed(hospital, d)).prepaid).toBe('500.00')
    // Money for an invoice unknown to the supplier counts as received nevertheless.
    const created = await receiptOf(sn)
    expect(created).toMatchObject({ taxed_amount: '500.00' })
    await dealer.pass('receipt', created.sn)
    expect((await owed(dealer, h)).prereceived).toBe('500.00')
  })

  step('its author never reviews it, whatever the settings allow, nor after reassigning it', async () => {
    proves('document.alwaysOtherPerson')
    const { hospital, finance } = scene
    const sn = await pay(await applied((await billed('1')).ours))
    await hospital.done('payment', 'submit', sn)
    expectMessage(await hospital.do('payment', 'review', sn), '付款单的制单人不能审核本单，请由他人审核')
    const user = async (login: string) => (await hospital.list('user', { login }))[0]
    const [author, nurse] = [await user('hospital'), await user('nurse')]
    const given = { sn: author.user_inner_sn, version: author.version, to_user_sn: nurse.user_inner_sn }
    const asked = await hospital.client.post('/v1/business/user/handOver', given)
    if (asked.code !== 0)
      await hospital.client.post('/v1/business/user/handOver', { ...given, confirm: asked.info.token })
    expect((await hospital.info('payment', sn)).history.at(-1)).toMatchObject({ label: '交接' })
    expectMessage(await hospital.do('payment', 'review', sn), '付款单的制单人不能审核本单，请由他人审核')
    await finance.done('payment', 'review', sn)
  })

  step('to an account other than the supplier’s file says, the second person is asked', async () => {
    const { hospital, finance } = scene
    const sn = await pay(await applied((await billed('1')).ours), { payee_account: '6222000000000000' })
    await hospital.done('payment', 'submit', sn)
    const { version } = await hospital.info('payment', sn)
    const reply = await finance.client.post('/v1/business/payment/review', { sn, version })
    expect([reply.code, reply.info.questions[0].msg]).toEqual([2200, '收款账户与供应商档案不一致'])
    await finance.done('payment', 'review', sn)
    const { history } = await hospital.info('payment', sn)
    expect(JSON.stringify(history.at(-1))).toContain('收款账户与供应商档案不一致')
  })

  step('a bank serial number is unique per account; no future date', async () => {
    const { hospital } = scene
    const first = await paid(await applied((await billed('1')).ours))
    await hospital.done('payment', 'pay', first, { paid_on: day(), bank_serial_no: 'YH-7' })
    expect(await hospital.info('payment', first)).toMatchObject({ state: 'completed', state_name: '已付款' })
    const second = await paid(await applied((await billed('1')).ours))
    expectMessage(
      await hospital.do('payment', 'pay', second, { paid_on: day(), bank_serial_no: 'YH-7' }),
      `银行流水号YH-7已使用（${first}）`,
    )
    const source = { source_type: 115, source_sn: await applied((await billed('1')).ours) }
    expectMessage(
      await attempt(hospital, 'payment', { ...source, bank_serial_no: 'YH-7' }),
      `银行流水号YH-7已使用（${first}）`,
    )
    expectMessage(await attempt(hospital, 'payment', { ...source, paid_on: day(1) }), '付款日期不能晚于今天')
    expect(
      (await attempt(hospital, 'payment', { ...source, bank_serial_no: 'YH-7', pay_account: '另一账户' })).code,
    ).toBe(0)
  })

  step(
    'before review it is voided with a reason; reviewed, a bank return is a 红冲 that frees the invoices',
    async () => {
      const { hospital, d } = scene
      const { ours } = await billed('10')
      const before = (await owed(hospital, d)).payable
      const application = await applied(ours)
      const draft = await pay(application)
      expectMessage(await hospital.do('payment', 'cancel', draft), '请填写作废原因')
      await hospital.done('payment', 'cancel', draft, { reason: '账户停用' })
      const sn = await paid(application, { bank_serial_no: 'YH-9' })
      expectMessage(await hospital.do('payment', 'cancel', sn, { reason: '错' }), '当前单据状态不允许该操作')
      const { red_sn } = await hospital.done('payment', 'redReverse', sn, { reason: '银行退汇' })
      expect(await hospital.info('payment', red_sn)).toMatchObject({ taxed_amount: '-1450.00', red_of_sn: sn })
      expect(await receiptOf(sn)).toBeUndefined()
      expect([(await owed(hospital, d)).payable, await payState(ours)]).toEqual([before, '2'])
      await paid(application, { bank_serial_no: 'YH-9' })
      expect(await payState(ours)).toBe('3')
    },
  )

  step('recorded, it cannot be undone; otherwise only until the supplier has processed its receipt', async () => {
    const { hospital, dealer } = scene
    const sn = await paid(await applied((await billed('1')).ours))
    await hospital.done('payment', 'record', sn, { accounting_period: '2026-01', voucher_no: '记-9' })
    expectMessage(await hospital.do('payment', 'unreview', sn), '单据已记账，不能反审核')
    await hospital.done('payment', 'unrecord', sn, { reason: '凭证有误' })
    await hospital.done('payment', 'unreview', sn)
    expect(await receiptOf(sn)).toBeUndefined()
    await scene.finance.done('payment', 'review', sn)
    const receipt = (await receiptOf(sn)).sn
    await dealer.pass('receipt', receipt)
    expectMessage(await hospital.do('payment', 'unreview', sn), `对方已处理（收款单${receipt}），不能反审核`)
  })

  step('an invoice’s 尾差 is owed, requested and paid with it: no debt remains on either side', async () => {
    const { hospital, dealer, shop, inflator, h, d } = scene
    const lines = [{ specification_sn: inflator, lot_no: 'FK1', quantity: '2' }]
    const odo = await dealer.add('saleOdo', { counterparty_sn: h, warehouse_model_inner_sn: shop, lines })
    await dealer.pass('saleOdo', odo)
    await hospital.pass('purchaseGrn', (await hospital.from('purchaseGrn', odo)).sn)
    const [ours, theirs] = [await owed(hospital, d), await owed(dealer, h)]
    const invoice_no = number()
    const bill = await dealer.add('outboundInvoice', {
      source_type: 7,
      source_sn: odo,
      invoice_no,
      invoice_date: day(),
      invoice_amount: '290.03',
    })
    await dealer.pass('outboundInvoice', bill)
    const [created] = await hospital.list('inboundInvoice', { invoice_no })
    await hospital.done('inboundInvoice', 'review', created.sn)
    expect(await hospital.info('inboundInvoice', created.sn)).toMatchObject({
      taxed_amount: '290.00',
      rounding: '0.03',
    })
    const application = await applied(created.sn)
    expect((await hospital.info('paymentApplication', application)).taxed_amount).toBe('290.03')
    const payment = await paid(application)
    expect(await payState(created.sn)).toBe('3')
    await dealer.pass('receipt', (await receiptOf(payment)).sn)
    expect((await dealer.info('outboundInvoice', bill)).state).toBe('completed')
    expect((await owed(hospital, d)).payable).toBe(subtract(ours.payable, '290.00', 2))
    expect((await owed(dealer, h)).receivable).toBe(subtract(theirs.receivable, '290.00', 2))
  })
})
