import { subtract, sum } from '#kernel/values/decimal.ts'
import { afterAll, beforeAll, expect } from 'vitest'
import { attempt, expectMessage, openScene, owed, type Scene } from '#tests/support/fixture.ts'
import { expectMoneyAgrees } from '#tests/support/money.ts'
import { story } from '#tests/support/steps.ts'
import { day, type Person } from '#tests/support/story.ts'

type Figures = Readonly<
  Record<
    | 'opening_amount'
    | 'booked_amount'
    | 'reversed_amount'
    | 'paid_amount'
    | 'offset_amount'
    | 'closing_amount'
    | 'open_amount'
    | 'not_due_amount'
    | 'overdue_30'
    | 'overdue_90'
    | 'overdue_180'
    | 'overdue_more',
    string
  >
>

/** 期初应收, 期初应付: debts from before the program came into use, and how they are settled. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene({ figures: true })
})
afterAll(async () => {
  await expectMoneyAgrees(scene.hospital, scene, scene.h, 'H')
  await expectMoneyAgrees(scene.dealer, scene, scene.d, 'D')
  await scene.close()
})

const month = day().slice(0, 7)
const line = (taxed_amount: string, more: object = {}) => ({ opened_on: '2025-11-20', taxed_amount, ...more })
const opening = (counterparty_sn: string, lines: object[]) => ({ counterparty_sn, opening_month: month, lines })

story('receivables from before', step => {
  let sn = ''
  step('a line has an amount, a day before the first month, and an invoice once', async () => {
    const { dealer, h } = scene
    const tried = (lines: object[]) => attempt(dealer, 'openingReceivable', opening(h, lines))
    expectMessage(await tried([line('0')]), '第1行：期初金额不能为0')
    expectMessage(await tried([line('100', { opened_on: `${month}-01` })]), '第1行：业务日期须早于启用期间')
    expectMessage(await tried([line('100', { due_date: '2025-11-19' })]), '第1行：到期日不能早于业务日期')
    expectMessage(
      await tried([line('1', { invoice_no: '1' }), line('2', { invoice_no: '1' })]),
      '第2行：发票1已录入期初',
    )
    expectMessage(
      await dealer.client.post('/v1/business/openingReceivable/add', {
        ...opening(h, [line('1')]),
        opening_month: '2025-13',
      }),
      '启用期间格式为 2026-01',
    )
  })

  step('reviewed it is owed, line by line, each due after the days of credit; an invoice is entered once', async () => {
    const { dealer, h } = scene
    const before = await owed(dealer, h)
    sn = await dealer.add(
      'openingReceivable',
      opening(h, [line('300', { invoice_no: 'QC1' }), line('200', { invoice_no: 'QC2' }), line('-50')]),
    )
    await dealer.pass('openingReceivable', sn)
    const after = await owed(dealer, h)
    expect(subtract(after.receivable, before.receivable, 2)).toBe('450.00')
    expect(subtract(after.receivable_invoiced, before.receivable_invoiced, 2)).toBe('450.00')
    const { lines, pay_state } = await dealer.info('openingReceivable', sn)
    expect(pay_state).toBe('1')
    expect(lines[0].due_date > '2025-11-20').toBe(true)
    expectMessage(
      await attempt(dealer, 'openingReceivable', opening(h, [line('1', { invoice_no: 'QC2' })])),
      '发票QC2已录入期初',
    )
  })

  step('receipts match it by line, never beyond it; automatic matching takes it first', async () => {
    const { dealer, h } = scene
    const on = (source_line_no: number, taxed_amount: string) => ({ source_sn: sn, source_line_no, taxed_amount })
    const body = (lines: object[]) => ({ counterparty_sn: h, lines })
    expectMessage(await attempt(dealer, 'receipt', body([on(1, '300.01')]), 'review'), '核销金额超过未收金额300.00')
    const receipt = await dealer.add('receipt', body([on(1, '300'), on(2, '80')]))
    await dealer.pass('receipt', receipt)
    expect(await dealer.info('openingReceivable', sn)).toMatchObject({ state: 'partial', pay_state: '2' })
    expectMessage(await dealer.do('openingReceivable', 'unreview', sn), /^期初已被核销，不能反审核/)
    const { info } = await dealer.client.post('/v1/business/receipt/autoMatch', {
      counterparty_sn: h,
      received_amount: '120',
    })
    const auto = await dealer.info('receipt', (info as { sn: string }).sn)
    expect(auto.lines).toMatchObject([{ source_sn: sn, source_line_no: 2, taxed_amount: '120.00', invoice_no: 'QC2' }])
    await dealer.pass('receipt', auto.sn)
  })

  step('lists its open items with due date and age', async () => {
    const items = await scene.dealer.list('openItem', { document_no: sn })
    expect(
      items.map(({ invoice_no, amount, settled_amount, open_amount }) => [
        invoice_no,
        amount,
        settled_amount,
        open_amount,
      ]),
    ).toEqual([
      ['QC1', '300.00', '300.00', '0.00'],
      ['QC2', '200.00', '200.00', '0.00'],
      [null, '-50.00', '0.00', '-50.00'],
    ])
    const open = await scene.dealer.list('openItem', { document_no: sn, settle_state: 'open' })
    expect(open).toMatchObject([{ open_amount: '-50.00', direction: 'receivable', overdue_days: expect.any(Number) }])
  })

  step('is taken back when the receipt that settled it was wholly reversed', async () => {
    const { dealer, h } = scene
    const again = await dealer.add('openingReceivable', opening(h, [line('70', { invoice_no: 'QC3' })]))
    await dealer.pass('openingReceivable', again)
    const receipt = await dealer.add('receipt', {
      counterparty_sn: h,
      lines: [{ source_sn: again, source_line_no: 1, taxed_amount: '70' }],
    })
    await dealer.pass('receipt', receipt)
    expectMessage(await dealer.do('openingReceivable', 'unreview', again), new RegExp(`（${receipt}）$`))
    await dealer.done('receipt', 'redReverse', receipt, { reason: '收错' })
    await dealer.done('openingReceivable', 'unreview', again)
    expect((await dealer.info('openingReceivable', again)).state).toBe('submitted')
    await dealer.done('openingReceivable', 'unsubmit', again)
    await dealer.done('openingReceivable', 'del', again)
  })

  step('closing ends adding and changing; it waits for what is not reviewed', async () => {
    const { dealer, h } = scene
    const close = () => dealer.client.post('/v1/business/openingReceivable/close', {})
    expectMessage(await close(), /^还有\d+张期初应收未审核（QCYS/)
    for (const draft of await dealer.list('openingReceivable', { state: 'draft' }))
      await dealer.client.post('/v1/business/openingReceivable/del', { sn: draft.sn, version: draft.version })
    expect((await close()).msg).toBe('')
    expectMessage(await close(), '期初应收已关账')
    expectMessage(
      await dealer.client.post('/v1/business/openingReceivable/add', opening(h, [line('5')])),
      '期初已关账，不能新增或修改',
    )
  })
})

story('payables from before', step => {
  step('are applied for and paid like invoices, and early payment is asked', async () => {
    const { hospital, finance, d } = scene
    const sn = await hospital.add(
      'openingPayable',
      opening(d, [line('1000', { invoice_no: 'QF1', due_date: day(20) }), line('500', { due_date: day(-1) })]),
    )
    const before = await owed(hospital, d)
    await hospital.pass('openingPayable', sn)
    expect(subtract((await owed(hospital, d)).payable_invoiced, before.payable_invoiced, 2)).toBe('1500.00')
    const on = (source_line_no: number, taxed_amount: string) => ({ source_sn: sn, source_line_no, taxed_amount })
    const application = (lines: object[]) => ({
      counterparty_sn: d,
      payment_method: 'cash',
      source_type: 141,
      lines,
    })
    expectMessage(
      await attempt(hospital, 'paymentApplication', application([on(2, '500.01')])),
      '申请金额超过未付余额500.00',
    )
    const early = await hospital.add('paymentApplication', application([on(1, '400')]))
    const { version } = await hospital.info('paymentApplication', early)
    const asked = await hospital.client.post('/v1/business/paymentApplication/submit', { sn: early, version })
    expect(asked.code).toBe(2200)
    expect(asked.msg).toContain('发票QF1未到付款期')
    await hospital.pass('paymentApplication', early)
    expectMessage(await hospital.do('openingPayable', 'unreview', sn), /^期初已被核销，不能反审核/)
    const paid = await hospital.add('payment', { source_type: 115, source_sn: early, counterparty_sn: d })
    await hospital.done('payment', 'submit', paid)
    await finance.done('payment', 'review', paid)
    expect(await hospital.info('openingPayable', sn)).toMatchObject({ state: 'partial', pay_state: '2' })
    const items = await hospital.list('openItem', { document_no: sn })
    expect(items).toMatchObject([
      { invoice_no: 'QF1', open_amount: '600.00', direction: 'payable' },
      { open_amount: '500.00' },
    ])
  })
})

story('statements of accounts', step => {
  const period = { begin_date: `${month}-01`, end_date: day() }
  const ask = async (who: Person, kind: string, query: object) => {
    const reply = await who.client.get(`/v1/report/${kind}`, { ...query } as Record<string, string>)
    expect(reply.code, reply.msg).toBe(0)
    return reply.list
  }
  step('closing = opening + raised - returned - settled - offset + rounding, and equals the ledger', async () => {
    for (const [who, partner, direction] of [
      [scene.dealer, scene.h, 'receivable'],
      [scene.hospital, scene.d, 'payable'],
    ] as const) {
      const rows = await ask(who, 'receivablePayableSummary', { ...period, direction })
      const row = rows.find((each: { counterparty_sn: string }) => each.counterparty_sn === partner)
      const opened = sum([row.opening_amount, row.raised_amount, row.rounding_amount], 2)
      const taken = sum([row.returned_amount, row.settled_amount, row.offset_amount], 2)
      expect(row.closing_amount).toBe(subtract(opened, taken, 2))
      expect(row.closing_amount).toBe((await owed(who, partner))[direction])
      expect(row.closing_amount).toBe(sum([row.unbilled_amount, row.billed_amount], 2))
      const ages = [row.not_due_amount, row.overdue_30, row.overdue_90, row.overdue_more]
      expect(row.closing_amount).toBe(sum(ages, 2))
      const lines = await ask(who, 'receivablePayableDetail', { ...period, direction, counterparty_sn: partner })
      expect(lines[0]).toMatchObject({ paper_name: '期初余额', balance_amount: row.opening_amount })
      expect(lines.at(-1).balance_amount).toBe(row.closing_amount)
    }
  })

  step('the month of credit invoices closes with what the list of unpaid ones says on its day', async () => {
    const { hospital, d } = scene
    const of = async (report: string, asked: object) =>
      (await ask(hospital, report, { ...asked, counterparty_sn: d }))[0] as never as Figures
    const month_row = await of('creditInvoiceMonth', { period: month })
    const list = await of('creditInvoiceSummary', { end_date: day() })
    const { opening_amount, booked_amount, reversed_amount, paid_amount, offset_amount } = month_row
    const taken = sum([reversed_amount, paid_amount, offset_amount], 2)
    expect(month_row.closing_amount).toBe(subtract(sum([opening_amount, booked_amount], 2), taken, 2))
    expect(month_row).toMatchObject({ opening_amount: '1500.00', paid_amount: '400.00', closing_count: 2 })
    expect(list.open_amount).toBe(month_row.closing_amount)
    const bands = [list.not_due_amount, list.overdue_30, list.overdue_90, list.overdue_180, list.overdue_more]
    expect(list.open_amount).toBe(sum(bands, 2))
    expect(list).toMatchObject({ invoice_count: 2, overdue_30: '500.00' })
  })

  step('what is overdue has its age; the account of nobody in particular is refused', async () => {
    const rows = await ask(scene.hospital, 'receivablePayableSummary', {
      ...period,
      direction: 'payable',
      balance: 'overdue',
    })
    const row = rows.find((each: { counterparty_sn: string }) => each.counterparty_sn === scene.d)
    expect(row.overdue_30).toBe('500.00')
    const refused = await scene.hospital.client.get('/v1/report/receivablePayableDetail', {
      ...period,
      direction: 'payable',
    })
    expectMessage(refused, '请选择往来单位')
  })
})
