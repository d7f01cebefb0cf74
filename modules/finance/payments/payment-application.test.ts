import { afterAll, beforeAll, expect } from 'vitest'
import { expectMoneyAgrees } from '#tests/support/money.ts'
import { story } from '#tests/support/steps.ts'
import { attempt, lotOf, openScene, expectMessage, type Scene } from '#tests/support/fixture.ts'
import { day } from '#tests/support/story.ts'

/** 付款申请: asks for payment of a supplier's invoices. An amount that was applied for cannot be applied for again. */
let scene: Scene
let nth = 0

/** An invoice of the dealer owed by the hospital, at 145 per piece; returns its number here. */
async function owedInvoice(pieces: string): Promise<string> {
  const { dealer, hospital, shop, inflator, h } = scene
  const lines = [{ specification_sn: inflator, lot_no: 'SQ1', quantity: pieces }]
  const odo = await dealer.add('saleOdo', { counterparty_sn: h, warehouse_model_inner_sn: shop, lines })
  await dealer.pass('saleOdo', odo)
  const grn = (await hospital.from('purchaseGrn', odo)).sn
  await hospital.pass('purchaseGrn', grn)
  const invoice_no = `26342000000000000${String(++nth).padStart(3, '0')}`
  const sn = await hospital.add('inboundInvoice', { source_type: 9, source_sn: grn, invoice_no, invoice_date: day() })
  await hospital.pass('inboundInvoice', sn)
  return sn
}
const line = (source_sn: string, taxed_amount?: string) => ({
  source_sn,
  source_line_no: 1,
  ...(taxed_amount ? { taxed_amount } : {}),
})
const ask = (lines: object[], more: object = {}) => ({ counterparty_sn: scene.d, lines, ...more })
async function asked(lines: object[]): Promise<string> {
  const sn = await scene.hospital.add('paymentApplication', ask(lines))
  await scene.hospital.pass('paymentApplication', sn)
  return sn
}
async function paid(application: string, taxed_amount?: string): Promise<string> {
  const { hospital, finance } = scene
  const lines = taxed_amount ? { lines: [{ source_line_no: 1, taxed_amount }] } : {}
  const sn = await hospital.add('payment', { source_type: 115, source_sn: application, ...lines })
  await hospital.done('payment', 'submit', sn)
  await finance.done('payment', 'review', sn)
  return sn
}
const payState = async (sn: string) => (await scene.hospital.info('inboundInvoice', sn)).pay_state
const applied = async (sn: string) =>
  (await scene.hospital.info('inboundInvoice', sn)).lines[0].applied_amount ?? '0.000'

beforeAll(async () => {
  scene = await openScene()
  await scene.shelve(scene.dealer, scene.shop, [lotOf(scene.inflator, 'SQ1', { quantity: '500' })])
  await scene.one(
    'update org_relation set payment_days = 0 where org_id = $1 and partner_id = $2 returning 1',
    scene.h,
    scene.d,
  )
})
afterAll(async () => {
  await expectMoneyAgrees(scene.hospital, scene, scene.h, 'H')
  await expectMoneyAgrees(scene.dealer, scene, scene.d, 'D')
  await scene.close()
})

