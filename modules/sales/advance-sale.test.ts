import { afterAll, beforeAll, expect, it } from 'vitest'
import { attempt, lotOf, openScene, owed, says, type Scene, shelf } from '../../tests/support/scene.ts'
import { day } from '../../tests/support/story.ts'

/** 预销售: goods lie with a customer and stay ours, until they are sold or brought back. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
  const { dealer, shop, inflator, balloon } = scene
  await scene.shelve(dealer, shop, [
    lotOf(inflator, 'YX1', { quantity: '50' }),
    lotOf(balloon, 'YX2', { quantity: '3', unit_codes: ['YXA', 'YXB', 'YXC'] }),
  ])
}, 60_000)
afterAll(() => scene?.close())

const carried = (quantity: string, more: object = {}) => ({
  counterparty_sn: scene.h,
  warehouse_model_inner_sn: scene.shop,
  settle_date: day(10),
  lines: [{ specification_sn: scene.inflator, lot_no: 'YX1', quantity, price: '150' }],
  ...more,
})
const place = async () =>
  (await scene.one("select id from warehouse where org_id = $1 and model = 'advance'", scene.d)).id as string
/** A draft made of an advance sale, changed to so many. */
const part = async (kind: string, sn: string, lines: object[]) => {
  const draft = (await scene.dealer.list(kind, { source_sn: sn, state: 'draft' }))[0]
  const { version } = await scene.dealer.info(kind, draft.sn)
  const reply = await scene.dealer.client.post(`/v1/business/${kind}/edit`, { sn: draft.sn, version, lines })
  expect(reply.code, reply.msg).toBe(0)
  return draft.sn as string
}
let sn = ''

it('carries goods into the store of advance sales: ours still, owed by nobody, and found there', async () => {
  const { dealer, shop, h, inflator, balloon } = scene
  says(await attempt(dealer, 'advanceSale', carried('1', { settle_date: null })), '请填写预计结清日期')
  says(await attempt(dealer, 'advanceSale', carried('80')), /^库存不足：/)
  const before = await owed(dealer, h)
  sn = await dealer.add(
    'advanceSale',
    carried('10', {
      lines: [
        { specification_sn: inflator, lot_no: 'YX1', quantity: '10', price: '150' },
        { specification_sn: balloon, unit_codes: ['YXA', 'YXB'], price: '2000' },
      ],
    }),
  )
  await dealer.pass('advanceSale', sn)
  expect(await owed(dealer, h)).toEqual(before)
  expect(await shelf(dealer, shop, inflator)).toEqual({ YX1: '40.000' })
  expect(await shelf(dealer, await place(), inflator)).toEqual({ YX1: '10.000' })
  const found = await dealer.list('stockLocator', { specification_sn: inflator, place_kind: 'advance' })
  expect(found).toMatchObject([{ quantity: '10.000', place_kind: 'advance' }])
  expect((await dealer.list('advanceSale', { sn }))[0]).toMatchObject({
    state: 'reviewed',
    open_quantity: '12.000',
    turned_quantity: '0.000',
  })
})

it('what was used is sold from there, within what is left', async () => {
  const { dealer, hospital, h, inflator } = scene
  const before = await owed(dealer, h)
  await dealer.done('advanceSale', 'toSale', sn)
  const much = await part('saleOdo', sn, [{ line_no: 1, quantity: '11' }])
  says(await dealer.do('saleOdo', 'submit', much), /处理数量超过未结清数量|库存不足/)
  const sale = await part('saleOdo', sn, [
    { source_sn: sn, source_line_no: 1, quantity: '6' },
    { source_sn: sn, source_line_no: 2, unit_codes: ['YXA'] },
  ])
  await dealer.pass('saleOdo', sale)
  expect((await dealer.list('advanceSale', { sn }))[0]).toMatchObject({
    state: 'partial',
    turned_quantity: '7.000',
    open_quantity: '5.000',
  })
  expect(await shelf(dealer, await place(), inflator)).toEqual({ YX1: '4.000' })
  expect(Number((await owed(dealer, h)).receivable) - Number(before.receivable)).toBe(6 * 150 + 2000)
  expect((await hospital.list('purchaseGrn', { source_sn: sale })).length).toBe(1)
  says(await dealer.do('advanceSale', 'unreview', sn), /^预销售单已有结清记录，不能反审核/)
  says(await dealer.do('advanceSale', 'redReverse', sn, { reason: '试' }), /^预销售单已有结清记录，不能红冲/)
})

it('the rest comes back, lot and piece as they left; then it is settled', async () => {
  const { dealer, shop, inflator } = scene
  await dealer.done('advanceSale', 'toBack', sn)
  const [back] = await dealer.list('advanceReturn', { source_sn: sn })
  const paper = await dealer.info('advanceReturn', back.sn)
  expect(paper).toMatchObject({ to_warehouse_model_inner_sn: shop })
  expect(paper.lines.map((line: { quantity: string }) => line.quantity)).toEqual(['4.000', '1.000'])
  await part('advanceReturn', sn, [
    { line_no: 1, quantity: '4' },
    { line_no: 2, unit_codes: ['YXB'] },
  ])
  await dealer.pass('advanceReturn', back.sn)
  expect((await dealer.list('advanceSale', { sn }))[0]).toMatchObject({
    state: 'completed',
    returned_quantity: '5.000',
    open_quantity: '0.000',
  })
  expect(await shelf(dealer, shop, inflator)).toEqual({ YX1: '44.000' })
  expect((await dealer.trace('YXB')).code).toBe(0)
  await dealer.done('advanceReturn', 'unreview', back.sn)
  expect((await dealer.list('advanceSale', { sn }))[0]).toMatchObject({ state: 'partial' })
  await dealer.done('advanceReturn', 'review', back.sn)
})

