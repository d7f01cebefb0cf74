import { afterAll, beforeAll, expect, test } from 'vitest'
import { lotOf, openScene, type Scene } from '../../tests/support/scene.ts'
import { day, type Person } from '../../tests/support/story.ts'

/** Figures of stock, sales and month end: each ties to the ledger to the cent. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
}, 60_000)
afterAll(() => scene?.close())

const thisMonth = () => ({ begin_date: `${day().slice(0, 7)}-01`, end_date: day() })
const ask = async (who: Person, kind: string, query: object) => {
  const reply = await who.client.get(`/v1/report/${kind}`, { ...query } as Record<string, string>)
  expect(reply.code, reply.msg).toBe(0)
  return reply
}

/** Something bought by the dealer at 12, of which the hospital gets a part at 113 with 13 % tax. */
async function sold(lot: string, quantity: string): Promise<{ odo: string; grn: string }> {
  const { dealer, hospital, shop, central, h, inflator } = scene
  const odo = await dealer.add('saleOdo', {
    counterparty_sn: h,
    warehouse_model_inner_sn: shop,
    regime: 'purchased',
    lines: [{ specification_sn: inflator, lot_no: lot, quantity, price: '113', tax_rate: 13 }],
  })
  await dealer.pass('saleOdo', odo)
  const grn = (await hospital.from('purchaseGrn', odo)).sn
  await hospital.done('purchaseGrn', 'submit', grn)
  await hospital.done('purchaseGrn', 'review', grn)
  expect(central).toBeTruthy()
  return { odo, grn }
}

test('a card balances on every row, and as of today it is what lies there now', async () => {
  const { dealer, shop, inflator } = scene
  await scene.shelve(dealer, shop, [lotOf(inflator, 'CARD', { quantity: '20', price: '60', tax_rate: 0 })])
  await sold('CARD', '5')
  const { list } = await ask(dealer, 'psiDetail', { ...thisMonth(), specification_sn: inflator, lot_no: 'CARD' })
  expect(list).toHaveLength(1)
  expect(list[0]).toMatchObject({
    opening_quantity: '0.000',
    other_in: '20.000',
    issue_out: '5.000',
    closing_quantity: '15.000',
  })
  expect(list[0].closing_value).toBe('900.00')
  const asOf = await ask(dealer, 'stockAsOf', { end_date: day(), specification_sn: inflator, lot_no: 'CARD' })
  const shelf = asOf.list.filter((row: { warehouse_name: string }) => row.warehouse_name !== '在途')
  expect(shelf).toMatchObject([{ quantity: '15.000', cost_price: '60.0000', value: '900.00', ownership: 'own' }])
  const before = await ask(dealer, 'stockAsOf', { end_date: day(-1), specification_sn: inflator, lot_no: 'CARD' })
  expect(before.list).toEqual([])
  const flow = await ask(dealer, 'stockFlow', { ...thisMonth(), specification_sn: inflator, lot_no: 'CARD' })
  const steps = flow.list
    .filter((row: { warehouse_name: string }) => row.warehouse_name !== '在途')
    .map((row: { step: string }) => row.step)
  expect(steps).toContain('ship')
})

test('a reversed receipt counts negative in its own column, on its own day', async () => {
  const { hospital, dealer, shop, inflator } = scene
  await scene.shelve(dealer, shop, [lotOf(inflator, 'UNDO', { quantity: '10', price: '60' })])
  const { grn } = await sold('UNDO', '4')
  const card = async () =>
    (await ask(hospital, 'psiDetail', { ...thisMonth(), specification_sn: inflator, lot_no: 'UNDO' })).list[0]
  expect(await card()).toMatchObject({ purchase_in: '4.000', closing_quantity: '4.000' })
  await hospital.done('purchaseGrn', 'redReverse', grn, { reason: '错收' })
  expect(await card()).toMatchObject({ purchase_in: '0.000', other_out: '0.000', closing_quantity: '0.000' })
  // Received three days ago and reversed yesterday: it lay there until yesterday.
  await scene.house.database.owner`
    update stock_move m set at = m.at - case when d.sn = ${grn} then interval '3 days' else interval '1 day' end
      from document d where d.org_id = m.org_id and d.id = m.document_id and d.org_id = ${scene.h} and (d.sn = ${grn} or d.red_of_id = (select id from document o where o.org_id = d.org_id and o.sn = ${grn} and o.role = 'own'))`
  const lay = async (ago: number) =>
    (await ask(hospital, 'stockAsOf', { end_date: day(ago), specification_sn: inflator, lot_no: 'UNDO' })).list.map(
      (row: { quantity: string }) => row.quantity,
    )
  expect([await lay(-4), await lay(-3), await lay(-2), await lay(-1)]).toEqual([[], ['4.000'], ['4.000'], []])
})

