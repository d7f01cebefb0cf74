import { afterAll, beforeAll, expect } from 'vitest'
import { subtract, sum } from '#kernel/values/decimal.ts'
import { grnInvoiceSearch } from '#modules/finance/invoicing/grn-invoice-search.report.ts'
import { inboundInvoice } from '#modules/finance/invoicing/inbound-invoice.doc.ts'
import { odoInvoiceSearch } from '#modules/finance/invoicing/odo-invoice-search.report.ts'
import { outboundInvoice } from '#modules/finance/invoicing/outbound-invoice.doc.ts'
import { documentOf } from '#kernel/registry.ts'
import { lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { expectMoneyAgrees, moneyWallRows } from '#tests/support/money.ts'
import { uploadPicture } from '#tests/support/picture.ts'
import { story } from '#tests/support/steps.ts'
import { day } from '#tests/support/story.ts'

/**
 * Money between organisations on awkward figures: each page says what was worked out by hand here, and all of them
 * together what the ledger says.
 */
let scene: Scene
let nth = 0
beforeAll(async () => {
  scene = await openScene({ figures: true })
  await scene.shelve(scene.dealer, scene.shop, [lotOf(scene.inflator, 'JE1', { quantity: '500' })])
  await scene.shelve(scene.hospital, scene.ward, [
    lotOf(scene.balloon, 'JE3', { unit_codes: ['JE-1', 'JE-2'], owner_org_sn: scene.d }),
  ])
})
afterAll(() => scene?.close())

/** The dealer's invoice over a line for each price, a piece each, checked by the hospital; and the receipt. */
async function billed(
  prices: readonly string[],
  rates: readonly number[] = [],
): Promise<{ ours: string; theirs: string; grn: string; no: string }> {
  const { dealer, hospital, shop, inflator, h } = scene
  const lines = prices.map((price, at) => ({
    specification_sn: inflator,
    lot_no: 'JE1',
    quantity: '1',
    price,
    tax_rate: rates[at] ?? 13,
  }))
  const odo = await dealer.add('saleOdo', { counterparty_sn: h, warehouse_model_inner_sn: shop, lines })
  await dealer.pass('saleOdo', odo)
  const grn = (await hospital.from('purchaseGrn', odo)).sn
  await hospital.pass('purchaseGrn', grn)
  const no = `26381000000000000${String(++nth).padStart(3, '0')}`
  const body = { source_type: 7, source_sn: odo, invoice_no: no, invoice_date: day() }
  const theirs = await dealer.add('outboundInvoice', body)
  await dealer.pass('outboundInvoice', theirs)
  const [copy] = await hospital.list('inboundInvoice', { invoice_no: no })
  await hospital.done('inboundInvoice', 'review', copy.sn)
  return { ours: copy.sn, theirs, grn, no }
}
async function applied(source_sn: string, amounts: readonly string[]): Promise<string> {
  const lines = amounts.map((taxed_amount, at) => ({ source_sn, source_line_no: at + 1, taxed_amount }))
  const sn = await scene.hospital.add('paymentApplication', { source_type: 10, source_sn, lines })
  return sn
}
async function paid(source_sn: string): Promise<string> {
  const sn = await scene.hospital.add('payment', { source_type: 115, source_sn, paid_on: day() })
  await scene.hospital.done('payment', 'submit', sn)
  await scene.finance.done('payment', 'review', sn)
  return sn
}
const rows = async (kind: string, query: object) =>
  (await scene.hospital.client.get(`/v1/report/${kind}`, query as never)).list as Record<string, string>[]
const month = async () =>
  (await rows('creditInvoiceMonth', { period: day().slice(0, 7), counterparty_sn: scene.d }))[0]!
const wall = async () =>
  Object.fromEntries((await moneyWallRows(scene.hospital, 'states')).map(row => [row.status, row.amount]))
/** 待付款 of the hospital's home page. */
const toPay = async () => {
  const { info } = await scene.hospital.client.get('/v1/business/hospitalHome', { refresh: '1' })
  const { figures } = info.cards.find((card: { key: string }) => card.key === 'toPay')
  return Object.fromEntries(figures.map((figure: { label: string; text: string }) => [figure.label, figure.text]))
}

let [ours, grn, no, payment] = ['', '', '', '']
story('money between organisations', step => {
  step('an invoice of 33.33, 33.33 and 33.34, of which 50.00 are paid: no cent is lost between its lines', async () => {
    ;({ ours, grn, no } = await billed(['33.33', '33.33', '33.34']))
    const application = await applied(ours, ['33.33', '16.67'])
    await scene.hospital.pass('paymentApplication', application)
    payment = await paid(application)
    const lines = await rows('grnInvoiceSearch', { source_sn: grn })
    // 33.33 + 16.67 + 0.00 = 50.00.
    expect(lines.map(row => row.paid_amount)).toEqual(['33.33', '16.67', '0.00'])
    expect(
      sum(
        (await rows('grnInvoices', { invoice_no: no })).map(row => row.paid_amount!),
        2,
      ),
    ).toBe('50.00')
    expect(await month()).toMatchObject({
      booked_amount: '100.00',
      paid_amount: '50.00',
      offset_amount: '0.00',
      closing_amount: '50.00',
    })
  })

  step('a partly paid invoice stands with each part where it is: 50 paid, 30 applied for, 20 waiting', async () => {
    const lines = [
      { source_sn: ours, source_line_no: 2, taxed_amount: '16.66' },
      { source_sn: ours, source_line_no: 3, taxed_amount: '13.34' },
    ]
    const next = await scene.hospital.add('paymentApplication', { source_type: 10, source_sn: ours, lines })
    // A draft holds nothing: what is not paid waits to be applied for.
    expect(await wall()).toEqual({ 1: '50.00', 3: '50.00' })
    await scene.hospital.done('paymentApplication', 'submit', next)
    expect(await wall()).toEqual({ 1: '20.00', 2: '30.00', 3: '50.00' })
    expect(await toPay()).toEqual({ 待申请: '20.00', 期初待申请: '0', 已申请待付款: '30.00' })
    await scene.hospital.done('paymentApplication', 'unsubmit', next)
    // The draft holds none of the amount any more, and does not count as applied for.
    expect(await toPay()).toEqual({ 待申请: '50.00', 期初待申请: '0', 已申请待付款: '0.00' })
  })

  step('a payment that is reversed raises what is owed again, in its own column', async () => {
    await scene.finance.done('payment', 'redReverse', payment, { reason: '退汇' })
    expect(await month()).toMatchObject({ booked_amount: '100.00', paid_amount: '0.00', closing_amount: '100.00' })
    expect(await wall()).not.toHaveProperty('3')
  })

  step('an invoice reversed in red counts as reversed, with neither booked tax nor a column of payments', async () => {
    const before = await month()
    const { ours: wrong } = await billed(['0.01', '99.99'])
    expect(await month()).toMatchObject({ booked_amount: '200.00' })
    await scene.hospital.done('inboundInvoice', 'redReverse', wrong, { reason: '开错' })
    expect(await month()).toMatchObject({
      booked_amount: '200.00',
      reversed_amount: '100.00',
      closing_amount: before.closing_amount,
    })
  })

  step(
    'rates of 0, 1, 3, 6, 9 and 13 %: what is booked has its tax, and none when its review is taken back',
    async () => {
      const { hospital } = scene
      const was = await month()
      const { ours: many } = await billed(Array(6).fill('33.33'), [0, 1, 3, 6, 9, 13])
      // 0.00 + 0.33 + 0.97 + 1.89 + 2.75 + 3.83 = 9.77 of 199.98.
      const now = await month()
      const more = (name: string) => subtract(now[name]!, was[name]!, 2)
      expect(['booked_amount', 'booked_tax', 'booked_untaxed'].map(more)).toEqual(['199.98', '9.77', '190.21'])
      await hospital.done('inboundInvoice', 'unreview', many)
      expect(await month()).toEqual(was)
    },
  )

  step('a settlement counts at its supplier once the hospital reviewed it, and not before', async () => {
    const { hospital, dealer, ward, department, d } = scene
    const use = await hospital.add('departmentUse', {
      warehouse_model_inner_sn: ward,
      department_inner_sn: department,
      patient_name: '苏听松',
      admission_no: 'ZY03',
      lines: [{ unit_codes: ['JE-1', 'JE-2'] }],
    })
    await hospital.pass('departmentUse', use)
    const days = { begin_date: day(-30), end_date: day() }
    const { info } = await hospital.client.post('/v1/business/settlement/generate', { counterparty_sn: d, ...days })
    const seen = async () =>
      Promise.all(
        ['settlementDetails', 'supplierSettlementSummary'].map(
          async kind => (await dealer.client.get(`/v1/report/${kind}`, days)).list.length,
        ),
      )
    await hospital.done('settlement', 'submit', info.sn)
    await dealer.done('settlement', 'confirm', info.sn)
    expect(await seen()).toEqual([0, 0])
    await hospital.done('settlement', 'review', info.sn)
    const [lines, partners] = await seen()
    expect([lines! > 0, partners]).toEqual([true, 1])
  })

  step('what can be invoiced of a receipt is its amount after a correction of its price', async () => {
    const { hospital, central, inflator, d } = scene
    const made = { production_date: day(-60), expiry_date: day(700) }
    const line = { specification_sn: inflator, lot_no: 'JE2', quantity: '3', price: '33.33', tax_rate: 13, ...made }
    const body = { counterparty_sn: d, warehouse_model_inner_sn: central, lines: [line] }
    const sn = await hospital.add('purchaseGrn', body)
    await hospital.pass('purchaseGrn', sn)
    const proof = await uploadPicture(hospital)
    const correction = await hospital.add('stockCorrection', {
      source_sn: sn,
      source_type: 9,
      change_type: 'price',
      change_reason: '录入有误',
      attachments: [proof],
      lines: [{ source_line_no: 1, quantity: '3', new_price: '33.34' }],
    })
    await hospital.done('stockCorrection', 'impact', correction)
    await hospital.done('stockCorrection', 'submit', correction)
    const other = await scene.colleague('hospital')
    await other.done('stockCorrection', 'review', correction, { quality_opinion: '核对实物标签无误' })
    // 3 × 33.34 = 100.02, of which two single pieces leave 33.34.
    const open = async () => (await rows('grnInvoiceSearch', { source_sn: sn }))[0]!
    expect(await open()).toMatchObject({ price: '33.3400', taxed_amount: '100.02', uninvoiced_amount: '100.02' })
    const part = { source_type: 9, source_sn: sn, invoice_no: '26381000000000000991', invoice_date: day() }
    const invoice = await hospital.add('inboundInvoice', { ...part, lines: [{ source_line_no: 1, quantity: '2' }] })
    await hospital.pass('inboundInvoice', invoice)
    expect(await open()).toMatchObject({ invoiced_amount: '66.68', uninvoiced_amount: '33.34' })
  })

  step('every page says what the ledger says, this month and the last, on both sides', async () => {
    await expectMoneyAgrees(scene.hospital, scene, scene.h, 'H')
    await expectMoneyAgrees(scene.dealer, scene, scene.d, 'D')
  })

  step('an invoice search offers the kinds that its invoice covers, by their titles', () => {
    for (const [report, invoice] of [
      [grnInvoiceSearch, inboundInvoice],
      [odoInvoiceSearch, outboundInvoice],
    ] as const) {
      const covered = (invoice.sourcing.sources ?? []).filter(({ purpose }) => purpose === 'invoice')
      const titles = Object.fromEntries(covered.map(({ from }) => [from, documentOf(from)!.title]))
      expect(report.parameters.source_kind.choices).toEqual(titles)
    }
  })
})