it('期初＋发出－转销售－退回＝期末, at cost, and equal to what lies there', async () => {
  const { dealer, d } = scene
  const next = await dealer.add('advanceSale', carried('5'))
  await dealer.pass('advanceSale', next)
  const { list } = await dealer.client.get('/v1/report/advanceBalance', { period: day().slice(0, 7) })
  const [row] = list
  const sum = ['opening_value', 'out_value'].reduce((total, name) => total + Number(row[name]), 0)
  expect(sum - Number(row.turned_value) - Number(row.returned_value)).toBeCloseTo(Number(row.closing_value), 2)
  const lies = await scene.one(
    "select sum(b.value)::numeric(18,2) as value from stock_balance b join warehouse w on w.org_id = b.org_id and w.id = b.warehouse_id where b.org_id = $1 and w.model = 'advance'",
    d,
  )
  expect(row.closing_value).toBe(lies.value)
  expect(Number(row.turned_value)).toBeGreaterThan(0)
  // By age the same, in bands from the day of the review.
  const by = async (how: string) =>
    (await dealer.client.get('/v1/report/advanceBalance', { period: day().slice(0, 7), by: how })).list
  expect(await by('age')).toMatchObject([{ counterparty_name: '0-30天', closing_value: lies.value }])
  await scene.one("update document set reviewed_at = reviewed_at - interval '40 days' where sn = $1 returning 1", next)
  expect((await by('age')).map(each => each.counterparty_name).toSorted()).toContain('31-60天')
  expect((await by('handler')).map(each => Number(each.closing_value)).reduce((a, b) => a + b)).toBeCloseTo(
    Number(lies.value),
    2,
  )
  expect((await dealer.list('advanceSale', { sn: next }))[0]).toMatchObject({
    age_days: 40,
    overdue_days: null,
    lying_cost: expect.stringMatching(/^[1-9]/),
    open_amount: (await dealer.info('advanceSale', next)).taxed_amount,
  })
})

it('finance confirms prices, records it, and lets no late customer have more, where the house wants it so', async () => {
  const { dealer, d } = scene
  await scene.rule(d, 'advance_price_confirmed', true)
  const open = (await dealer.list('advanceSale', { state: 'reviewed' }))[0].sn
  says(await dealer.do('advanceSale', 'toSale', open), '预销售价格未经财务确认')
  await dealer.done('advanceSale', 'priceConfirm', open)
  says(await dealer.do('advanceSale', 'priceConfirm', open), '价格已确认')
  await dealer.done('advanceSale', 'record', open)
  says(await dealer.do('advanceSale', 'unreview', open), '单据已记账，不能反审核')
  await dealer.done('advanceSale', 'unrecord', open, { reason: '更正' })
  await dealer.done('advanceSale', 'toSale', open)
  await scene.rule(d, 'advance_price_confirmed', false)
  await scene.one(
    "update document set fields = fields || jsonb_build_object('settle_date', $2::text) where sn = $1 and kind = 'advanceSale' returning 1",
    open,
    day(-2),
  )
  expect(await dealer.list('advanceSale', { overdue: '1' })).toMatchObject([{ sn: open, overdue_days: 2 }])
  await scene.rule(d, 'advance_overdue_stops', true)
  says(await attempt(dealer, 'advanceSale', carried('1'), 'review'), `客户存在超期未结清的预销售单（${open}）`)
  await scene.rule(d, 'advance_overdue_stops', false)
})

it('an order may be carried in advance: what comes back is open again', async () => {
  const { dealer, h, inflator } = scene
  const order = await dealer.add('salesOrder', {
    counterparty_sn: h,
    lines: [{ specification_sn: inflator, quantity: '8', price: '150' }],
  })
  await dealer.pass('salesOrder', order)
  const advance = await dealer.add('advanceSale', {
    source_sn: order,
    source_type: 4,
    warehouse_model_inner_sn: scene.shop,
    settle_date: day(3),
  })
  await dealer.pass('advanceSale', advance)
  expect((await dealer.info('salesOrder', order)).state).toBe('completed')
  await dealer.done('advanceSale', 'toBack', advance)
  const [back] = await dealer.list('advanceReturn', { source_sn: advance })
  await dealer.pass('advanceReturn', back.sn)
  expect((await dealer.info('salesOrder', order)).state).not.toBe('completed')
  // Taken back before anything was settled, everything lies where it lay.
  const again = await dealer.add('advanceSale', carried('3'))
  await dealer.pass('advanceSale', again)
  await dealer.done('advanceSale', 'redReverse', again, { reason: '送错' })
  expect((await dealer.info('advanceSale', again)).state).toBe('reversed')
})
