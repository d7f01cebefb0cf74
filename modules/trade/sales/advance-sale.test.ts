import { isPositive, multiply, subtract, sum } from '#kernel/values/decimal.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { attempt, lotOf, openScene, owed, expectMessage, type Scene, shelf } from '#tests/support/fixture.ts'
import { day, type Person } from '#tests/support/story.ts'
import { story } from '#tests/support/steps.ts'

/** 预销售: goods are at a customer and stay ours, until they are sold or returned. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene({ figures: true })
  // The customer agreed to more than is asked here, and nothing is listed.
  const { owner } = scene.server.database
  await owner`update price_agreement set price = 5000 where org_id = ${scene.h} and seller_id = ${scene.d}`
  await owner`update hospital_product set listed_price = null where org_id = ${scene.h}`
  const { dealer, shop, inflator, balloon } = scene
  await scene.shelve(dealer, shop, [
    lotOf(inflator, 'YX1', { quantity: '50' }),
    lotOf(balloon, 'YX2', { quantity: '3', unit_codes: ['YXA', 'YXB', 'YXC'] }),
  ])
})
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
/** A draft made from an advance sale, changed to these quantities. */
const part = async (kind: string, sn: string, lines: object[]) => {
  const draft = (await scene.dealer.list(kind, { source_sn: sn, state: 'draft' }))[0]
  const { version } = await scene.dealer.info(kind, draft.sn)
  const reply = await scene.dealer.client.post(`/v1/business/${kind}/edit`, { sn: draft.sn, version, lines })
  expect(reply.code, reply.msg).toBe(0)
  return draft.sn as string
}
let sn = ''

