import { afterAll, beforeAll, expect } from 'vitest'
import { subtract, sum } from '#kernel/values/decimal.ts'
import { gatherCharges } from '#modules/platform/prints/sheets/charge-summary.ts'
import { confirmChargesByTime } from '#modules/finance/service-charges/service-charge.server.ts'
import { expectMessage, lotOf, openScene, owed, type Scene } from '#tests/support/fixture.ts'
import { expectMoneyAgrees } from '#tests/support/money.ts'
import { openedBy, uploadPicture } from '#tests/support/picture.ts'
import { story } from '#tests/support/steps.ts'
import { day, type Person } from '#tests/support/story.ts'

/** 服务费: from settlements and rates to the supplier's answer, and how the money comes. */
let scene: Scene
let nth = 0
const code = () => `FW-${++nth}`
beforeAll(async () => {
  scene = await openScene({ figures: true })
  const unit_codes = Array.from({ length: 40 }, (_, at) => `FW-${at + 1}`)
  await scene.shelve(scene.hospital, scene.ward, [lotOf(scene.balloon, 'FW1', { unit_codes, owner_org_sn: scene.d })])
})
afterAll(() => scene?.close())

async function used(count: number): Promise<string> {
  const { hospital, ward, department } = scene
  const sn = await hospital.add('departmentUse', {
    warehouse_model_inner_sn: ward,
    department_inner_sn: department,
    patient_name: '苏听松',
    admission_no: 'ZY02',
    lines: [{ unit_codes: Array.from({ length: count }, code) }],
  })
  await hospital.pass('departmentUse', sn)
  return sn
}

/**
 * Generates a settlement of the uses: the supplier confirms it, the hospital reviews it and, if asked to, receives it.
 */
async function settled(received = false): Promise<string> {
  const { hospital, dealer, d } = scene
  const { info } = await hospital.client.post('/v1/business/settlement/generate', {
    counterparty_sn: d,
    begin_date: day(-30),
    end_date: day(),
  })
  await hospital.done('settlement', 'submit', info.sn)
  await dealer.done('settlement', 'confirm', info.sn)
  await hospital.done('settlement', 'review', info.sn)
  if (received)
    await hospital.pass('settlementGrn', await hospital.add('settlementGrn', { source_type: 101, source_sn: info.sn }))
  return info.sn
}

async function rate(fee_class: string, more: object): Promise<string> {
  const body = { supplier_sn: scene.d, fee_class, fee_base: 'settled', valid_from: day(-60), ...more }
  const { info } = await scene.hospital.client.post('/v1/business/supplierRate/add', body)
  await judge('review', info.sn)
  return info.sn
}
const judge = async (action: string, sn: string) =>
  scene.hospital.client.post(`/v1/business/supplierRate/${action}`, {
    sn,
    version: (await scene.hospital.list('supplierRate', {})).find(row => row.supplier_rate_sn === sn).version,
  })

const generate = (body: object = {}) =>
  scene.hospital.client.post('/v1/business/serviceCharge/generate', {
    begin_date: day(-30),
    end_date: day(),
    counterparty_sn: scene.d,
    ...body,
  })
/** A bill as far as the supplier has it. */
async function sent(body: object = {}): Promise<string> {
  const { info } = await generate(body)
  await scene.hospital.pass('serviceCharge', info.sn)
  return info.sn
}
const edit = async (sn: string, values: object) => {
  const { version } = await scene.hospital.info('serviceCharge', sn)
  return scene.hospital.client.post('/v1/business/serviceCharge/edit', { sn, version, ...values })
}
const receivable = async () => (await owed(scene.hospital, scene.d)).receivable
const debt = async () => (await owed(scene.dealer, scene.h)).payable

