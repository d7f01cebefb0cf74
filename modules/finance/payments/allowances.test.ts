import { subtract, sum } from '#kernel/values/decimal.ts'
import { afterAll, beforeAll, expect } from 'vitest'
import { attempt, expectMessage, lotOf, openScene, owed, type Scene } from '#tests/support/fixture.ts'
import { expectMoneyAgrees } from '#tests/support/money.ts'
import { story } from '#tests/support/steps.ts'
import { proves } from '#tests/support/proves.ts'
import { day } from '#tests/support/story.ts'

/** 折让: part of an invoice is settled by an allowance; beyond the limit a second level must approve. */
let scene: Scene
let nth = 0
beforeAll(async () => {
  scene = await openScene({ figures: true })
  await scene.shelve(scene.dealer, scene.shop, [lotOf(scene.inflator, 'ZR1', { quantity: '500' })])
})
afterAll(async () => {
  await expectMoneyAgrees(scene.hospital, scene, scene.h, 'H')
  await expectMoneyAgrees(scene.dealer, scene, scene.d, 'D')
  await scene.close()
})

/** The dealer's invoice over pieces at 100, reviewed on both sides. */
async function billed(pieces: string): Promise<{ ours: string; theirs: string }> {
  const { dealer, hospital, shop, inflator, h } = scene
  const lines = [{ specification_sn: inflator, lot_no: 'ZR1', quantity: pieces, price: '100' }]
  const odo = await dealer.add('saleOdo', { counterparty_sn: h, warehouse_model_inner_sn: shop, lines })
  await dealer.pass('saleOdo', odo)
  const invoice_no = `26371000000000000${String(++nth).padStart(3, '0')}`
  const theirs = await dealer.add('outboundInvoice', {
    source_type: 7,
    source_sn: odo,
    invoice_no,
    invoice_date: day(),
  })
  await dealer.pass('outboundInvoice', theirs)
  await hospital.pass('purchaseGrn', (await hospital.from('purchaseGrn', odo)).sn)
  const [copy] = await hospital.list('inboundInvoice', { invoice_no })
  await hospital.done('inboundInvoice', 'review', copy.sn)
  return { ours: copy.sn, theirs }
}
const book = () => owed(scene.dealer, scene.h)
const receiptOf = (source_sn: string, taxed_amount: string, allowance_amount: string, more: object = {}) => ({
  counterparty_sn: scene.h,
  lines: [{ source_sn, source_line_no: 1, taxed_amount, allowance_amount }],
  ...more,
})
const summary = async () => {
  const days = { begin_date: `${day().slice(0, 7)}-01`, end_date: day() }
  const { list } = await scene.dealer.client.get('/v1/report/receivablePayableSummary', {
    ...days,
    direction: 'receivable',
    counterparty_sn: scene.h,
  })
  return list[0] as Record<string, string>
}

