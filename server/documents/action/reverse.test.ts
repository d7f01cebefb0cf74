import { multiply } from '#kernel/values/decimal.ts'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { checkLedgers } from '#server/ledger/check/check.ts'
import { make, type Market, newCodes, openMarket, ship, take } from '#tests/invariants/cases/fuzz-world.ts'
import { openLocalCustomer } from '#tests/support/local-customers.ts'
import { proves } from '#tests/support/proves.ts'
import { createPlaces } from '#tests/support/locations.ts'

/** Edge cases of reversal that once failed, described as their users met them. */
let market: Market
beforeAll(async () => {
  market = await openMarket()
})
afterAll(() => market?.close())
afterEach(async () => {
  const { owner } = market.stage.server.database
  expect((await checkLedgers(owner)).map(finding => finding.msg)).toEqual([])
  expect(await owner`select last_error from intercompany_message where delivered_at is null`).toEqual([])
})

const line = (lot: string, quantity: string) => ({ specification_sn: market.plain, lot_no: lot, quantity })

it('undoing an expensive receipt after cheaper goods were sold leaves no negative value', async () => {
  const dear = await make(market, { specification: market.plain, lot: 'EDGE-1', quantity: 5, price: '100' })
  await make(market, { specification: market.plain, lot: 'EDGE-1', quantity: 10, price: '1' })
  await ship(market, 'V01', 'D01', [line('EDGE-1', '5')])
  await market.vendor.done('otherGrn', 'unreview', dear)
  const [row] = await market.vendor.list('stockBalance', { specification_sn: market.plain, lot_no: 'EDGE-1' })
  expect([row.quantity, row.value]).toEqual(['5.000', '0.00'])
})

it('a delivery to a customer without account completes at shipment; 红冲 in part or whole, then again', async () => {
  const customer = await openLocalCustomer(market.stage.one, market.org.D01!)
  await make(market, { specification: market.plain, lot: 'EDGE-2', quantity: 6 })
  await take(market, 'D01', await ship(market, 'V01', 'D01', [line('EDGE-2', '6')]))
  const sn = await market.dealer.add('saleOdo', {
    counterparty_sn: customer,
    warehouse_model_inner_sn: market.shelf.D01,
    lines: [line('EDGE-2', '4')],
  })
  await market.dealer.pass('saleOdo', sn)
  expect(await market.dealer.info('saleOdo', sn)).toMatchObject({ state: 'completed', receive_state: '3' })
  const back = (more: object) => market.dealer.done('saleOdo', 'redReverse', sn, { reason: '客户退货', ...more })
  await back({ lines: [{ line_no: 1, quantity: '1' }] })
  expect(await market.dealer.info('saleOdo', sn)).toMatchObject({ state: 'completed' })
  await back({})
  expect((await market.dealer.info('saleOdo', sn)).state).toBe('reversed')
  const again = await market.dealer.add('saleOdo', {
    counterparty_sn: customer,
    warehouse_model_inner_sn: market.shelf.D01,
    lines: [line('EDGE-2', '6')],
  })
  await market.dealer.pass('saleOdo', again)
  // Nothing was received there: it may be invoiced, and then it is kept.
  const bill = await market.dealer.add('outboundInvoice', {
    source_type: 7,
    source_sn: again,
    invoice_no: '26372000000000000001',
  })
  await market.dealer.pass('outboundInvoice', bill)
  const reply = await market.dealer.do('saleOdo', 'redReverse', again, { reason: '客户退货' })
  expect(reply.msg).toBe(`明细已开票（${bill}），请先红冲发票`)
})

it('a receipt in two lines closes the whole transit quantity, and releases it again', async () => {
  await make(market, { specification: market.plain, lot: 'EDGE-3', quantity: 6 })
  const delivery = await ship(market, 'V01', 'D01', [line('EDGE-3', '6')])
  await createPlaces(market.stage, market.shelf.D01, ['A', 'B'])
  const lines = [
    { source_line_no: 1, quantity: '2', location: 'A' },
    { source_line_no: 1, quantity: '4', location: 'B' },
  ]
  const source = {
    source_type: 7,
    source_sn: delivery,
    source_org_sn: market.org.V01,
    warehouse_model_inner_sn: market.shelf.D01,
  }
  const sn = await market.dealer.add('purchaseGrn', { ...source, lines })
  await market.dealer.pass('purchaseGrn', sn)
  const onTheWay = () =>
    market.vendor.list('stockBalance', { specification_sn: market.plain, lot_no: 'EDGE-3', in_transit: '1' })
  expect(await onTheWay()).toEqual([])
  await market.dealer.done('purchaseGrn', 'unreview', sn)
  expect((await onTheWay()).map(row => row.quantity)).toEqual(['6.000'])
})

it('a receipt of the rest uses the code still in transit: no new codes are invented', async () => {
  const codes = newCodes(3)
  await make(market, { specification: market.coded, lot: 'EDGE-4', quantity: 3, codes })
  const delivery = await ship(market, 'V01', 'D01', [{ unit_codes: codes }])
  const receipt = await take(market, 'D01', delivery)
  await market.dealer.done('purchaseGrn', 'redReverse', receipt, {
    reason: '破损',
    lines: [{ line_no: 1, quantity: '1', unit_codes: [codes[1]] }],
  })
  const source = {
    source_type: 7,
    source_sn: delivery,
    source_org_sn: market.org.V01,
    warehouse_model_inner_sn: market.shelf.D01,
  }
  const blind = await market.dealer.add('purchaseGrn', source)
  expect((await market.dealer.do('purchaseGrn', 'submit', blind)).code).not.toBe(0)
  const rest = await market.dealer.add('purchaseGrn', {
    ...source,
    lines: [{ source_line_no: 1, quantity: '1', unit_codes: [codes[1]] }],
  })
  await market.dealer.pass('purchaseGrn', rest)
  const [unit] = await market.dealer.list('unitLabel', { q: codes[1]! })
  expect(unit.status).toBe('in_stock')
})

