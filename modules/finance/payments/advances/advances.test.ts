import { itemAccounts } from '#kernel/ledger/posting.ts'
import { subtract } from '#kernel/values/decimal.ts'
import { afterAll, beforeAll, expect } from 'vitest'
import { attempt, expectMessage, lotOf, openScene, owed, type Scene } from '#tests/support/fixture.ts'
import { uploadPdf } from '#tests/support/picture.ts'
import { expectMoneyAgrees } from '#tests/support/money.ts'
import { story } from '#tests/support/steps.ts'
import { day, type Person } from '#tests/support/story.ts'

/** 预付 and 预收: money before goods, bound to an order or not, offset against invoices, refunded, moved. */
let scene: Scene
let account = ''
let nth = 0
beforeAll(async () => {
  scene = await openScene({ figures: true })
  await scene.shelve(scene.dealer, scene.shop, [lotOf(scene.inflator, 'YF1', { quantity: '500' })])
  account = (
    await scene.one(
      'update organisation set bank_account = $2 where id = $1 returning bank_account',
      scene.d,
      '622848001',
    )
  ).bank_account
})
afterAll(async () => {
  await expectMoneyAgrees(scene.hospital, scene, scene.h, 'H')
  await expectMoneyAgrees(scene.dealer, scene, scene.d, 'D')
  await scene.close()
})

/** An order of the hospital at 145 a piece, and the dealer's invoice over it; their numbers at the hospital. */
async function billedOrder(pieces: string): Promise<{ order: string; invoice: string }> {
  const { dealer, hospital, shop, central, inflator, d } = scene
  const order = await hospital.add('purchaseOrder', {
    counterparty_sn: d,
    warehouse_model_inner_sn: central,
    lines: [{ specification_sn: inflator, quantity: pieces }],
  })
  await hospital.pass('purchaseOrder', order)
  const sold = await dealer.from('salesOrder', order)
  await dealer.done('salesOrder', 'review', sold.sn)
  const odo = await dealer.add('saleOdo', {
    source_type: 4,
    source_sn: sold.sn,
    warehouse_model_inner_sn: shop,
    lines: [{ source_line_no: 1, lot_no: 'YF1', quantity: pieces }],
  })
  await dealer.pass('saleOdo', odo)
  const grn = await hospital.from('purchaseGrn', odo)
  await hospital.pass('purchaseGrn', grn.sn)
  const invoice = await hospital.add('inboundInvoice', {
    source_type: 9,
    source_sn: grn.sn,
    invoice_no: `26392000000000000${String(++nth).padStart(3, '0')}`,
    invoice_date: day(),
  })
  await hospital.pass('inboundInvoice', invoice)
  return { order, invoice }
}
const money = (taxed_amount: string, more: object = {}) => ({
  counterparty_sn: scene.d,
  payee_account: account,
  lines: [{ taxed_amount }],
  ...more,
})
/** Creates an advance, reviews and pays it; returns its number. */
async function paid(taxed_amount: string, more: object): Promise<string> {
  const { hospital, finance } = scene
  const sn = await hospital.add('prepayment', money(taxed_amount, more))
  await hospital.pass('prepayment', sn)
  await hospital.done('prepayment', 'pay', sn)
  const payment = await hospital.from('payment', sn)
  const filled = { sn: payment.sn, version: payment.version, paid_on: day(), pay_account: '基本户' }
  expect((await hospital.client.post('/v1/business/payment/edit', filled)).msg).toBe('')
  await hospital.done('payment', 'submit', payment.sn)
  await finance.done('payment', 'review', payment.sn)
  return sn
}
const draftOf = async (who: Person, kind: string) => (await who.list(kind, { state: 'draft' }))[0].sn as string
/** The draft's lines with other amounts. */
async function reduced(who: Person, kind: string, sn: string, taxed_amount: string): Promise<void> {
  const { version, lines } = await who.info(kind, sn)
  const [{ source_sn, source_line_no, advance_sn, advance_line_no }] = lines
  const line = { source_sn, source_line_no, advance_sn, advance_line_no, taxed_amount }
  const reply = await who.client.post(`/v1/business/${kind}/edit`, { sn, version, lines: [line] })
  expect(reply.msg).toBe('')
}