story('an allowance', step => {
  step('settles with the money, and is neither money nor owed', async () => {
    const { dealer } = scene
    const { theirs } = await billed('5')
    const [before, was] = [await book(), await summary()]
    expectMessage(
      await attempt(dealer, 'receipt', receiptOf(theirs, '480', '20.01'), 'review'),
      '核销金额超过未收金额500.00',
    )
    expectMessage(
      await attempt(dealer, 'receipt', {
        counterparty_sn: scene.h,
        lines: [{ taxed_amount: '10', allowance_amount: '1' }],
      }),
      '第1行：折让只能用于核销发票或期初应收的行',
    )
    const sn = await dealer.add('receipt', receiptOf(theirs, '480', '20', { bank_fee: '3.5' }))
    await dealer.pass('receipt', sn)
    expect(await dealer.info('receipt', sn)).toMatchObject({ taxed_amount: '480.00', allowance_amount: '20.00' })
    expect(await dealer.info('outboundInvoice', theirs)).toMatchObject({ state: 'completed', pay_state: '3' })
    expect(subtract(before.receivable_invoiced, (await book()).receivable_invoiced, 2)).toBe('500.00')
    const now = await summary()
    expect(subtract(now.settled_amount!, was.settled_amount!, 2)).toBe('480.00')
    expect(subtract(now.rounding_amount!, was.rounding_amount!, 2)).toBe('-20.00')
    // The voucher: the money received, less the bank's fee, and the allowance.
    const { list } = await dealer.client.get('/v1/report/monthVoucher', { period: day().slice(0, 7), pageSize: '500' })
    const voucher = (list as Record<string, string>[]).filter(row => row.document_no === sn)
    expect(voucher.map(row => [row.account_code, row.debit, row.credit]).toSorted()).toEqual([
      ['1002', '0.00', '3.50'],
      ['1002', '480.00', '0.00'],
      ['1122.01', '0.00', '500.00'],
      ['6603.01', '3.50', '0.00'],
      ['6603.02', '20.00', '0.00'],
    ])
    await dealer.done('receipt', 'unmatch', sn, { reason: '改' })
    expect(await dealer.info('receipt', sn)).toMatchObject({ allowance_amount: '0.00' })
    expect((await book()).receivable_invoiced).toBe(before.receivable_invoiced)
    await dealer.done('receipt', 'redReverse', sn, { reason: '改' })
    expect(await book()).toEqual(before)
    // After a red reversal the allowance is taken back with the money.
    const again = await dealer.add('receipt', receiptOf(theirs, '480', '20'))
    await dealer.pass('receipt', again)
    await dealer.done('receipt', 'redReverse', again, { reason: '退票' })
    expect(await book()).toEqual(before)
    expect(await dealer.info('outboundInvoice', theirs)).toMatchObject({ state: 'reviewed', pay_state: '1' })
  })

  step('beyond the limit needs a second level, however small the receipt', async () => {
    proves('payment.allowanceLimit')
    const { dealer, d } = scene
    await scene.rule(d, 'allowance_limit', '20')
    const { theirs } = await billed('5')
    const first = await scene.colleague('dealer')
    const second = await scene.colleague('dealer2')
    const much = receiptOf(theirs, '479.99', '20.01')
    expectMessage(
      await attempt(dealer, 'receipt', much),
      '折让合计20.01元超过折让限额20元，须经二级审核：请先在【审核设置】为收款单设置第一级和第二级审核人',
    )
    const { info } = await dealer.client.post('/v1/business/auditSetting/add', { document_kind: 'receipt' })
    const audit_setting_sn = (info as { sn: string }).sn
    const idOf = async (login: string) =>
      (await scene.one('select id from app_user where login = $1', login)).id as string
    for (const [level_no, from_amount, login] of [
      [1, '0', 'dealer.colleague'],
      [2, '100000', 'dealer2.colleague'],
    ] as const) {
      const users = [await idOf(login)]
      const made = await dealer.client.post('/v1/business/auditLevel/add', {
        audit_setting_sn,
        level_no,
        from_amount,
        users,
      })
      expect(made.msg).toBe('')
    }
    // For exactly the limit the first level is enough.
    const within = await dealer.add('receipt', receiptOf(theirs, '80', '20'))
    await dealer.done('receipt', 'submit', within)
    await first.done('receipt', 'review', within)
    expect(await dealer.info('receipt', within)).toMatchObject({ state: 'reviewed' })
    const beyond = await dealer.add('receipt', receiptOf(theirs, '379.99', '20.01'))
    await dealer.done('receipt', 'submit', beyond)
    await first.done('receipt', 'review', beyond)
    expect(await dealer.info('receipt', beyond)).toMatchObject({ state: 'submitted', state_name: '待二审' })
    expectMessage(await first.do('receipt', 'review', beyond), /您不是本级审核人/)
    await second.done('receipt', 'review', beyond)
    expect(await dealer.info('outboundInvoice', theirs)).toMatchObject({ state: 'completed' })
  })

  step('is taken on payments as well: the application is paid in full with less money', async () => {
    const { hospital, finance, d } = scene
    const { ours } = await billed('6')
    const application = await hospital.add('paymentApplication', { source_type: 10, source_sn: ours })
    await hospital.pass('paymentApplication', application)
    const before = await owed(hospital, d)
    const payment = await hospital.add('payment', {
      source_type: 115,
      source_sn: application,
      lines: [{ source_line_no: 1, taxed_amount: '590', allowance_amount: '10' }],
    })
    await hospital.done('payment', 'submit', payment)
    await finance.done('payment', 'review', payment)
    expect(subtract(before.payable_invoiced, (await owed(hospital, d)).payable_invoiced, 2)).toBe('600.00')
    for (const [kind, sn] of [
      ['paymentApplication', application],
      ['inboundInvoice', ours],
    ] as const)
      expect([kind, (await hospital.info(kind, sn)).state]).toEqual([kind, 'completed'])
    const { list } = await hospital.client.get('/v1/report/monthVoucher', {
      period: day().slice(0, 7),
      pageSize: '500',
    })
    const voucher = (list as Record<string, string>[]).filter(row => row.document_no === payment)
    const total = (name: 'debit' | 'credit') =>
      sum(
        voucher.map(row => row[name]!),
        2,
      )
    expect([total('debit'), total('credit')]).toEqual(['600.00', '600.00'])
    await finance.done('payment', 'redReverse', payment, { reason: '退汇' })
    expect(await owed(hospital, d)).toEqual(before)
  })
})