story('goods at a customer until they are sold, returned and settled', step => {
  step('moves goods to the advance-sale warehouse: still ours, not owed, and listed there', async () => {
    const { dealer, shop, h, inflator, balloon } = scene
    expectMessage(await attempt(dealer, 'advanceSale', carried('1', { settle_date: null })), '请填写预计结清日期')
    expectMessage(await attempt(dealer, 'advanceSale', carried('80')), /^库存不足：/)
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

  step('what was used is sold from there, within what is left', async () => {
    const { dealer, hospital, h, inflator } = scene
    const before = await owed(dealer, h)
    await dealer.done('advanceSale', 'toSale', sn)
    const much = await part('saleOdo', sn, [{ line_no: 1, quantity: '11' }])
    expectMessage(await dealer.do('saleOdo', 'submit', much), /处理数量超过未结清数量|库存不足/)
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
    expect(subtract((await owed(dealer, h)).receivable, before.receivable, 2)).toBe('2900.00')
    expect((await hospital.list('purchaseGrn', { source_sn: sale })).length).toBe(1)
    expectMessage(await dealer.do('advanceSale', 'unreview', sn), /^预销售单已有结清记录，不能反审核/)
    expectMessage(await dealer.do('advanceSale', 'redReverse', sn, { reason: '试' }), /^预销售单已有结清记录，不能红冲/)
  })

  step('the rest is returned, same lots and serials as issued; then it is settled', async () => {
    const { dealer, shop, inflator } = scene
    await dealer.done('advanceSale', 'toBack', sn)
    const [back] = await dealer.list('advanceReturn', { source_sn: sn })
    const doc = await dealer.info('advanceReturn', back.sn)
    expect(doc).toMatchObject({ to_warehouse_model_inner_sn: shop })
    expect(doc.lines.map((line: { quantity: string }) => line.quantity)).toEqual(['4.000', '1.000'])
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

  step('期初＋发出－转销售－退回＝期末, at cost, and equal to the stock on hand there', async () => {
    const { dealer, d } = scene
    const next = await dealer.add('advanceSale', carried('5'))
    await dealer.pass('advanceSale', next)
    const { list } = await dealer.client.get('/v1/report/advanceBalance', { period: day().slice(0, 7) })
    const [row] = list
    const shipped = sum([row.opening_value, row.out_value], 2)
    expect(subtract(shipped, sum([row.turned_value, row.returned_value], 2), 2)).toBe(row.closing_value)
    const stored = await scene.one(
      `select sum(b.value)::numeric(18,2) as value from stock_balance b join warehouse w on w.org_id = b.org_id
        and w.id = b.warehouse_id where b.org_id = $1 and w.model = 'advance'`,
      d,
    )
    expect(row.closing_value).toBe(stored.value)
    expect(isPositive(row.turned_value)).toBe(true)
    // By age the same, in bands from the day of the review.
    const by = async (how: string) =>
      (await dealer.client.get('/v1/report/advanceBalance', { period: day().slice(0, 7), by: how })).list
    expect(await by('age')).toMatchObject([{ counterparty_name: '0-30天', closing_value: stored.value }])
    await scene.one(
      "update document set reviewed_at = reviewed_at - interval '40 days' where sn = $1 returning 1",
      next,
    )
    expect((await by('age')).map(each => each.counterparty_name).toSorted()).toContain('31-60天')
    const values = (await by('handler')).map(each => each.closing_value)
    expect(sum(values, 2)).toBe(stored.value)
    expect((await dealer.list('advanceSale', { sn: next }))[0]).toMatchObject({
      age_days: 40,
      overdue_days: null,
      lying_cost: expect.stringMatching(/^[1-9]/),
      open_amount: (await dealer.info('advanceSale', next)).taxed_amount,
    })
    const aged = async (from: string, to: string) =>
      (await dealer.list('advanceSale', { begin_age_days: from, end_age_days: to })).map(({ sn }) => sn)
    expect(await aged('31', '60')).toEqual([next])
    expect(await aged('0', '30')).not.toContain(next)
    expectMessage(await dealer.client.get('/v1/business/advanceSale/list', { begin_age_days: '三十' }), /账龄/)
  })

  step('finance confirms prices and records it, and blocks late-paying customers if set so', async () => {
    const { dealer, d } = scene
    await scene.rule(d, 'advance_price_confirmed', true)
    const open = (await dealer.list('advanceSale', { state: 'reviewed' }))[0].sn
    expectMessage(await dealer.do('advanceSale', 'toSale', open), '预销售价格未经财务确认')
    await dealer.done('advanceSale', 'priceConfirm', open)
    expectMessage(await dealer.do('advanceSale', 'priceConfirm', open), '价格已确认')
    await dealer.done('advanceSale', 'record', open)
    expectMessage(await dealer.do('advanceSale', 'unreview', open), '单据已记账，不能反审核')
    const booked = (await dealer.list('advanceSale', { sn: open }))[0]
    expect([booked.recorded_by, booked.recorded_at]).toEqual([
      expect.stringMatching(/./),
      expect.stringMatching(/T.*Z$/),
    ])
    const inPeriod = (period: string) =>
      scene.one(
        `update document set fields = fields || jsonb_build_object('accounting_period', $2::text)
          where sn = $1 and kind = 'advanceSale' returning 1`,
        open,
        period,
      )
    await inPeriod('2025-01')
    expectMessage(
      await dealer.do('advanceSale', 'unrecord', open, { reason: '更正' }),
      /^单据已记入2025-01期间，只能取消当期（\d{4}-\d{2}）的记账$/,
    )
    await inPeriod(booked.accounting_period)
    await dealer.done('advanceSale', 'unrecord', open, { reason: '更正' })
    await dealer.done('advanceSale', 'toSale', open)
    await scene.rule(d, 'advance_price_confirmed', false)
    await scene.one(
      `update document set fields = fields || jsonb_build_object('settle_date', $2::text)
        where sn = $1 and kind = 'advanceSale' returning 1`,
      open,
      day(-2),
    )
    expect(await dealer.list('advanceSale', { overdue: '1' })).toMatchObject([{ sn: open, overdue_days: 2 }])
    await scene.rule(d, 'advance_overdue_stops', true)
    expectMessage(
      await attempt(dealer, 'advanceSale', carried('1'), 'review'),
      `客户存在超期未结清的预销售单（${open}）`,
    )
    await scene.rule(d, 'advance_overdue_stops', false)
  })

  step('finance confirms line by line: only those are sold, at the fixed price', async () => {
    const { dealer, d, inflator, balloon } = scene
    await scene.shelve(dealer, scene.shop, [lotOf(balloon, 'YX3', { quantity: '2', unit_codes: ['YXD', 'YXE'] })])
    const two = await dealer.add(
      'advanceSale',
      carried('4', {
        lines: [
          { specification_sn: inflator, lot_no: 'YX1', quantity: '4', price: '150' },
          { specification_sn: balloon, unit_codes: ['YXD', 'YXE'], price: '2000' },
        ],
      }),
    )
    await dealer.pass('advanceSale', two)
    await scene.rule(d, 'advance_price_confirmed', true)
    const [first] = await linesOf(two)
    expect(first).toMatchObject({ line_price_state: '1', open_quantity: '4.000', use_state: 'none' })
    // 成本单价 is that of the lot; what is open is worth its stock value. It is shown only to users who may see profit.
    const [listed] = await dealer.list('advanceSale', { sn: two })
    expect(first.open_cost).toBe(multiply(first.cost_price, '4', 2))
    const costs = (await linesOf(two)).map(line => line.open_cost)
    expect([isPositive(first.cost_price), sum(costs, 2)]).toEqual([true, listed.lying_cost])
    await asClerk(['page:/commonView/advanceSaleFinance', 'price'], async clerk => {
      const [notified] = await clerk.list('advanceLine', { sale_no: two, specification_sn: inflator })
      expect([notified.price, notified.cost_price, notified.open_cost]).toEqual([first.price, undefined, undefined])
      expect((await clerk.list('advanceSale', { sn: two }))[0].lying_cost).toBeUndefined()
    })
    expectMessage(await onLine(first, 'priceUnconfirm'), '价格尚未确认')
    expect((await onLine(first, 'priceConfirm', { price: '148.1234' })).code).toBe(0)
    expectMessage(await onLine(first, 'priceConfirm'), /价格已确认|他人修改/)
    const doc = await dealer.info('advanceSale', two)
    expect(doc).toMatchObject({ price_state: '3', taxed_amount: '4592.49' })
    expect(doc.lines[0]).toMatchObject({ price: '148.1234', taxed_amount: '592.49', line_price_state: '2' })
    await dealer.done('advanceSale', 'toSale', two)
    const sale = (await dealer.list('saleOdo', { source_sn: two, state: 'draft' }))[0].sn
    expect((await dealer.info('saleOdo', sale)).lines).toMatchObject([{ source_line_no: 1, price: '148.1234' }])
    const other = async (line: object) => {
      const { version } = await dealer.info('saleOdo', sale)
      expect((await dealer.client.post('/v1/business/saleOdo/edit', { sn: sale, version, lines: [line] })).code).toBe(0)
      return dealer.do('saleOdo', 'submit', sale)
    }
    expectMessage(
      await other({ source_sn: two, source_line_no: 1, quantity: '1', price: '150' }),
      /^第\d+行：单价须为财务确认的148.1234元$/,
    )
    expectMessage(
      await other({ source_sn: two, source_line_no: 2, unit_codes: ['YXD'] }),
      /^第\d+行：预销售价格未经财务确认$/,
    )
    expect((await other({ source_sn: two, source_line_no: 1, quantity: '1' })).code).toBe(0)
    await dealer.done('saleOdo', 'review', sale)
    expectMessage(await onLine((await linesOf(two))[0], 'priceUnconfirm'), '已转销售，不能取消确认')
    await dealer.done('advanceSale', 'priceConfirm', two)
    expect((await dealer.info('advanceSale', two)).price_state).toBe('2')
    await scene.rule(d, 'advance_price_confirmed', false)
    sn = two
  })

  step('use at the customer shows as 已使用 with its day only, and is sold: it cannot be returned', async () => {
    const { dealer } = scene
    const [, coded] = await linesOf(sn)
    const use = (row: Record<string, string>, body: object) => onLine(row, 'noteUse', { used_on: day(), ...body })
    expectMessage(await use(coded, { used_quantity: '1' }), '请填写使用的院内码')
    expectMessage(await use(coded, { used_codes: ['YXA'] }), '院内码YXA不在本行')
    expectMessage(await use(coded, { used_codes: ['YXD'], used_on: day(1) }), '使用日期不能晚于今天')
    expect((await use(coded, { used_codes: ['YXD'] })).code).toBe(0)
    const [loose, used] = await linesOf(sn)
    expect(used).toMatchObject({ use_state: 'used', used_on: day(), used_codes: ['YXD'], used_quantity: '1.000' })
    expectMessage(await use(loose, { used_quantity: '5' }), '使用数量超过未结清数量4')
    expect((await use(loose, { used_quantity: '3' })).code).toBe(0)
    expect((await dealer.info('advanceSale', sn)).lines[1]).toMatchObject({ used_on: day(), used_codes: ['YXD'] })
    // 4 sent, 1 sold, 3 used of which 1 is the one sold: 1 may be returned, and the piece that was not used.
    await dealer.done('advanceSale', 'toBack', sn)
    const back = (await dealer.list('advanceReturn', { source_sn: sn, state: 'draft' }))[0].sn
    expect((await dealer.info('advanceReturn', back)).lines).toMatchObject([
      { source_line_no: 1, quantity: '1.000' },
      { source_line_no: 2, unit_codes: ['YXE'] },
    ])
    await part('advanceReturn', sn, [{ source_sn: sn, source_line_no: 2, unit_codes: ['YXD'] }])
    expectMessage(await dealer.do('advanceReturn', 'submit', back), /院内码YXD已使用，只能转销售$/)
    await part('advanceReturn', sn, [{ source_sn: sn, source_line_no: 1, quantity: '2' }])
    expectMessage(await dealer.do('advanceReturn', 'submit', back), /其中2已使用，只能转销售$/)
    await part('advanceReturn', sn, [
      { source_sn: sn, source_line_no: 1, quantity: '1' },
      { source_sn: sn, source_line_no: 2, unit_codes: ['YXE'] },
    ])
    await dealer.pass('advanceReturn', back)
    expectMessage(await dealer.do('advanceSale', 'toBack', sn), '未结清的货物都已使用，只能转销售')
    expectMessage(await onLine((await linesOf(sn))[0], 'forgetUse'), '已转销售，不能撤销使用登记')
    await dealer.done('advanceSale', 'toSale', sn)
    const rest = (await dealer.list('saleOdo', { source_sn: sn, state: 'draft' }))[0].sn
    await part('saleOdo', sn, [
      { source_sn: sn, source_line_no: 1, quantity: '2' },
      { source_sn: sn, source_line_no: 2, unit_codes: ['YXD'] },
    ])
    await dealer.pass('saleOdo', rest)
    expect((await dealer.info('advanceSale', sn)).state).toBe('completed')
    const kept = await dealer.add('advanceSale', carried('1'))
    await dealer.pass('advanceSale', kept)
    expect((await use((await linesOf(kept))[0], { used_quantity: '1' })).code).toBe(0)
    expectMessage(await dealer.do('advanceSale', 'unreview', kept), '预销售单已登记使用，不能反审核，请先撤销使用登记')
    expect((await onLine((await linesOf(kept))[0], 'forgetUse')).code).toBe(0)
    await dealer.done('advanceSale', 'unreview', kept)
    expect(await linesOf(kept)).toEqual([])
  })
})

/** The dealer's second user, with only these rights. */
async function asClerk(flags: readonly string[], does: (clerk: Person) => Promise<void>): Promise<void> {
  const { owner } = scene.server.database
  const [role] =
    await owner`insert into role (org_id, name, flags) values (${scene.d}, '文员', ${flags as string[]}) returning id`
  const [user] = await owner`update app_user set is_administrator = false where login = 'dealer2' returning id`
  await owner`insert into user_role (org_id, user_id, role_id)
      select org_id, id, ${role!.id} from app_user where id = ${user!.id}`
  await does(await scene.person('dealer2'))
  await owner`update app_user set is_administrator = true where id = ${user!.id}`
}
const linesOf = (sale: string) => scene.dealer.list('advanceLine', { sale_no: sale })
const onLine = (row: Record<string, string>, action: string, body: object = {}) =>
  scene.dealer.client.post(`/v1/business/advanceLine/${action}`, {
    sn: row.advance_line_sn,
    version: row.version,
    ...body,
  })

it('an order can be shipped in advance: what is returned is open again', async () => {
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
  // Withdrawn before anything was settled, all stock is back where it was.
  const again = await dealer.add('advanceSale', carried('3'))
  await dealer.pass('advanceSale', again)
  await dealer.done('advanceSale', 'redReverse', again, { reason: '送错' })
  expect((await dealer.info('advanceSale', again)).state).toBe('reversed')
})
