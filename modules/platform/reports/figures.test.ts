import { add, divide, isPositive, subtract, sum } from '#kernel/values/decimal.ts'
import { afterAll, beforeAll, expect } from 'vitest'
import { story } from '#tests/support/steps.ts'
import { lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { day, type Person } from '#tests/support/story.ts'

/** Figures of stock, sales and month end: each agrees with the ledger to the cent. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene({ figures: true })
})
afterAll(() => scene?.close())

const thisMonth = () => ({ begin_date: `${day().slice(0, 7)}-01`, end_date: day() })
const ask = async (who: Person, kind: string, query: object) => {
  const reply = await who.client.get(`/v1/report/${kind}`, { ...query } as Record<string, string>)
  expect(reply.code, reply.msg).toBe(0)
  return reply
}

/** Goods bought by the dealer at 12, of which the hospital gets a part at 113 with 13 % tax. */
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

story('figures, from one step to the next', step => {
  step('a card balances on every row, and as of today shows the current stock', async () => {
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

  step('a reversed receipt counts negative in its own column, on its own day', async () => {
    const { hospital, dealer, shop, inflator } = scene
    await scene.shelve(dealer, shop, [lotOf(inflator, 'UNDO', { quantity: '10', price: '60' })])
    const { grn } = await sold('UNDO', '4')
    const card = async () =>
      (await ask(hospital, 'psiDetail', { ...thisMonth(), specification_sn: inflator, lot_no: 'UNDO' })).list[0]
    expect(await card()).toMatchObject({ purchase_in: '4.000', closing_quantity: '4.000' })
    await hospital.done('purchaseGrn', 'redReverse', grn, { reason: '错收' })
    expect(await card()).toMatchObject({ purchase_in: '0.000', other_out: '0.000', closing_quantity: '0.000' })
    const { list: bought } = await ask(hospital, 'inboundFinance', { ...thisMonth(), specification_sn: inflator })
    const named = bought.filter((row: { lot_no: string }) => row.lot_no === 'UNDO')
    expect(named.map((row: { paper_name: string; quantity: string }) => [row.paper_name, row.quantity]).sort()).toEqual(
      [
        ['红冲采购入库单', '-4.000'],
        ['采购入库单', '4.000'],
      ],
    )
    // Received three days ago and reversed yesterday: it was on hand until yesterday.
    await scene.server.database.owner`
    update stock_move m set at = m.at - case when d.sn = ${grn} then interval '3 days' else interval '1 day' end
      from document d where d.org_id = m.org_id and d.id = m.document_id and d.org_id = ${scene.h}
        and (d.sn = ${grn} or d.red_of_id = (select id from document o where o.org_id = d.org_id and o.sn = ${grn}
        and o.role = 'own'))`
    const createSystemDraft = async (ago: number) =>
      (await ask(hospital, 'stockAsOf', { end_date: day(ago), specification_sn: inflator, lot_no: 'UNDO' })).list.map(
        (row: { quantity: string }) => row.quantity,
      )
    expect([
      await createSystemDraft(-4),
      await createSystemDraft(-3),
      await createSystemDraft(-2),
      await createSystemDraft(-1),
    ]).toEqual([[], ['4.000'], ['4.000'], []])
  })

  step('sales: net, cost, profit; profit is shown only with the permission', async () => {
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
    // A hospital sells nothing: its goods leave at cost, and what a sale has is in no answer.
    const used = await ask(scene.finance, 'outboundFinance', thisMonth())
    expect(used.summary).toHaveProperty('cost')
    for (const name of ['taxed_amount', 'profit', 'billed']) expect(used.summary).not.toHaveProperty(name)
    // A clerk with access to prices and without the right to see profit.
    const clerk = await scene.clerk('dealer', 'figures.clerk', ['page:/commonView/outboundFinance', 'price'])
    const shown = await ask(clerk, 'outboundFinance', thisMonth())
    expect(Object.keys(shown.summary)).toEqual(expect.arrayContaining(['taxed_amount', 'billed']))
    expect(shown.summary).not.toHaveProperty('profit')
    const ordered = await clerk.client.get('/v1/report/outboundFinance', { ...thisMonth(), sort: '-profit' })
    expect(ordered.msg).toBe('没有成本毛利权限，不能按【毛利】查询或排序')
  })

  step('textbook card: 20 at 10, 30 at 12, 25 sold and 5 returned leave 30 at 11.20; gifts are no sales', async () => {
    const { dealer, hospital, shop, v, h, inflator } = scene
    await scene.shelve(dealer, shop, [lotOf(inflator, 'TEXT', { quantity: '20', price: '10', tax_rate: 0 })])
    const grn = await dealer.add('purchaseGrn', {
      counterparty_sn: v,
      warehouse_model_inner_sn: shop,
      lines: [lotOf(inflator, 'TEXT', { quantity: '30', price: '12', tax_rate: 0 })],
    })
    await dealer.pass('purchaseGrn', grn)
    const card = async (more: object = {}) =>
      (await ask(dealer, 'psiDetail', { ...thisMonth(), specification_sn: inflator, lot_no: 'TEXT', ...more })).list[0]
    const averaged = await dealer.list('stockBalance', { lot_no: 'TEXT', warehouse_model_inner_sn: shop })
    expect(averaged).toMatchObject([{ cost_price: '11.2000', value: '560.00' }])
    const received = await sold('TEXT', '25')
    const sent = await hospital.add('purchaseReturn', {
      source_type: 9,
      source_sn: received.grn,
      return_reason: '多订',
      lines: [{ source_line_no: 1, quantity: '5' }],
    })
    await hospital.pass('purchaseReturn', sent)
    const back = (await dealer.from('saleReturn', sent)).sn
    for (const action of ['submit', 'inspect', 'review']) await dealer.done('saleReturn', action, back)
    expect(await card()).toMatchObject({
      purchase_in: '30.000',
      return_in: '5.000',
      issue_out: '25.000',
      closing_quantity: '30.000',
      closing_value: '336.00',
    })
    // Movements of one partner's documents.
    expect(await card({ counterparty_sn: v })).toMatchObject({ total_in: '30.000', total_out: '0.000' })
    expect(await card({ counterparty_sn: h })).toMatchObject({ total_in: '5.000', total_out: '25.000' })
    const of = async (more: object) =>
      (
        await ask(dealer, 'salesSummary', {
          ...thisMonth(),
          dimension: 'customer',
          specification_sn: inflator,
          ...more,
        })
      ).list[0]
    const all = await of({})
    expect(all.net_quantity).toBe(subtract(all.sold_quantity, all.returned_quantity, 3))
    expect(all.profit).toBe(subtract(all.untaxed_amount, all.cost, 2))
    // However they are grouped, the sales are the same.
    for (const dimension of ['department', 'class', 'month', 'handler', 'goods'])
      expect(await of({ dimension }), dimension).toMatchObject({ taxed_amount: all.taxed_amount, profit: all.profit })
    expect((await of({ dimension: 'month' })).month).toBe(day().slice(0, 7))
    expect(await of({ customer_type: '1' })).toEqual(all)
    expect(await of({ customer_type: '2' })).toBeUndefined()
    const gift = await dealer.add('giveOdo', {
      counterparty_sn: h,
      warehouse_model_inner_sn: shop,
      give_type: 'trial',
      give_reason: '试用',
      lines: [{ specification_sn: inflator, lot_no: 'TEXT', quantity: '1' }],
    })
    await dealer.pass('giveOdo', gift)
    // It has a column of its own, and no sales figure changed.
    expect(await of({})).toEqual({ ...all, given_quantity: add(all.given_quantity, '1', 3) })
    await dealer.done('giveOdo', 'redReverse', gift, { reason: '未送出' })
    expect(await of({})).toEqual(all)
  })

  step('uninvoiced is estimated: 100 at 10.00, 40 invoiced leave 600.00; undone, all is estimated again', async () => {
    const { hospital, d, central, inflator } = scene
    const grn = await hospital.add('purchaseGrn', {
      counterparty_sn: d,
      warehouse_model_inner_sn: central,
      lines: [lotOf(inflator, 'EST', { quantity: '100', price: '11.3', tax_rate: 13 })],
    })
    await hospital.pass('purchaseGrn', grn)
    const line = async () => (await ask(hospital, 'inboundFinance', { ...thisMonth(), document_sn: grn })).list[0]
    expect(await line()).toMatchObject({ untaxed_price: '10.0000', estimated: '1000.00', invoice_state: 'none' })
    const invoice = await hospital.add('inboundInvoice', {
      source_type: 9,
      source_sn: grn,
      invoice_no: '26312000000000000901',
      invoice_date: day(),
      lines: [{ source_line_no: 1, quantity: '40' }],
    })
    await hospital.pass('inboundInvoice', invoice)
    expect(await line()).toMatchObject({ billed: '400.00', estimated: '600.00', invoice_state: 'part' })
    expect(await line()).toMatchObject({ finance_class: '其他卫生材料', invoice_no: '26312000000000000901' })
    await hospital.done('inboundInvoice', 'unreview', invoice)
    expect(await line()).toMatchObject({ billed: '0.00', estimated: '1000.00', invoice_state: 'none' })
  })

  step('classes narrow the figures, including sub-classes; 财务分类 is that of the day', async () => {
    const { hospital, inflator, central } = scene
    const [leaf] = await hospital.list('customType', { tree: 'account', name: '其他卫生材料' })
    const [other] = await hospital.list('customType', { tree: 'account', name: '影像材料' })
    const goods = { ...thisMonth(), specification_sn: inflator }
    const month = { period: day().slice(0, 7), specification_sn: inflator, warehouse_model_inner_sn: central }
    const rows = async (kind: string, query: object) => (await ask(hospital, kind, query)).list
    for (const [kind, query, param] of [
      ['inboundFinance', goods, 'finance_class_sn'],
      ['stockFinance', month, 'finance_class_sn'],
      ['psiDetail', goods, 'custom_type_sn'],
      ['stockAsOf', { end_date: day(), specification_sn: inflator }, 'custom_type_sn'],
    ] as const) {
      const all = await rows(kind, query)
      expect(all.length, kind).toBeGreaterThan(0)
      expect(await rows(kind, { ...query, [param]: leaf.custom_type_sn }), kind).toEqual(all)
      expect(await rows(kind, { ...query, [param]: other.custom_type_sn }), kind).toEqual([])
    }
    // If moved from tomorrow on, figures up to today keep the class of their day.
    await scene.server.database.owner`
    with left_ as (update typed_product set valid_to = ${day()} where org_id = ${scene.h} and tree = 'account'
      and specification_id = ${inflator} and valid_to is null returning org_id, tree, specification_id)
    insert into typed_product (org_id, tree, custom_type_id, specification_id, valid_from, by_name) select org_id,
      tree, ${other.custom_type_sn}, specification_id, ${day(1)}, '测试' from left_`
    for (const [kind, query, param] of [
      ['inboundFinance', goods, 'finance_class_sn'],
      ['psiDetail', { ...goods, end_date: day() }, 'custom_type_sn'],
      ['stockAsOf', { end_date: day(), specification_sn: inflator }, 'custom_type_sn'],
    ] as const) {
      expect((await rows(kind, { ...query, [param]: leaf.custom_type_sn })).length, kind).toBeGreaterThan(0)
      expect(await rows(kind, { ...query, [param]: other.custom_type_sn }), kind).toEqual([])
    }
    expect((await rows('stockFinance', { ...month, supplier_sn: scene.d })).length).toBe(1)
    expect(await rows('stockFinance', { ...month, supplier_sn: scene.v })).toEqual([])
    expect(await rows('inboundFinance', { ...goods, ownership: 'consigned' })).toEqual([])
  })

  step('a ward with expense at issue counts issues less returns, and no longer its uses', async () => {
    const { hospital, central, ward, department, inflator } = scene
    await scene.shelve(hospital, central, [lotOf(inflator, 'ISSUE', { quantity: '20', price: '10', tax_rate: 0 })])
    const sn = await hospital.add('grantOdo', {
      warehouse_model_inner_sn: central,
      to_warehouse_model_inner_sn: ward,
      department_inner_sn: department,
      lines: [{ specification_sn: inflator, lot_no: 'ISSUE', quantity: '8' }],
    })
    await hospital.pass('grantOdo', sn)
    await hospital.done('wardReceipt', 'review', (await hospital.from('wardReceipt', sn)).sn)
    const back = await hospital.add('grantReturn', {
      source_type: 1,
      source_sn: sn,
      return_reason: '未用完',
      lines: [{ source_line_no: 1, quantity: '3' }],
    })
    for (const action of ['submit', 'inspect', 'review']) await hospital.done('grantReturn', action, back)
    const use = await hospital.add('departmentUse', {
      warehouse_model_inner_sn: ward,
      department_inner_sn: department,
      use_type: 'consume',
      lines: [{ specification_sn: inflator, lot_no: 'ISSUE', quantity: '2' }],
    })
    await hospital.pass('departmentUse', use)
    const spent = async () =>
      (
        await ask(hospital, 'outboundFinance', {
          ...thisMonth(),
          specification_sn: inflator,
          department_inner_sn: department,
        })
      ).list.map(row => [row.document_kind, row.quantity, row.cost])
    expect(await spent()).toEqual([['departmentUse', '2.000', '20.00']])
    // A store that moved goods keeps how it accounts for them: here it has always been so.
    const accounts = (accounting: string) =>
      scene.one('update warehouse set accounting = $1 where id = $2 returning 1', accounting, ward)
    await accounts('issue')
    expect((await spent()).sort()).toEqual([
      ['grantOdo', '8.000', '80.00'],
      ['grantReturn', '-3.000', '-30.00'],
    ])
    await accounts('receipt')
    expect((await spent()).sort()).toEqual([
      ['grantReturn', '-3.000', '-30.00'],
      ['wardReceipt', '8.000', '80.00'],
    ])
  })

  step('a user limited to own documents sees only own sales and issues', async () => {
    const { finance, one } = scene
    const scoped = (scope: string) =>
      one("update app_user set data_scope = $1 where login = 'finance' returning 1", scope)
    const rows = async () => (await ask(finance, 'outboundFinance', thisMonth())).list.length
    expect(await rows()).toBeGreaterThan(0)
    await scoped('own')
    expect(await rows()).toBe(0)
    await scoped('organisation')
  })

  step('the two tabs of receipts agree to the cent', async () => {
    const { hospital } = scene
    const lines = await ask(hospital, 'inboundFinance', { ...thisMonth(), pageSize: '500' })
    const sums = await ask(hospital, 'inboundFinanceSummary', { ...thisMonth(), pageSize: '500' })
    expect(lines.list.length).toBeGreaterThan(0)
    expect(sums.summary).toMatchObject(lines.summary)
    expect(lines.summary.estimated).toBe(lines.summary.untaxed_amount)
  })

  step('as account book entries debit equals credit, and both match the lines', async () => {
    const { hospital, dealer } = scene
    const whole = { ...thisMonth(), pageSize: '500' }
    const entries = async (who: Person, kind: string) => {
      const { list, summary } = await ask(who, kind, whole)
      expect(summary.debit, kind).toBe(summary.credit)
      const of = (account: string, side: 'debit' | 'credit') =>
        sum(
          list
            .filter((row: Record<string, string>) => row.account_name === account)
            .map((row: Record<string, string>) => row[side]!),
          2,
        )
      return of
    }
    const bought = await entries(hospital, 'inboundVoucher')
    const came = (await ask(hospital, 'inboundFinance', whole)).summary
    expect(bought('库存商品', 'debit')).toBe(came.taxed_amount)
    expect(bought('应付账款-暂估', 'credit')).toBe(came.taxed_amount)
    expect(bought('应交税费-待认证进项税额', 'debit')).toBe('0.00')
    const [theirs, left] = [
      await entries(dealer, 'outboundVoucher'),
      (await ask(dealer, 'outboundFinance', whole)).summary,
    ]
    expect(theirs('应收账款', 'debit')).toBe(left.taxed_amount)
    expect(theirs('应交税费-销项税额', 'credit')).toBe(left.tax_amount)
    expect(add(theirs('库存商品', 'credit'), theirs('发出商品', 'credit'), 2)).toBe(left.cost)
    const used = await entries(hospital, 'outboundVoucher')
    const spent = (await ask(hospital, 'outboundFinance', whole)).summary
    expect(used('库存商品', 'credit')).toBe(spent.cost)
  })

  step('the month-end account is the ledger: opening + in - out + adjustment = closing', async () => {
    const { dealer, d } = scene
    const { summary } = await ask(dealer, 'stockFinance', {
      period: day().slice(0, 7),
      ownership: 'own',
      pageSize: '500',
    })
    const came = sum([summary.opening_value, summary.in_value, summary.adjustment], 2)
    expect(subtract(came, summary.out_value, 2)).toBe(summary.closing_value)
    const ledger = await scene.one(
      'select sum(value)::numeric(18,2) as value from stock_balance where org_id = $1 and owner_id = $1',
      d,
    )
    // Goods on the way are still ours, but are in no store.
    expect(isPositive(summary.transit_value)).toBe(true)
    expect(add(summary.closing_value, summary.transit_value, 2)).toBe(ledger.value)
  })

  step('three reports of a month say one opening and one closing, whatever day documents were dated', async () => {
    const { dealer, shop, inflator } = scene
    const late = { business_date: day(-40) }
    await scene.shelve(dealer, shop, [lotOf(inflator, 'LATE', { quantity: '6', price: '50' })], late)
    await sold('LATE', '2')
    const odo = await dealer.add('saleOdo', {
      counterparty_sn: scene.h,
      warehouse_model_inner_sn: shop,
      lines: [{ specification_sn: inflator, lot_no: 'LATE', quantity: '1', price: '113' }],
    })
    await dealer.pass('saleOdo', odo)
    const from = `${day().slice(0, 7)}-01`
    for (const whole of [{}, { specification_sn: inflator }, { warehouse_model_inner_sn: shop }]) {
      const days = { ...whole, begin_date: from, end_date: day(), pageSize: '500' }
      const reports = await Promise.all([
        ask(dealer, 'psiDetail', days),
        ask(dealer, 'inventorySummaryReport', days),
        ask(dealer, 'stockFinance', { ...whole, period: from.slice(0, 7), pageSize: '500' }),
      ])
      const figures = ['opening_quantity', 'opening_value', 'closing_quantity', 'closing_value']
      const said = reports.map(({ list }) =>
        figures.map(name =>
          sum(
            list.map((row: Record<string, string>) => row[name]!),
            3,
          ),
        ),
      )
      expect(isPositive(said[0]![2]!)).toBe(true)
      expect(said[1]).toEqual(said[0])
      expect(said[2]).toEqual(said[0])
    }
  })

  step('grouped freely, the sums agree with the rows to the cent; rates are computed from the sums', async () => {
    const { dealer } = scene
    const whole = { ...thisMonth(), pageSize: '500' }
    const rows = await ask(dealer, 'outboundFinance', whole)
    const by = await ask(dealer, 'outboundFinance', { ...whole, group_by: 'receiver_name,month' })
    const figures = (list: Record<string, string>[], name: string) => list.map(row => row[name] ?? '0')
    expect(by.list.length).toBeGreaterThan(0)
    expect(by.list.length).toBeLessThan(rows.list.length)
    expect(by.total).toBe(by.list.length)
    expect(by.summary).toEqual(rows.summary)
    for (const name of ['quantity', 'taxed_amount', 'cost', 'profit'])
      expect(sum(figures(by.list, name), 3), name).toBe(sum(figures(rows.list, name), 3))
    const [first] = by.list.filter((row: Record<string, string>) => isPositive(row.untaxed_amount!))
    expect(Object.keys(first).slice(0, 2)).toEqual(['receiver_name', 'month'])
    expect(first).not.toHaveProperty('lot_no')
    expect(first.margin).toBe(divide(first.profit, first.untaxed_amount, 4))
    const card = await ask(dealer, 'psiDetail', { ...whole, group_by: 'product_name', sort: '-closing_quantity' })
    for (const row of card.list)
      expect(row.closing_quantity).toBe(subtract(sum([row.opening_quantity, row.total_in], 3), row.total_out, 3))
    const as = await ask(dealer, 'stockAsOf', { end_date: day(), group_by: 'warehouse_name', sort: 'lot_no' })
    expect(as.list.length).toBeGreaterThan(0)
    const wrong = await dealer.client.get('/v1/report/stockAsOf', { end_date: day(), group_by: 'cost_price' })
    expect(wrong).toMatchObject({ code: 2000, msg: '历史库存查询不能按【成本单价】分组' })
    const notified = await scene.finance.client.get('/v1/report/outboundFinance', {
      ...whole,
      group_by: 'month',
    } as never)
    expect(notified.list[0]).not.toHaveProperty('profit')
    const query = { ...thisMonth(), group_by: 'month' }
    const sheet = await dealer.client.raw({ method: 'GET', url: '/v1/report/outboundFinance/export', query })
    expect(sheet.statusCode).toBe(200)
  })

  step('an invalid period is refused with a message; a workbook may cover more than a year', async () => {
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
})