story('prepayments', step => {
  step('are asked for with an order or a purpose, within the order, to the account on file', async () => {
    const { hospital } = scene
    const { order } = await billedOrder('10')
    const tried = (amount: string, more: object) => attempt(hospital, 'prepayment', money(amount, more))
    expectMessage(await tried('100', {}), '没有采购订单的预付款，请填写用途')
    expectMessage(await tried('100', { order_sn: 'CG0000' }), '采购订单CG0000不存在或未提交')
    expectMessage(await tried('1450.01', { order_sn: order }), '预付金额超过订单可预付余额1450.00')
    expectMessage(await tried('100', { order_sn: order, payee_account: '1' }), '收款账户未在供应商档案登记')
    const { info } = await hospital.client.post('/v1/business/prepayment/fromOrder', {
      order_sn: order,
      prepaid_percent: '0.3',
    })
    const sn = (info as { sn: string }).sn
    expect(await hospital.info('prepayment', sn)).toMatchObject({ taxed_amount: '435.00', order_sn: order })
    await hospital.done('prepayment', 'submit', sn)
    expect(await hospital.info('prepayment', sn)).toMatchObject({ order_amount: '1450.00', prepaid_ratio: '0.3000' })
    expectMessage(await tried('1015.01', { order_sn: order }), '预付金额超过订单可预付余额1015.00')
    await hospital.done('prepayment', 'cancel', sn, { reason: '试算' })
  })

  step('paying whom we owe is asked; the payment raises the balance, not the request', async () => {
    const { hospital, finance, d } = scene
    const sn = await hospital.add('prepayment', money('1000', { purpose_text: '年度备货' }))
    await hospital.done('prepayment', 'submit', sn)
    const { version } = await hospital.info('prepayment', sn)
    const asked = await finance.client.post('/v1/business/prepayment/review', { sn, version })
    expect(asked.msg).toMatch(/^该供应商存在应付余额[\d.]+，是否仍预付？$/)
    await finance.done('prepayment', 'review', sn)
    expect((await owed(hospital, d)).prepaid ?? '0.00').toBe('0.00')
    await hospital.done('prepayment', 'pay', sn)
    expectMessage(await hospital.do('prepayment', 'pay', sn), /^已生成付款单FK.*，请先办理$/)
    expectMessage(await finance.do('prepayment', 'unreview', sn), /^已生成付款单，不能反审核/)
    const payment = await hospital.from('payment', sn)
    expect(payment).toMatchObject({ taxed_amount: '1000.00' })
    await hospital.done('payment', 'submit', payment.sn)
    await finance.done('payment', 'review', payment.sn)
    expect((await owed(hospital, d)).prepaid).toBe('1000.00')
    expect(await hospital.info('prepayment', sn)).toMatchObject({ state: 'completed', pay_state: '3' })
    expectMessage(await hospital.do('prepayment', 'cancel', sn, { reason: '误' }), '已付款，不能作废')
  })

  step('are offered by an application for payment: 10000 less 3000 is 7000, set off at its review', async () => {
    const { hospital, finance, d } = scene
    const sn = await paid('2000', { purpose_text: '备货' })
    const { invoice } = await billedOrder('40')
    const application = await hospital.add('paymentApplication', {
      counterparty_sn: d,
      payee_name: '收款单位',
      payee_bank: '工商银行',
      payee_account: account,
      lines: [{ source_sn: invoice, source_line_no: 1 }],
    })
    const head = () => hospital.info('paymentApplication', application)
    // 1000 of the step before and these 2000.
    expect(await head()).toMatchObject({ taxed_amount: '5800.00', offset_amount: '3000.00', pay_amount: '2800.00' })
    const tried = async (offset_amount: string) => {
      await hospital.done('paymentApplication', 'edit', application, { offset_amount })
      return hospital.do('paymentApplication', 'submit', application)
    }
    expectMessage(await tried('3000.01'), '预付核销金额超过该供应商可核销的预付余额3000.00')
    const before = await owed(hospital, d)
    await hospital.done('paymentApplication', 'edit', application, { offset_amount: '2500' })
    expect(await head()).toMatchObject({ pay_amount: '3300.00' })
    await hospital.pass('paymentApplication', application)
    const after = await owed(hospital, d)
    expect(subtract(before.prepaid!, after.prepaid!, 2)).toBe('2500.00')
    expect(subtract(before.payable_invoiced!, after.payable_invoiced!, 2)).toBe('2500.00')
    const [offset] = await hospital.list('prepaymentOffset', { source_sn: application })
    expect((await hospital.info('prepaymentOffset', offset.sn)).lines).toMatchObject([
      { taxed_amount: '1000.00' },
      { taxed_amount: '1500.00', advance_sn: sn },
    ])
    expectMessage(
      await hospital.do('paymentApplication', 'unreview', application),
      `已生成付款单，不能反审核（${offset.sn}）`,
    )
    const payment = await hospital.add('payment', { source_type: 115, source_sn: application })
    expect(await hospital.info('payment', payment)).toMatchObject({ taxed_amount: '3300.00' })
    await hospital.done('payment', 'submit', payment)
    await finance.done('payment', 'review', payment)
    expect(await head()).toMatchObject({ state: 'completed' })
    expect(await hospital.info('inboundInvoice', invoice)).toMatchObject({ state: 'completed' })
  })

  step('a used-up advance pays nothing again, whether or not the line says which line of it', async () => {
    const { hospital, d } = scene
    const advance = await paid('100', { purpose_text: '试用' })
    const { invoice } = await billedOrder('10')
    const before = await owed(hospital, d)
    const line = { source_sn: invoice, source_line_no: 1, advance_sn: advance, taxed_amount: '100' }
    const offset = (more: object) => ({ counterparty_sn: d, lines: [{ ...line, ...more }] })
    const first = await hospital.add('prepaymentOffset', offset({}))
    expect((await hospital.info('prepaymentOffset', first)).lines).toMatchObject([{ advance_line_no: 1 }])
    const second = await hospital.add('prepaymentOffset', offset({ advance_line_no: 1 }))
    await hospital.done('prepaymentOffset', 'submit', first)
    const usedUp = `核销金额超过预付余额0.00，已有预付核销单${first}`
    expectMessage(await hospital.do('prepaymentOffset', 'submit', second), usedUp)
    await hospital.done('prepaymentOffset', 'review', first)
    expectMessage(await hospital.do('prepaymentOffset', 'submit', second), /^核销金额超过预付余额0.00/)
    for (const more of [{}, { advance_line_no: null }, { advance_line_no: 1 }])
      expectMessage(await attempt(hospital, 'prepaymentOffset', offset(more)), /^核销金额超过预付余额0.00/)
    expectMessage(
      await attempt(hospital, 'prepaymentOffset', offset({ advance_line_no: 7 })),
      new RegExp(`^第1行：预付款单${advance}没有第7行，请核对【预付款行号】$`),
    )
    expect(subtract(before.prepaid, (await owed(hospital, d)).prepaid, 2)).toBe('100.00')
  })

  step('the database refuses an advance below zero and an entry without its item, whoever writes it', async () => {
    const { server, h, d } = scene
    const { owner } = server.database
    const advance = await paid('50', { purpose_text: '试用' })
    const { id } = await scene.one("select id from document where sn = $1 and kind = 'prepayment'", advance)
    const refused = async (text: string, constraint: string, ...values: unknown[]) =>
      expect(owner.unsafe(text, values as never)).rejects.toMatchObject({ constraint_name: constraint })
    await refused(
      'update advance_balance set amount = amount - 50.01 where org_id = $1 and document_id = $2',
      'advance_balance_never_negative',
      h,
      id,
    )
    await refused(
      `update account_balance set amount = -0.01 where org_id = $1 and counterparty_id = $2 and account = 'prepaid'`,
      'account_balance_advance_never_negative',
      h,
      d,
    )
    // An order can neither open an item nor have one as its source.
    const order = await scene.one("select id from document where org_id = $1 and kind = 'purchaseOrder' limit 1", h)
    for (const account of itemAccounts)
      await refused(
        `insert into account_entry (org_id, counterparty_id, account, amount, document_id, line_no, business_date)
         values ($1, $2, $3, -1, $4, 1, current_date)`,
        'account_entry_item',
        h,
        d,
        account,
        order.id,
      )
  })

  step('are used up by invoices: 5000 paid, 3200 invoiced, 1800 left; and given back', async () => {
    const { hospital, finance, d } = scene
    const sn = await paid('5000', { purpose_text: '备货' })
    const { invoice } = await billedOrder('20')
    const before = await owed(hospital, d)
    await hospital.done('prepayment', 'offset', sn)
    const offset = await draftOf(hospital, 'prepaymentOffset')
    const { lines } = await hospital.info('prepaymentOffset', offset)
    expect(lines.length).toBeGreaterThan(0)
    const at = lines.findIndex((line: { source_sn: string }) => line.source_sn === invoice)
    expect(at).toBeGreaterThanOrEqual(0)
    const { version } = await hospital.info('prepaymentOffset', offset)
    const line = (taxed_amount: string) => ({
      source_sn: invoice,
      source_line_no: 1,
      advance_sn: sn,
      advance_line_no: 1,
      taxed_amount,
    })
    const edited = await hospital.client.post('/v1/business/prepaymentOffset/edit', {
      sn: offset,
      version,
      lines: [line('2900')],
    })
    expect(edited.msg).toBe('')
    await hospital.pass('prepaymentOffset', offset)
    const after = await owed(hospital, d)
    expect(subtract(before.prepaid, after.prepaid, 2)).toBe('2900.00')
    expect(subtract(before.payable_invoiced, after.payable_invoiced, 2)).toBe('2900.00')
    expect(await hospital.info('inboundInvoice', invoice)).toMatchObject({ pay_state: '3', state: 'completed' })
    expect((await hospital.list('prepayment', { sn }))[0]).toMatchObject({
      offset_amount: '2900.00',
      unoffset_amount: '2100.00',
      offset_state: '2',
    })
    expectMessage(
      await attempt(hospital, 'prepaymentOffset', { counterparty_sn: d, lines: [line('0.01')] }, 'review'),
      /核销金额超过发票未付金额0\.00|请确认已审核且未终止/,
    )
    const payment = await hospital.from('payment', sn)
    const row = async () => (await hospital.list('prepayment', { sn }))[0]
    expect(await row()).toMatchObject({
      payment_nos: payment.sn,
      last_paid_on: day(),
      pay_accounts: '基本户',
      last_offset_on: day(),
      partner_payable: (await owed(hospital, d)).payable,
      partner_prepaid: (await owed(hospital, d)).prepaid,
    })
    await hospital.done('prepaymentOffset', 'unreview', offset)
    expect((await owed(hospital, d)).prepaid).toBe(before.prepaid)
    expect(await row()).toMatchObject({ last_offset_on: null, partner_prepaid: before.prepaid })
    await hospital.done('prepaymentOffset', 'review', offset)

    await hospital.done('prepayment', 'refund', sn)
    const refund = await draftOf(hospital, 'prepaymentRefund')
    expectMessage(await hospital.do('prepaymentRefund', 'submit', refund), '请填写银行流水号')
    const draft = await hospital.info('prepaymentRefund', refund)
    const filled = await hospital.client.post('/v1/business/prepaymentRefund/edit', {
      sn: refund,
      version: draft.version,
      bank_serial_no: 'TK-1',
      attachments: [await uploadPdf(hospital, 1)],
      lines: [{ source_sn: sn, source_line_no: 1, taxed_amount: '2100.01' }],
    })
    expect(filled.msg).toBe('')
    expectMessage(await hospital.do('prepaymentRefund', 'submit', refund), '退款金额超过预付余额2100.00')
    await reduced(hospital, 'prepaymentRefund', refund, '2100')
    await hospital.pass('prepaymentRefund', refund)
    expect(subtract(before.prepaid, (await owed(hospital, d)).prepaid, 2)).toBe('5000.00')
    expect((await hospital.list('prepayment', { sn }))[0]).toMatchObject({ unoffset_amount: '0.00' })
    await finance.done('prepaymentRefund', 'record', refund, { accounting_period: day().slice(0, 7), voucher_no: '1' })
    expectMessage(await hospital.do('prepaymentRefund', 'unreview', refund), '单据已记账，不能反核销')
  })

  step('bound to an order they settle its invoices alone, until they are moved', async () => {
    const { hospital, d } = scene
    const [ours, other] = [await billedOrder('4'), await billedOrder('5')]
    const sn = await paid('580', { order_sn: ours.order })
    await hospital.done('prepayment', 'offset', sn)
    const offset = await draftOf(hospital, 'prepaymentOffset')
    const { lines, version } = await hospital.info('prepaymentOffset', offset)
    expect(lines.map((line: { source_sn: string }) => line.source_sn)).toEqual([ours.invoice])
    await hospital.client.post('/v1/business/prepaymentOffset/del', { sn: offset, version })
    const to = (invoice: string) => ({
      counterparty_sn: d,
      lines: [{ source_sn: invoice, source_line_no: 1, advance_sn: sn, advance_line_no: 1, taxed_amount: '100' }],
    })
    expectMessage(
      await attempt(hospital, 'prepaymentOffset', to(other.invoice)),
      `第1行：预付款限于采购订单${ours.order}的发票，请先转移订单`,
    )
    await hospital.done('prepayment', 'move', sn, { moved_order: other.order, reason: '订单取消' })
    await hospital.pass('prepaymentOffset', await hospital.add('prepaymentOffset', to(other.invoice)))
    expect((await hospital.list('prepayment', { sn }))[0]).toMatchObject({ unoffset_amount: '480.00' })
  })

  step('wait for their invoices: linking books nothing; an old one without any asks before the next', async () => {
    const { hospital } = scene
    const { invoice } = await billedOrder('1')
    const sn = await paid('145', { purpose_text: '急需' })
    expectMessage(
      await hospital.do('prepayment', 'linkInvoice', sn, { linked_invoices: 'X' }),
      '没有该供应商的发票X，请先登记发票',
    )
    await hospital.done('prepayment', 'linkInvoice', sn, { linked_invoices: invoice })
    expect(await hospital.info('prepayment', sn)).toMatchObject({ invoice_state: 'all' })
    await scene.one(
      "update document set business_date = $2 where sn = $1 and role = 'own' and kind = 'prepayment' returning id",
      (await hospital.list('prepayment', { invoice_state: 'none', state: 'completed' }))[0].sn,
      day(-91),
    )
    const next = await hospital.add('prepayment', money('10', { purpose_text: '备货' }))
    const { version } = await hospital.info('prepayment', next)
    const asked = await hospital.client.post('/v1/business/prepayment/submit', { sn: next, version })
    expect(asked.msg).toMatch(/^预付款YF\d+已超过90天未到票，是否仍预付？请填写原因$/)
    const confirm = { sn: next, version, confirm: (asked.info as { token: string }).token }
    expectMessage(await hospital.client.post('/v1/business/prepayment/submit', confirm), /请填写再次预付的原因$/)
    const answered = await hospital.client.post('/v1/business/prepayment/submit', { ...confirm, reason: '货期长' })
    expect(answered.msg).toBe('')
  })

  step('past its day, or long without being used up, it is marked; its age goes on after it was paid', async () => {
    const { hospital } = scene
    const late = await hospital.add('prepayment', money('5', { purpose_text: '备货', expected_date: day(-1) }))
    const { version } = await hospital.info('prepayment', late)
    const asked = await hospital.client.post('/v1/business/prepayment/submit', { sn: late, version })
    const { token: confirm } = asked.info as { token: string }
    const body = { sn: late, version, confirm, reason: '货期长' }
    expect((await hospital.client.post('/v1/business/prepayment/submit', body)).msg).toBe('')
    await scene.finance.done('prepayment', 'review', late)
    expect((await hospital.list('prepayment', { overdue: '1' })).map(row => row.sn)).toEqual([late])
    const open = (await hospital.list('prepayment', { state: 'completed', offset_state: '1' }))[0].sn
    const rowOf = async () => (await hospital.list('prepayment', { sn: open }))[0]
    expect(await rowOf()).toMatchObject({ age_days: 0, long_open: '0' })
    await scene.one(
      "update document set reviewed_at = reviewed_at - interval '91 days' where sn = $1 and role = 'own' returning id",
      open,
    )
    expect(await rowOf()).toMatchObject({ age_days: 91, long_open: '1' })
    const byBalance = (has_balance: string) => hospital.list('prepayment', { has_balance })
    const [left, used] = [await byBalance('1'), await byBalance('0')]
    expect(left.map((row: { sn: string }) => row.sn)).toContain(open)
    expect(left.filter((row: { unoffset_amount: string }) => row.unoffset_amount === '0.00')).toEqual([])
    expect(used.map((row: { sn: string }) => row.sn)).not.toContain(open)
  })

  step('a program of the version before, which names no items, books beside this one', async () => {
    const { owner } = scene.server.database
    const undone = new Error('undone')
    let booked = 0
    const replayed = owner.begin(async tx => {
      await tx`
        create temp table booked on commit drop as
        select e.* from account_entry e join document d on d.org_id = e.org_id and d.id = e.document_id
         where e.item_id is not null and d.kind not in ('prepaymentTransfer', 'prereceiptTransfer')`
      await tx`create temp table rests on commit drop as
        select org_id, item_id as document_id, sum(amount) as amount from booked
         where account in ('prepaid', 'prereceived') group by 1, 2 having sum(amount) <> 0`
      await tx`delete from account_entry where item_id is not null`
      await tx`delete from advance_balance`
      await tx`
        insert into account_entry (org_id, counterparty_id, account, amount, document_id, line_no, business_date, at)
        select org_id, counterparty_id, account, amount, document_id, line_no, business_date, at from booked
         order by id`
      const other = await tx`
        (select document_id, line_no, account, amount, item_id from booked)
        except all
        (select document_id, line_no, account, amount, item_id from account_entry where item_id is not null)`
      const otherRests = await tx`
        (select * from rests) except all (select org_id, document_id, amount from advance_balance)`
      expect([[...other], [...otherRests]]).toEqual([[], []])
      booked = (await tx`select 1 from booked`).length
      throw undone
    })
    await expect(replayed).rejects.toBe(undone)
    expect(booked).toBeGreaterThan(10)
  })
})