test('sales: net, cost, profit; what was earned is told only to whoever may know it', async () => {
  const { dealer, shop, h, inflator } = scene
  await scene.shelve(dealer, shop, [lotOf(inflator, 'SOLD', { quantity: '10', price: '67.8', tax_rate: 13 })])
  const { odo } = await sold('SOLD', '10')
  const { list } = await ask(dealer, 'outboundFinance', { ...thisMonth(), document_sn: odo })
  expect(list).toMatchObject([
    {
      untaxed_amount: '1000.00',
      tax_amount: '130.00',
      taxed_amount: '1130.00',
      cost: '600.00',
      profit: '400.00',
      margin: '0.4000',
      invoice_state: 'none',
      unbilled: '1130.00',
    },
  ])
  const summary = await ask(dealer, 'salesSummary', {
    ...thisMonth(),
    dimension: 'customer_goods',
    counterparty_sn: h,
    specification_sn: inflator,
  })
  const lines = await ask(dealer, 'outboundFinance', {
    ...thisMonth(),
    counterparty_sn: h,
    specification_sn: inflator,
    document_kind: 'saleOdo',
    pageSize: '500',
  })
  expect(summary.summary.taxed_amount).toBe(lines.summary.taxed_amount)
  expect(summary.summary.profit).toBe(lines.summary.profit)
  // A clerk with prices and without the right to know what was earned.
  const told = await ask(scene.finance, 'outboundFinance', thisMonth())
  expect(Object.keys(told.summary)).toEqual(expect.arrayContaining(['taxed_amount', 'cost']))
  expect(told.summary).not.toHaveProperty('profit')
  const ordered = await scene.finance.client.get('/v1/report/outboundFinance', { ...thisMonth(), sort: '-profit' })
  expect(ordered.msg).toBe('没有成本毛利权限，不能按【毛利】排序')
})

test('the two tabs of what came in agree to the cent', async () => {
  const { hospital } = scene
  const lines = await ask(hospital, 'inboundFinance', { ...thisMonth(), pageSize: '500' })
  const sums = await ask(hospital, 'inboundFinanceSummary', { ...thisMonth(), pageSize: '500' })
  expect(lines.list.length).toBeGreaterThan(0)
  expect(sums.summary).toMatchObject(lines.summary)
  expect(lines.summary.estimated).toBe(lines.summary.untaxed_amount)
})

test('the month-end account is the ledger: opening + in - out + adjustment = closing', async () => {
  const { dealer, d } = scene
  const { summary } = await ask(dealer, 'stockFinance', {
    period: day().slice(0, 7),
    ownership: 'own',
    pageSize: '500',
  })
  const cents = (text: string) => Math.round(Number(text) * 100)
  expect(
    cents(summary.opening_value) + cents(summary.in_value) - cents(summary.out_value) + cents(summary.adjustment),
  ).toBe(cents(summary.closing_value))
  const ledger = await scene.one(
    'select sum(value)::numeric(18,2) as value from stock_balance where org_id = $1 and owner_id = $1',
    d,
  )
  expect(summary.closing_value).toBe(ledger.value)
})

test('a period that cannot be is refused in words; a workbook may hold more than a year', async () => {
  const { dealer } = scene
  const said = async (kind: string, query: Record<string, string>) =>
    (await dealer.client.get(`/v1/report/${kind}`, query)).msg
  expect(await said('psiDetail', { begin_date: day(1), end_date: day() })).toBe('开始日期不能大于结束日期')
  expect(await said('psiDetail', { begin_date: day(-400), end_date: day() })).toBe('查询区间不能超过12个月')
  expect(await said('stockAsOf', { end_date: day(1) })).toBe('截止日期不能大于当前日期')
  expect(await said('stockFinance', { period: '2026-13' })).toBe('会计期间应为年-月，如 2026-11')
  const query = { begin_date: day(-400), end_date: day() }
  const { statusCode } = await dealer.client.raw({ method: 'GET', url: '/v1/report/psiDetail/export', query })
  expect(statusCode).toBe(200)
})
