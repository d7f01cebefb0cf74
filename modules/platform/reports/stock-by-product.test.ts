import { isZero, round, subtract, sum } from '#kernel/values/decimal.ts'
import { afterAll, beforeAll, expect } from 'vitest'
import { story } from '#tests/support/steps.ts'
import { lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { day, type Person } from '#tests/support/story.ts'

/** 库存查询 by product and by location: on hand, reserved, available, in transit, waiting for inspection. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene?.close())

// oxlint-disable-next-line typescript/no-explicit-any -- rows of all reports
const ask = async (who: Person, kind: string, query: Record<string, string> = {}): Promise<any> =>
  who.client.get(`/v1/report/${kind}`, query)

story('stock by product, from one step to the next', step => {
  step('stock of a product counts reserved, in transit (own or from a supplier), and to be inspected', async () => {
    const { hospital, dealer, central, shop, inflator, h } = scene
    await scene.rule(h, 'arrival_before_receipt', true)
    await scene.shelve(hospital, central, [
      lotOf(inflator, 'BY1', { quantity: '10', price: '5', location: 'A-01' }),
      lotOf(inflator, 'BY2', { quantity: '4', price: '5', location: 'A-02', expiry_date: day(30) }),
    ])
    await scene.shelve(dealer, shop, [lotOf(inflator, 'BY3', { quantity: '9' })])
    const loss = await hospital.add('loss', {
      warehouse_model_inner_sn: central,
      loss_type: 'missing',
      lines: [{ specification_sn: inflator, lot_no: 'BY1', quantity: '3', line_reason: '缺' }],
    })
    await hospital.done('loss', 'submit', loss)
    const row = async (query: Record<string, string> = {}) =>
      (await ask(hospital, 'stockByProduct', { specification_sn: inflator, ...query })).list[0]
    expect(await row()).toMatchObject({
      quantity: '14.000',
      reserved: '3.000',
      available: '11.000',
      in_transit: null,
      near_quantity: '4.000',
      first_expiry: day(30),
      value: '70.00',
    })
    // A transfer within the organisation: in transit to the ward.
    const transfer = await hospital.add('transfer', {
      warehouse_model_inner_sn: central,
      to_warehouse_model_inner_sn: scene.ward,
      lines: [{ specification_sn: inflator, lot_no: 'BY1', quantity: '2' }],
    })
    await hospital.pass('transfer', transfer)
    expect(await row({ warehouse_model_inner_sn: scene.ward })).toMatchObject({
      quantity: '0.000',
      in_transit: '2.000',
    })
    // A supplier's delivery: in transit, arrived and waiting for inspection, inspected and waiting to be received.
    const odo = await dealer.add('saleOdo', {
      counterparty_sn: h,
      warehouse_model_inner_sn: shop,
      lines: [{ specification_sn: inflator, lot_no: 'BY3', quantity: '5' }],
    })
    await dealer.pass('saleOdo', odo)
    expect(await row()).toMatchObject({ in_transit: '7.000', pending: null })
    const { sn } = await hospital.from('arrivalOrder', odo)
    await hospital.done('arrivalOrder', 'edit', sn, { warehouse_model_inner_sn: central })
    await hospital.pass('arrivalOrder', sn)
    expect(await row()).toMatchObject({ in_transit: '2.000', pending: '5.000', quantity: '12.000' })
    // Beside each lot already on hand.
    const lots = await hospital.list('stockBalance', { warehouse_model_inner_sn: central, specification_sn: inflator })
    expect(lots.every(lot => lot.pending_quantity === null)).toBe(true)
    await scene.rule(h, 'arrival_before_receipt', false)
    const places = (
      await ask(hospital, 'stockByPlace', { specification_sn: inflator, warehouse_model_inner_sn: central })
    ).list
    expect(places.map((place: { location: string; quantity: string }) => [place.location, place.quantity])).toEqual([
      ['A-01', '8.000'],
      ['A-02', '4.000'],
    ])
  })

  step('a past day is summed from the moves; a future day is refused', async () => {
    const { hospital, inflator } = scene
    const at = async (end_date: string) => ask(hospital, 'stockByProduct', { specification_sn: inflator, end_date })
    expect((await at(day(-1))).list).toEqual([])
    expect((await at(day())).list[0]).toMatchObject({ quantity: '12.000', value: '60.00', reserved: null })
    expect((await at(day(1))).msg).toBe('截止日期不能大于当前日期')
    const now = await ask(hospital, 'stockByProduct', { specification_sn: inflator })
    expect(now.summary.quantity).toBe((await at(day())).summary.quantity)
  })

  step('what is below minimum or above maximum is flagged, by product and beside each lot', async () => {
    const { hospital, central, inflator } = scene
    const limits = { warehouse_model_inner_sn: central, specification_sn: inflator, reorder_point: '30' }
    const add = (least: string, most: string) =>
      hospital.client.post('/v1/business/warehouseProduct/add', { ...limits, min_quantity: least, max_quantity: most })
    expect((await add('20', '40')).code).toBe(0)
    const level = async () => [
      (await ask(hospital, 'stockByProduct', { specification_sn: inflator })).list[0].level,
      (await hospital.list('stockBalance', { warehouse_model_inner_sn: central, specification_sn: inflator }))[0].level,
    ]
    expect(await level()).toEqual(['low', 'low'])
    await scene.shelve(hospital, central, [lotOf(inflator, 'BY4', { quantity: '50' })])
    expect(await level()).toEqual(['high', 'high'])
  })

  step('split by warehouse, owner, month, class and supplier, the sums match the ledger', async () => {
    const { dealer, hospital, server, shop, h, d, v, inflator } = scene
    await scene.rule(h, 'arrival_before_receipt', false)
    const whole = { begin_date: `${day(-40).slice(0, 7)}-01`, end_date: day(), pageSize: '500' }
    const summed = (list: Record<string, string>[], name: string) =>
      sum(
        list.map(row => row[name] ?? '0'),
        3,
      )
    await scene.shelve(dealer, shop, [lotOf(inflator, 'MONTHS', { quantity: '20', price: '60', tax_rate: 0 })])
    const back = server.database.owner`
    update stock_move set at = at - interval '35 days'
      where org_id = ${d} and lot_id = (select id from lot where lot_no = 'MONTHS') and quantity = 20`
    expect((await back).count).toBe(1)
    const bought = await dealer.add('purchaseGrn', {
      counterparty_sn: v,
      warehouse_model_inner_sn: shop,
      lines: [lotOf(inflator, 'FROM-MAKER', { quantity: '3', price: '12', tax_rate: 0 })],
    })
    await dealer.pass('purchaseGrn', bought)
    for (const [regime, quantity] of [
      ['purchased', '5'],
      ['consigned', '2'],
    ] as const) {
      const odo = await dealer.add('saleOdo', {
        counterparty_sn: h,
        warehouse_model_inner_sn: shop,
        regime,
        lines: [{ specification_sn: inflator, lot_no: 'MONTHS', quantity, price: '113', tax_rate: 13 }],
      })
      await dealer.pass('saleOdo', odo)
      const grn = (await hospital.from('purchaseGrn', odo)).sn
      await hospital.done('purchaseGrn', 'submit', grn)
      await hospital.done('purchaseGrn', 'review', grn)
    }
    const of = { ...whole, specification_sn: inflator, lot_no: 'MONTHS' }
    const months = (await ask(dealer, 'psiDetail', { ...of, group_by: 'month', sort: 'month' })).list
    const notified = months.map((row: Record<string, string>) => [row.opening_quantity, row.total_in, row.total_out])
    expect(notified.length).toBeGreaterThan(1)
    expect([notified[0], notified.at(-1)]).toEqual([
      ['0.000', '20.000', '0.000'],
      ['20.000', '0.000', '7.000'],
    ])
    for (const [place, row] of months.entries())
      expect(row.opening_value).toBe(months[place - 1]?.closing_value ?? '0.00')
    for (const who of [dealer, hospital]) {
      const rows = await ask(who, 'psiDetail', { ...whole, measure: 'both' })
      for (const group_by of ['warehouse_name', 'owner_name', 'warehouse_name,owner_name,lot_no', 'month']) {
        const by = await ask(who, 'psiDetail', { ...whole, group_by, measure: 'both' })
        expect(by.summary).toEqual(rows.summary)
        for (const name of ['total_in', 'total_out', 'total_in_value', 'total_out_value', 'adjustment'])
          expect(summed(by.list, name), `${group_by} ${name}`).toBe(summed(rows.list, name))
        for (const row of by.list) {
          const came = sum([row.opening_quantity ?? '0', row.total_in ?? '0'], 3)
          expect(row.closing_quantity).toBe(subtract(came, row.total_out ?? '0', 3))
          const worth = sum([row.opening_value ?? '0', row.total_in_value ?? '0', row.adjustment ?? '0'], 2)
          expect(row.closing_value).toBe(subtract(worth, row.total_out_value ?? '0', 2))
        }
      }
      const place = await ask(who, 'psiDetail', { ...whole, group_by: 'warehouse_name' })
      const ledger = await server.database.owner<{ name: string; quantity: string }[]>`
      select w.name, sum(b.quantity)::numeric(18,3)::text as quantity from stock_balance b
        join warehouse w on w.org_id = b.org_id and w.id = b.warehouse_id
       where b.org_id = ${who === dealer ? d : scene.h} and w.model not in ('transit', 'consumed') group by 1`
      const left = place.list.filter((row: Record<string, string>) => !isZero(row.closing_quantity!))
      expect(left.map((row: Record<string, string>) => [row.warehouse_name, row.closing_quantity]).sort()).toEqual(
        ledger
          .filter(row => !isZero(row.quantity))
          .map(row => [row.name, row.quantity])
          .sort(),
      )
    }
    const own = (await hospital.list('customType', { tree: 'own' })).length
    expect(own).toBeGreaterThan(0)
    const classed = await ask(hospital, 'stockAsOf', { end_date: day(), pageSize: '500', group_by: 'class_name' })
    const balances = await ask(hospital, 'stockAsOf', { end_date: day(), pageSize: '500' })
    expect(summed(classed.list, 'quantity')).toBe(summed(balances.list, 'quantity'))
    expect(classed.list.map((row: Record<string, string>) => row.class_name).some(Boolean)).toBe(true)
    const period = day().slice(0, 7)
    const account = await ask(dealer, 'stockFinance', { period, pageSize: '500' })
    for (const group_by of ['ownership', 'supplier_name', 'period']) {
      const by = await ask(dealer, 'stockFinance', { period, pageSize: '500', group_by })
      expect(round(summed(by.list, 'closing_value'), 2), group_by).toBe(account.summary.closing_value)
      expect(summed(by.list, 'closing_quantity'), group_by).toBe(summed(account.list, 'closing_quantity'))
    }
    // The goods that the manufacturer delivered have its name as supplier; those that nobody delivered have none.
    const makers = await ask(dealer, 'stockFinance', { period, supplier_sn: v, group_by: 'supplier_name' })
    const maker = await scene.one('select name from organisation where id = $1', v)
    expect(makers.list).toMatchObject([{ supplier_name: maker.name }])
    const seller = await scene.one('select name from organisation where id = $1', d)
    const asked = { period, specification_sn: inflator, group_by: 'ownership,supplier_name' }
    const kinds = (await ask(hospital, 'stockFinance', asked)).list
    expect(kinds.filter((row: Record<string, string>) => row.ownership === 'consigned')).toMatchObject([
      { supplier_name: seller.name, closing_quantity: '2.000', consigned_quantity: '2.000', closing_value: '0.00' },
    ])
    const sheet = await dealer.client.raw({
      method: 'GET',
      url: '/v1/report/psiDetail/export',
      query: { ...of, group_by: 'month' },
    })
    expect(sheet.statusCode).toBe(200)
  })
})