let [bill, step1] = ['', '']
story('a service fee, from the rate to the money', step => {
  step('without a rate there is no bill, and the answer names the supplier', async () => {
    expectMessage(await generate(), '本期间没有可生成服务费的结算单')
    await used(10)
    await settled()
    expectMessage(await generate(), /^本期间没有可生成服务费的结算单；未设置费率：/)
    expectMessage(await generate({ end_date: null }), /请填写结算期间/)
  })

  step('1,680.00 at 2%, and 1% above 1,000.00: a line for each step; run twice it makes nothing new', async () => {
    step1 = await rate('dear', { rate: '0.02' })
    await rate('dear', { rate: '0.01', base_from: '1000' })
    const { info } = await generate()
    bill = info.sn
    expect(info.result).toBe('已生成1张服务费单')
    const doc = await scene.hospital.info('serviceCharge', bill)
    expect(doc).toMatchObject({ state: 'draft', fee_amount: '26.80', taxed_amount: '26.80', base_amount: '1680.00' })
    expect(
      doc.lines.map((line: Record<string, string>) => [line.base_amount, line.fee_rate, line.taxed_amount]),
    ).toEqual([
      ['1000.00', '0.020000', '20.00'],
      ['680.00', '0.010000', '6.80'],
    ])
    expectMessage(await generate(), '本期间没有可生成服务费的结算单')
  })

  step('an adjustment needs its reason, and the fee does not become negative', async () => {
    const { hospital } = scene
    expect(await edit(bill, { adjust_amount: '-30' })).toMatchObject({ code: 0 })
    expectMessage(await hospital.do('serviceCharge', 'submit', bill), '请填写调整原因')
    await edit(bill, { adjust_reason: '合同优惠' })
    expectMessage(await hospital.do('serviceCharge', 'submit', bill), '实收服务费不能小于0')
    await edit(bill, { adjust_amount: '-1.80' })
    expect(await hospital.info('serviceCharge', bill)).toMatchObject({ fee_amount: '26.80', taxed_amount: '25.00' })
    // Nobody writes the lines: whatever is sent, they are what the rates make of the settlements.
    await edit(bill, { lines: [] })
    expect(await hospital.info('serviceCharge', bill)).toMatchObject({ line_count: 3, taxed_amount: '25.00' })
  })

  step(
    'reviewed, the supplier has it without being in debt; disputed, nobody owes and it can be corrected',
    async () => {
      const { hospital, dealer } = scene
      await hospital.pass('serviceCharge', bill)
      expect([await receivable(), await debt()]).toEqual(['25.00', '0.00'])
      const copy = await dealer.info('serviceCharge', bill)
      expect(copy).toMatchObject({ confirm_state: '1', taxed_amount: '25.00', adjust_reason: '合同优惠' })
      expect(copy.lines[0]).toMatchObject({ fee_rate: '0.020000', base_amount: '1000.00' })
      expectMessage(await dealer.do('serviceCharge', 'pay', bill), '服务费单尚未经供应商确认')
      expectMessage(await dealer.do('serviceCharge', 'dispute', bill), '请填写异议原因')
      await dealer.done('serviceCharge', 'dispute', bill, { reason: '费率应为1%' })
      expect(await hospital.info('serviceCharge', bill)).toMatchObject({
        state: 'submitted',
        confirm_state: '3',
        answer_reason: '费率应为1%',
      })
      expect([await receivable(), await debt()]).toEqual(['0.00', '0.00'])
      // 维持: the same bill once more.
      await hospital.done('serviceCharge', 'review', bill)
      expect(await dealer.info('serviceCharge', bill)).toMatchObject({ state: 'reviewed', confirm_state: '1' })
      await dealer.done('serviceCharge', 'confirm', bill)
      expect([await receivable(), await debt()]).toEqual(['25.00', '25.00'])
      expectMessage(
        await dealer.do('serviceCharge', 'dispute', bill, { reason: '再议' }),
        '服务费单已确认，不能提出异议',
      )
      expectMessage(await hospital.do('serviceCharge', 'unreview', bill), '服务费单已确认，不能反审核')
    },
  )

  step('a rate that a bill used stays as it is', async () => {
    expectMessage(await judge('unreview', step1), '费率已被服务费单引用，不能修改')
  })

  step('paid in two parts: the hospital checks each receipt, and the bill is done on both sides', async () => {
    const { hospital, dealer } = scene
    await dealer.done('serviceCharge', 'pay', bill)
    const slip = await uploadPicture(dealer)
    const [draft] = await dealer.list('chargePayment', { source_sn: bill })
    const { version, lines } = await dealer.info('chargePayment', draft.sn)
    await dealer.client.post('/v1/business/chargePayment/edit', {
      sn: draft.sn,
      version,
      bank_serial_no: 'FW-YH-1',
      attachments: [slip],
      lines: lines.map((line: { line_no: number; taxed_amount: string }) => ({
        line_no: line.line_no,
        taxed_amount: line.taxed_amount === '20.00' ? '10.00' : line.taxed_amount,
      })),
    })
    await dealer.pass('chargePayment', draft.sn)
    expect(await debt()).toBe('10.00')
    const [receipt] = await hospital.list('chargeReceipt', { source_sn: bill })
    expect(await hospital.info('chargeReceipt', receipt.sn)).toMatchObject({
      taxed_amount: '15.00',
      bank_serial_no: 'FW-YH-1',
      counter_payment_sn: draft.sn,
    })
    await hospital.pass('chargeReceipt', receipt.sn)
    for (const who of [hospital, dealer]) expect((await who.info('serviceCharge', bill)).payment_slips).toEqual([slip])
    expect(await openedBy(slip, hospital, dealer)).toEqual([200, 200])
    expect((await hospital.list('serviceCharge', { sn: bill }))[0]).toMatchObject({
      state: 'partial',
      unpaid_amount: '10.00',
    })
    await dealer.done('serviceCharge', 'pay', bill)
    const rest = (await dealer.list('chargePayment', { source_sn: bill })).find(row => row.state === 'draft')
    await dealer.pass('chargePayment', rest.sn)
    const second = (await hospital.list('chargeReceipt', { source_sn: bill })).find(row => row.state === 'draft')
    await hospital.pass('chargeReceipt', second.sn)
    expect([await receivable(), await debt()]).toEqual(['0.00', '0.00'])
    for (const who of [hospital, dealer]) expect((await who.info('serviceCharge', bill)).state).toBe('completed')
    expectMessage(
      await hospital.do('serviceCharge', 'redReverse', bill, { reason: '错' }),
      /服务费已收取或抵扣，不能红冲/,
    )
  })

  step('the supplier asks for an invoice and reads its number', async () => {
    const { hospital, dealer } = scene
    await dealer.done('serviceCharge', 'applyInvoice', bill)
    expect((await hospital.info('serviceCharge', bill)).invoice_request).toBe('asked')
    expectMessage(await dealer.do('serviceCharge', 'applyInvoice', bill), '已申请开票，无需重复申请')
    await hospital.done('serviceCharge', 'issueInvoice', bill, { invoice_no: '26110000000000000009' })
    expect(await dealer.info('serviceCharge', bill)).toMatchObject({
      invoice_request: 'issued',
      invoice_no: '26110000000000000009',
    })
  })

  step('no answer within the days of the rule counts as agreement, and books the debt', async () => {
    const { hospital, dealer } = scene
    await used(2)
    await settled()
    const sn = await sent({ collect_method: 'deduct' })
    await confirmChargesByTime(scene.server.database.owner)
    expect((await hospital.info('serviceCharge', sn)).confirm_state).toBe('1')
    await scene.one(
      "update document set reviewed_at = reviewed_at - interval '5 days' where sn = $1 and role = 'own' returning 1",
      sn,
    )
    await confirmChargesByTime(scene.server.database.owner)
    for (const who of [hospital, dealer]) expect((await who.info('serviceCharge', sn)).confirm_state).toBe('4')
    // 1,680.00 were charged before in this period: 336.00 more at the second step.
    expect(await debt()).toBe('3.36')
    bill = sn
  })

  step('deducted from the payment: fee and debt fall together at both, and the invoice asks for less', async () => {
    const { hospital, dealer, d, h } = scene
    expectMessage(await dealer.do('serviceCharge', 'pay', bill), '该服务费从货款中抵扣，无需付款')
    expectMessage(await hospital.do('serviceCharge', 'deduct', bill), '没有可抵扣的未结发票')
    await used(3)
    const settlement = await settled(true)
    const [grn] = await hospital.list('settlementGrn', { source_sn: settlement })
    const invoice = await dealer.add('outboundInvoice', {
      source_type: 118,
      source_sn: grn.sn,
      source_org_sn: h,
      invoice_no: '26110000000000000010',
      invoice_date: day(),
    })
    await dealer.pass('outboundInvoice', invoice)
    const [ours] = await hospital.list('inboundInvoice', { invoice_no: '26110000000000000010' })
    await hospital.done('inboundInvoice', 'review', ours.sn)
    const before = [(await owed(hospital, d)).payable_invoiced, (await owed(dealer, h)).receivable_invoiced]
    await hospital.done('serviceCharge', 'deduct', bill)
    const [deduction] = await hospital.list('chargeDeduction', { state: 'draft' })
    await hospital.pass('chargeDeduction', deduction.sn)
    await dealer.done('serviceCharge', 'setOff', bill)
    const [setOff] = await dealer.list('chargeSetOff', { state: 'draft' })
    await dealer.pass('chargeSetOff', setOff.sn)
    const after = [(await owed(hospital, d)).payable_invoiced, (await owed(dealer, h)).receivable_invoiced]
    expect(after).toEqual(before.map(amount => subtract(amount, '3.36', 2)))
    expect([await receivable(), await debt()]).toEqual(['0.00', '0.00'])
    for (const who of [hospital, dealer]) expect((await who.info('serviceCharge', bill)).state).toBe('completed')
    const lines = [{ source_sn: ours.sn, source_line_no: 1 }]
    const application = await hospital.add('paymentApplication', { counterparty_sn: d, lines })
    expect((await hospital.info('paymentApplication', application)).taxed_amount).toBe('500.64')
    await hospital.done('paymentApplication', 'cancel', application, { reason: '下月再付' })
    // Taken back, everything is as before.
    await hospital.done('chargeDeduction', 'redReverse', deduction.sn, { reason: '改为单独付款' })
    expect((await owed(hospital, d)).payable_invoiced).toBe(before[0])
    expect((await hospital.list('serviceCharge', { sn: bill }))[0]).toMatchObject({
      state: 'reviewed',
      unpaid_amount: '3.36',
    })
  })

  step('an application for payment offers the fee to be kept back, and its review keeps it', async () => {
    const { hospital, d } = scene
    const [ours] = await hospital.list('inboundInvoice', { invoice_no: '26110000000000000010' })
    const before = (await owed(hospital, d)).payable_invoiced
    const application = await hospital.add('paymentApplication', {
      counterparty_sn: d,
      payee_name: '收款单位',
      payee_bank: '工商银行',
      payee_account: '6222',
      lines: [{ source_sn: ours.sn, source_line_no: 1 }],
    })
    expect(await hospital.info('paymentApplication', application)).toMatchObject({
      taxed_amount: '504.00',
      deduction_amount: '3.36',
      pay_amount: '500.64',
    })
    await hospital.done('paymentApplication', 'edit', application, { deduction_amount: '3.37' })
    expectMessage(
      await hospital.do('paymentApplication', 'submit', application),
      '服务费扣款超过该供应商未结的服务费3.36',
    )
    await hospital.done('paymentApplication', 'edit', application, { deduction_amount: '3.36' })
    await hospital.pass('paymentApplication', application)
    expect((await owed(hospital, d)).payable_invoiced).toBe(subtract(before!, '3.36', 2))
    expect((await hospital.list('serviceCharge', { sn: bill }))[0]).toMatchObject({ unpaid_amount: '0.00' })
    expect((await hospital.list('paymentApplication', { sn: application }))[0]).toMatchObject({
      paid_amount: '3.36',
      unpaid_amount: '500.64',
    })
  })

  step('what came back is carried: no bill below 0, and the next one is less', async () => {
    const { hospital, dealer } = scene
    await generate()
    const last = (await hospital.list('serviceCharge', { state: 'draft' }))[0].sn
    await hospital.pass('serviceCharge', last)
    await dealer.done('serviceCharge', 'confirm', last)
    const sn = await used(2)
    await settled()
    await hospital.pass('serviceCharge', (await generate()).info.sn)
    await hospital.done('departmentUse', 'redReverse', sn, { reason: '未拆封' })
    await settled()
    expectMessage(await generate(), /^本期间没有可生成服务费的结算单；退回大于本期，结转下期：/)
    await used(3)
    await settled()
    // 504.00 − 336.00, at the second step.
    const { info } = await generate()
    expect(await hospital.info('serviceCharge', info.sn)).toMatchObject({ base_amount: '168.00', taxed_amount: '1.68' })
  })

  step('the summary by supplier says how far settlements are, with their fee; the shares add up', async () => {
    const { hospital, dealer, d, h } = scene
    const asked = { begin_date: day(-30), end_date: day() }
    const of = async (who: Person, counterparty_sn: string) =>
      (await who.client.get('/v1/report/supplierSettlementSummary', { ...asked, counterparty_sn })).list
    const [row] = await of(hospital, d)
    const settlements = (await hospital.list('settlement', { counterparty_sn: d })).filter(({ state }) =>
      ['reviewed', 'partial', 'completed'].includes(state),
    )
    expect(row).toMatchObject({
      settlement_count: settlements.length,
      settlement_type: 'high_value',
      settled_share: '1',
    })
    const [theirs] = await of(dealer, h)
    const both = ['settled_amount', 'returned_amount', 'received_amount', 'invoiced_amount'] as const
    for (const name of both) expect([name, theirs[name]]).toEqual([name, row[name]])
    expect(row.uninvoiced_amount).toBe(subtract(row.settled_amount, row.invoiced_amount, 2))
    const fees = settlements.map(settlement => settlement.service_fee ?? '0')
    expect(row.service_fee).toBe(sum(fees, 2))
  })

  step('the sheet of a bill has a line for each step, with the rate as a percentage', async () => {
    const { sn } = (await scene.hospital.list('serviceCharge', { state: 'completed' })).at(-1)!
    const { info } = await scene.hospital.client.get('/v1/business/serviceCharge/print', { sn })
    expect(info).toMatchObject({ title: '服务费单', lines: [{ rate_percent: '2', fee_class_name: '高值' }, {}, {}] })
    expect(info.charging_party).toBeTruthy()
    // The amount that was paid, for the summary over several bills.
    expect([info.paid_amount, info.unpaid_amount]).toEqual([info.taxed_amount, '0.00'])
    const sheet = gatherCharges([info]) as Record<string, unknown>
    expect(sheet).toMatchObject({ fee_amount: info.fee_amount, unpaid_amount: '0.00', bill_count: '1' })
  })

  step('what is kept back of invoices stands as set off, and none of it as booked', async () => {
    const { hospital, h } = scene
    const { kept, booked } = await scene.one(
      `select sum(-e.amount) filter (where d.kind = 'chargeDeduction')::text as kept,
              sum(e.amount) filter (where d.kind = 'inboundInvoice')::text as booked
         from account_entry e join document d on d.org_id = e.org_id and d.id = e.document_id
        where e.org_id = $1 and e.account = 'payable_invoiced'`,
      h,
    )
    const { summary } = await hospital.client.get('/v1/report/creditInvoiceMonth', { period: day().slice(0, 7) })
    expect(kept).not.toBe('0.00')
    expect(summary).toMatchObject({ offset_amount: kept, booked_amount: booked })
  })

  step('every page of money says what the ledger says, with service fees on both sides', async () => {
    await expectMoneyAgrees(scene.hospital, scene, scene.h, 'H')
    await expectMoneyAgrees(scene.dealer, scene, scene.d, 'D')
  })
})