story('payment application, from one step to the next', step => {
  step(
    'submitted: invoices are 已申请待付款, not requested twice; returned, undone or void: 待申请 again',
    async () => {
      const { hospital } = scene
      const invoice = await owedInvoice('10')
      const sn = await hospital.add('paymentApplication', { source_type: 10, source_sn: invoice })
      expect(await hospital.info('paymentApplication', sn)).toMatchObject({ taxed_amount: '1450.00', state: 'draft' })
      expect(await payState(invoice)).toBe('1')
      for (const [back, more] of [
        ['unsubmit', {}],
        ['reject', { reason: '资金紧张' }],
      ] as const) {
        await hospital.done('paymentApplication', 'submit', sn)
        expect(await payState(invoice)).toBe('2')
        await hospital.done('paymentApplication', back, sn, more)
        expect(await payState(invoice)).toBe('1')
      }
      // The printout shows the submitted application, with the totals of its invoices; an account missing in the master
      // data is marked.
      const print = async () => hospital.client.get('/v1/business/paymentApplication/print', { sn })
      expectMessage(await print(), `付款申请单${sn}尚未提交，不能打印`)
      await hospital.done('paymentApplication', 'submit', sn)
      const { info: sheet } = await print()
      expect(sheet).toMatchObject({ payment_method: '电汇', last_paid_on: null })
      expect(sheet.payee_account).not.toContain('待核实')
      expect(sheet.lines).toHaveLength(1)
      expect(sheet.lines[0]).toMatchObject({
        taxed_amount: '1450.00',
        invoice_amount: '1450.00',
        invoice_paid: '0.00',
        invoice_unpaid: '1450.00',
      })
      const again = await hospital.client.post('/v1/business/paymentApplication/add', {
        source_type: 10,
        source_sn: invoice,
      })
      expectMessage(again, `来源单${invoice}已全部执行，没有剩余可引用`)
      expectMessage(
        await attempt(hospital, 'paymentApplication', ask([line(invoice, '1')])),
        new RegExp(`^申请金额超过未付余额0.00，已有付款申请单?${sn}$`),
      )
      await hospital.done('paymentApplication', 'cancel', sn, { reason: '不付了' })
      expect(await payState(invoice)).toBe('1')
    },
  )

  step('never exceeds what is left to request on the invoice', async () => {
    const { hospital } = scene
    const invoice = await owedInvoice('10')
    await asked([line(invoice, '1000')])
    expectMessage(
      await attempt(hospital, 'paymentApplication', ask([line(invoice, '450.01')])),
      '申请金额超过未付余额450.00',
    )
    await asked([line(invoice, '450')])
    expectMessage(
      await attempt(hospital, 'paymentApplication', ask([line(await owedInvoice('1'), '0')])),
      '第1行：金额不能为0',
    )
    expectMessage(
      await attempt(hospital, 'paymentApplication', ask([line(await owedInvoice('1'), '-1')])),
      '本次申请付款必须大于0',
    )
  })

  step('covers invoices of one supplier, reviewed ones only', async () => {
    const { hospital, v } = scene
    const invoice = await owedInvoice('1')
    const other = await hospital.client.post(
      '/v1/business/paymentApplication/add',
      ask([line(invoice)], { counterparty_sn: v }),
    )
    expectMessage(other, `请选择同一供应商的来源单（${invoice}）`)
    await hospital.done('inboundInvoice', 'unreview', invoice)
    expectMessage(
      await hospital.client.post('/v1/business/paymentApplication/add', ask([line(invoice)])),
      `来源单${invoice}当前状态不能引用，请确认已审核且未终止`,
    )
    expectMessage(
      await hospital.client.post('/v1/business/paymentApplication/add', ask([{ taxed_amount: '100' }])),
      '付款申请单不能手工新增，请引用来源单',
    )
  })

  step('an invoice not yet due is requested only when confirmed explicitly', async () => {
    const { hospital, h, d } = scene
    const days = (count: number) =>
      scene.one(
        'update org_relation set payment_days = $1 where org_id = $2 and partner_id = $3 returning 1',
        count,
        h,
        d,
      )
    await days(30)
    const invoice = await owedInvoice('1')
    await days(0)
    const { invoice_no } = await hospital.info('inboundInvoice', invoice)
    const sn = await hospital.add('paymentApplication', ask([line(invoice)]))
    const reply = await hospital.client.post('/v1/business/paymentApplication/submit', { sn, version: 1 })
    expect([reply.code, reply.info.questions[0].msg]).toEqual([2200, `发票${invoice_no}未到付款期（${day(30)}到期）`])
    expect((await hospital.info('paymentApplication', sn)).state).toBe('draft')
    const rights = ['page:/hospital/paymentApplicationH', 'paymentApplication.submit', 'price']
    const clerk = await scene.clerk('hospital', 'early.clerk', rights)
    expectMessage(
      await clerk.do('paymentApplication', 'submit', sn),
      '有发票未到付款期：请由有“提前付款”权限的人员申请，或到期后再申请',
    )
    await hospital.done('paymentApplication', 'submit', sn)
  })

  step('pays to the account in the supplier’s file; without one no transfer is possible', async () => {
    const { hospital, d } = scene
    const { name, bank_name, bank_account } = await scene.one('select * from organisation where id = $1', d)
    const sn = await hospital.add('paymentApplication', ask([line(await owedInvoice('1'))]))
    expect(await hospital.info('paymentApplication', sn)).toMatchObject({
      payee_name: name,
      payee_bank: bank_name,
      payee_account: bank_account,
    })
    await scene.one('update organisation set bank_account = null where id = $1 returning 1', d)
    const bare = ask([line(await owedInvoice('1'))])
    expectMessage(await attempt(hospital, 'paymentApplication', bare), '供应商银行账户信息不完整')
    expect((await attempt(hospital, 'paymentApplication', { ...bare, payment_method: 'cash' })).code).toBe(0)
    await scene.one('update organisation set bank_account = $1 where id = $2 returning 1', bank_account, d)
  })

  step('with a payment created from it, it cannot be undone or voided', async () => {
    const { hospital } = scene
    const sn = await asked([line(await owedInvoice('10'))])
    const payment = await paid(sn, '450')
    expect((await hospital.info('paymentApplication', sn)).state).toBe('partial')
    expectMessage(await hospital.do('paymentApplication', 'unreview', sn), `已生成付款单，不能反审核（${payment}）`)
    const other = await asked([line(await owedInvoice('1'))])
    const draft = await hospital.add('payment', { source_type: 115, source_sn: other })
    expectMessage(await hospital.do('paymentApplication', 'unreview', other), `已生成付款单，不能反审核（${draft}）`)
    expectMessage(
      await hospital.do('paymentApplication', 'cancel', other, { reason: '不付了' }),
      `该单据已有后续单据（${draft}），不能作废`,
    )
  })

  step('lists show when it was due, how late it is or was paid, and by which payments', async () => {
    const { hospital } = scene
    const [early, late] = [await owedInvoice('1'), await owedInvoice('1')]
    const dueOn = (sn: string, due: string) =>
      scene.one(
        `update document set fields = fields || jsonb_build_object('due_date', $2::text)
          where sn = $1 and role = 'own' returning 1`,
        sn,
        due,
      )
    await dueOn(early, day(-9))
    await dueOn(late, day(-4))
    const sn = await asked([line(late), line(early)])
    const row = async () => (await hospital.list('paymentApplication', { sn }))[0]
    expect(await row()).toMatchObject({ items_due_on: day(-9), items_late_days: 9, last_paid_on: null })
    const [open] = await hospital.list('openItem', { document_no: early })
    expect(await row()).toMatchObject({ items_due_on: open.due_date, items_late_days: open.overdue_days })
    const payment = await hospital.add('payment', { source_type: 115, source_sn: sn, paid_on: day(-2) })
    const [paying] = await hospital.list('payment', { sn: payment })
    expect(paying).toMatchObject({ items_due_on: day(-9), items_late_days: 7 })
    await hospital.done('payment', 'submit', payment)
    await scene.finance.done('payment', 'review', payment)
    expect(await row()).toMatchObject({ items_late_days: 7, last_paid_on: day(-2) })
    expect((await hospital.list('paymentApplication', { items_due_on: day(-9) })).map(one => one.sn)).toEqual([sn])
    const future = await asked([line(await owedInvoice('1'))])
    expect((await hospital.list('paymentApplication', { sn: future }))[0]).toMatchObject({ items_late_days: 0 })
  })

  step('付款日期 is the day on which was paid, today if nobody says another one: in list and print', async () => {
    const { hospital } = scene
    const sn = await asked([line(await owedInvoice('1'))])
    const payment = await paid(sn)
    const said = async () => {
      const [row] = await hospital.list('paymentApplication', { sn })
      const { info } = await hospital.client.get('/v1/business/paymentApplication/print', { sn })
      return [row.last_paid_on, info.last_paid_on]
    }
    expect(await said()).toEqual([null, null])
    expectMessage(await hospital.do('payment', 'pay', payment, { paid_on: day(1) }), '付款日期不能晚于今天')
    await hospital.done('payment', 'pay', payment)
    expect(await said()).toEqual([day(), day()])
    await hospital.done('payment', 'payReturned', payment, { reason: '账号有误' })
    expect(await said()).toEqual([null, null])
    await hospital.done('payment', 'pay', payment, { paid_on: day(-3) })
    expect(await said()).toEqual([day(-3), day(-3)])
  })

  step('标记记账 records what was booked from an application, and says when there is nothing to record', async () => {
    const { hospital } = scene
    const sn = await asked([line(await owedInvoice('10'))])
    const state = async () => (await hospital.list('paymentApplication', { sn }))[0].booked_state
    const record = () => hospital.do('paymentApplication', 'record', sn, { voucher_no: '记-12' })
    expectMessage(await record(), `付款申请单${sn}没有未记账的付款`)
    const [first] = [await paid(sn, '450'), await paid(sn, '300')]
    await hospital.done('payment', 'record', first, { voucher_no: '记-7' })
    expect(await state()).toBe('2')
    expect(await record()).toMatchObject({ code: 0 })
    expect(await state()).toBe('3')
    expect((await hospital.list('paymentApplication', { sn, booked_state: '3' })).length).toBe(1)
    const { list } = await hospital.client.get('/v1/business/payment/list', { source_sn: sn })
    const vouchers = list.map((row: { voucher_no: string; record_state: string }) => [row.voucher_no, row.record_state])
    expect(vouchers.toSorted()).toEqual([
      ['记-12', '2'],
      ['记-7', '2'],
    ])
    expectMessage(await record(), `付款申请单${sn}没有未记账的付款`)
  })

  step('a dealer withholds a part for a reason; the payment of the rest settles the whole debt', async () => {
    const { dealer, dealer2, v } = scene
    const lines = [{ taxed_amount: '1000', invoice_no: 'KK1', opened_on: day(-40), due_date: day(-1) }]
    const owed = { counterparty_sn: v, opening_month: day().slice(0, 7), lines }
    const opening = await dealer.add('openingPayable', owed)
    await dealer.pass('openingPayable', opening)
    const part = { source_sn: opening, source_line_no: 1, taxed_amount: '1000' }
    const body = (more: object) => ({
      counterparty_sn: v,
      payment_method: 'cash',
      source_type: 141,
      lines: [part],
      ...more,
    })
    const apply = (more: object) => attempt(dealer, 'paymentApplication', body(more))
    expectMessage(await apply({ withheld_amount: '80' }), '请填写扣款原因')
    expectMessage(await apply({ withheld_amount: '1000', withheld_reason: '质量' }), '本次申请付款必须大于0')
    const sn = await dealer.add('paymentApplication', body({ withheld_amount: '80', withheld_reason: '到货破损' }))
    expect(await dealer.info('paymentApplication', sn)).toMatchObject({ pay_amount: '920.00' })
    await dealer.pass('paymentApplication', sn)
    const part1 = { source_type: 115, source_sn: sn, lines: [{ source_line_no: 1, taxed_amount: '200' }] }
    const first = await dealer.add('payment', part1)
    expect(await dealer.info('payment', first)).toMatchObject({ taxed_amount: '200.00', allowance_amount: '0.00' })
    await dealer.done('payment', 'submit', first)
    await dealer2.done('payment', 'review', first)
    const rest = await dealer.add('payment', { source_type: 115, source_sn: sn })
    expect(await dealer.info('payment', rest)).toMatchObject({ taxed_amount: '720.00', allowance_amount: '80.00' })
    await dealer.done('payment', 'submit', rest)
    await dealer2.done('payment', 'review', rest)
    expect(await dealer.info('paymentApplication', sn)).toMatchObject({ state: 'completed' })
    expect(await dealer.info('openingPayable', opening)).toMatchObject({ pay_state: '3' })
  })

  step('stopped, the unpaid part can be requested again', async () => {
    const { hospital } = scene
    const invoice = await owedInvoice('10')
    const sn = await asked([line(invoice)])
    await paid(sn, '1000')
    const open = await hospital.add('payment', { source_type: 115, source_sn: sn })
    expectMessage(
      await hospital.do('paymentApplication', 'stop', sn, { reason: '余款下月' }),
      `请先处理未完成的后续单据（${open}），再终止`,
    )
    await hospital.done('payment', 'cancel', open, { reason: '余款下月' })
    await hospital.done('paymentApplication', 'stop', sn, { reason: '余款下月' })
    expect([await applied(invoice), await payState(invoice)]).toEqual(['1000.000', '2'])
    const rest = await asked([line(invoice)])
    expect((await hospital.info('paymentApplication', rest)).taxed_amount).toBe('450.00')
    await paid(rest)
    expect(await payState(invoice)).toBe('3')
  })

  step('a payment undone after its application was stopped frees the invoice for a full new request', async () => {
    const { hospital } = scene
    const invoice = await owedInvoice('10')
    const sn = await asked([line(invoice)])
    const [first, second] = [await paid(sn, '600'), await paid(sn, '300')]
    await hospital.done('paymentApplication', 'stop', sn, { reason: '改付别家' })
    expect(await applied(invoice)).toBe('900.000')
    await hospital.done('payment', 'unreview', first)
    expect([await applied(invoice), await payState(invoice)]).toEqual(['300.000', '2'])
    expectMessage(await scene.finance.do('payment', 'review', first), /当前状态不能引用|已终止/)
    await hospital.done('payment', 'redReverse', second, { reason: '银行退回' })
    expect([await applied(invoice), await payState(invoice)]).toEqual(['0.000', '1'])
    const again = await asked([line(invoice)])
    expect((await hospital.info('paymentApplication', again)).taxed_amount).toBe('1450.00')
  })

  step('a partly requested invoice stays among those to request, with the amount left', async () => {
    const { hospital } = scene
    const invoice = await owedInvoice('10')
    const sn = await asked([line(invoice, '1000')])
    await paid(sn, '400')
    const due = async () =>
      (
        await hospital.list('inboundInvoice', {
          begin_unapplied_amount: '0.01',
          sn: invoice,
          sort: '-unapplied_amount',
        })
      )[0]
    expect(await due()).toMatchObject({
      pay_state: '2',
      applied_amount: '1000.00',
      unapplied_amount: '450.00',
      paid_amount: '400.00',
      unpaid_amount: '1050.00',
    })
    const [row] = await hospital.list('paymentApplication', { sn })
    expect(row).toMatchObject({ paid_amount: '400.00', unpaid_amount: '600.00' })
    await asked([line(invoice)])
    expect(await due()).toBeUndefined()
  })

  step('passes the levels its amount requires, each with an opinion; returned, it frees the invoices', async () => {
    const { hospital, finance } = scene
    const set = async (kind: string, body: object) => {
      const reply = await hospital.client.post(`/v1/business/${kind}/add`, body as Record<string, unknown>)
      expect(reply).toMatchObject({ code: 0 })
      return reply.info.sn
    }
    const idOf = async (login: string) => (await hospital.list('user', { login }))[0].user_inner_sn
    const setting = await set('auditSetting', { document_kind: 'paymentApplication', allow_self: true })
    const level = async (level_no: number, from_amount: string, login: string) =>
      set('auditLevel', { audit_setting_sn: setting, level_no, from_amount, users: [await idOf(login)] })
    await level(1, '0', 'hospital')
    await level(2, '1000', 'finance')
    const [small, invoice] = [await owedInvoice('1'), await owedInvoice('10')]
    const cheap = await asked([line(small)])
    expect((await hospital.info('paymentApplication', cheap)).state).toBe('reviewed')
    const sn = await hospital.add('paymentApplication', ask([line(invoice)]))
    await hospital.done('paymentApplication', 'submit', sn)
    await hospital.done('paymentApplication', 'review', sn, { reason: '票货相符' })
    expect(await hospital.info('paymentApplication', sn)).toMatchObject({ state: 'submitted', state_name: '待二审' })
    expectMessage(
      await hospital.client.post('/v1/business/payment/add', { source_type: 115, source_sn: sn }),
      `来源单${sn}当前状态不能引用，请确认已审核且未终止`,
    )
    await finance.done('paymentApplication', 'reject', sn, { reason: '资金安排到下月' })
    expect(await payState(invoice)).toBe('1')
    await hospital.done('paymentApplication', 'submit', sn)
    await hospital.done('paymentApplication', 'review', sn)
    await finance.done('paymentApplication', 'review', sn, { reason: '同意' })
    const { state, history } = await hospital.info('paymentApplication', sn)
    expect(state).toBe('reviewed')
    expect(history.map((row: { reason: string | null }) => row.reason).filter(Boolean)).toEqual([
      '票货相符',
      '资金安排到下月',
      '同意',
    ])
  })
})