it('goods received again after a full 红冲 are payable once', async () => {
  await make(market, { specification: market.plain, lot: 'EDGE-5', quantity: 6 })
  const delivery = await ship(market, 'V01', 'D01', [line('EDGE-5', '6')])
  const receipt = await take(market, 'D01', delivery)
  const { taxed_amount } = await market.dealer.info('purchaseGrn', receipt)
  await market.dealer.done('purchaseGrn', 'redReverse', receipt, { reason: '录错' })
  const source = {
    source_type: 7,
    source_sn: delivery,
    source_org_sn: market.org.V01,
    warehouse_model_inner_sn: market.shelf.D01,
  }
  const again = await market.dealer.add('purchaseGrn', source)
  await market.dealer.pass('purchaseGrn', again)
  expect((await market.dealer.info('purchaseGrn', again)).taxed_amount).toBe(taxed_amount)
})

it('the rest of a delivery whose first part was inspected is charged as the rest', async () => {
  await make(market, { specification: market.plain, lot: 'EDGE-9', quantity: 6 })
  const delivery = await ship(market, 'V01', 'D01', [line('EDGE-9', '6')])
  const { dealer } = market
  const source = {
    source_type: 7,
    source_sn: delivery,
    source_org_sn: market.org.V01,
    warehouse_model_inner_sn: market.shelf.D01,
  }
  const arrival = await dealer.add('arrivalOrder', { ...source, lines: [{ source_line_no: 1, quantity: '5' }] })
  await dealer.pass('arrivalOrder', arrival)
  const inspection = await dealer.from('inspectionOrder', arrival)
  await dealer.done('inspectionOrder', 'submit', inspection.sn)
  const colleague = await market.stage.person('dealer2')
  await colleague.done('inspectionOrder', 'review', inspection.sn)
  const receipt = await dealer.from('purchaseGrn', inspection.sn)
  await dealer.pass('purchaseGrn', receipt.sn)
  const rest = await dealer.info('purchaseGrn', await dealer.add('purchaseGrn', source))
  const first = await dealer.info('purchaseGrn', receipt.sn)
  expect(rest.lines.map((row: { quantity: string }) => row.quantity)).toEqual(['1.000'])
  expect(multiply(rest.taxed_amount, '5', 2)).toBe(first.taxed_amount)
  await dealer.pass('purchaseGrn', rest.sn)
})

it('a sale split over two lots is charged once', async () => {
  await make(
    market,
    { specification: market.plain, lot: 'EDGE-6A', quantity: 1, price: '10' },
    { specification: market.plain, lot: 'EDGE-6B', quantity: 1, price: '10' },
  )
  await make(market, { specification: market.plain, lot: 'EDGE-6C', quantity: 30, price: '10' })
  const sn = await market.vendor.add('saleOdo', {
    counterparty_sn: market.org.D01,
    warehouse_model_inner_sn: market.shelf.V01,
    lines: [{ specification_sn: market.plain, quantity: '25', price: '10' }],
  })
  await market.vendor.done('saleOdo', 'submit', sn)
  const doc = await market.vendor.info('saleOdo', sn)
  expect(doc.lines.length).toBeGreaterThan(1)
  expect(doc.taxed_amount).toBe('250.00')
})

it('a stopped or cancelled document releases what it had reserved', async () => {
  proves('stock.reservationFreed')
  await make(market, { specification: market.plain, lot: 'EDGE-7', quantity: 6 })
  await take(market, 'D01', await ship(market, 'V01', 'D01', [line('EDGE-7', '6')]))
  await take(market, 'H01', await ship(market, 'D01', 'H01', [line('EDGE-7', '6')]))
  const ask = await market.hospital.add('requisition', {
    warehouse_model_inner_sn: market.shelf.H01,
    to_warehouse_model_inner_sn: market.ward,
    department_inner_sn: market.department,
    lines: [{ specification_sn: market.plain, quantity: '3' }],
  })
  await market.hospital.pass('requisition', ask)
  const dispatch = await market.hospital.add('dispatch', { source_type: 104, source_sn: ask })
  await market.hospital.pass('dispatch', dispatch)
  await market.hospital.done('dispatch', 'cancel', dispatch, { reason: '改期' })
  const again = await market.hospital.add('dispatch', { source_type: 104, source_sn: ask })
  await market.hospital.pass('dispatch', again)
})

it('malformed 红冲 lines are refused with a message', async () => {
  const sn = await make(market, { specification: market.plain, lot: 'EDGE-8', quantity: 2 })
  for (const lines of [
    '{',
    '[1]',
    [{ line_no: 1, quantity: 'viel' }],
    [{ line_no: 9 }],
    [null],
    [
      { line_no: 1, quantity: '1' },
      { line_no: 1, quantity: '1' },
    ],
  ]) {
    const reply = await market.vendor.do('otherGrn', 'redReverse', sn, { reason: '试', lines })
    expect([reply.status, reply.code], JSON.stringify(lines)).toEqual([200, 2000])
  }
})