story('prereceipts', step => {
  step('raise 预收 at review, settle invoices, and go back with proof', async () => {
    const { dealer, hospital, h } = scene
    const { order } = await billedOrder('3')
    const sold = await dealer.from('salesOrder', order)
    const body = (amount: string, more: object = {}) => ({
      counterparty_sn: h,
      paid_on: day(),
      lines: [{ taxed_amount: amount }],
      ...more,
    })
    expectMessage(
      await attempt(dealer, 'prereceipt', body('435.01', { order_sn: sold.sn })),
      '预收金额超过订单金额435.00',
    )
    const before = await owed(dealer, h)
    const sn = await dealer.add('prereceipt', body('600'))
    await dealer.pass('prereceipt', sn)
    expect(subtract((await owed(dealer, h)).prereceived, before.prereceived ?? '0', 2)).toBe('600.00')
    const odo = (await hospital.list('purchaseGrn', { counterparty_sn: scene.d }))[0].source_sn
    const invoice = await dealer.add('outboundInvoice', {
      source_type: 7,
      source_sn: odo,
      invoice_no: '26393000000000000001',
      invoice_date: day(),
    })
    await dealer.pass('outboundInvoice', invoice)
    await dealer.done('prereceipt', 'offset', sn)
    const offset = await draftOf(dealer, 'prereceiptOffset')
    await dealer.pass('prereceiptOffset', offset)
    expect(await dealer.info('outboundInvoice', invoice)).toMatchObject({ pay_state: '3' })
    expectMessage(await dealer.do('prereceipt', 'unreview', sn), /^预收款已核销或退款，不能反审核/)
    expectMessage(await dealer.do('prereceipt', 'redReverse', sn, { reason: '误' }), /^预收款已核销或退款，不能红冲/)
    const much = {
      counterparty_sn: h,
      lines: [{ source_sn: invoice, source_line_no: 1, advance_sn: sn, advance_line_no: 1, taxed_amount: '1' }],
    }
    expectMessage(await attempt(dealer, 'prereceiptOffset', much, 'review'), /核销金额超过|请确认已审核/)
    await dealer.done('prereceipt', 'refund', sn)
    expect((await dealer.list('prereceipt', { sn }))[0]).toMatchObject({
      offset_amount: '435.00',
      unoffset_amount: '165.00',
    })
  })
})
