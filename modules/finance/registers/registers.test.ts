import { read, utils } from '@e965/xlsx'
import { afterAll, beforeAll, expect } from 'vitest'
import { story } from '#tests/support/steps.ts'
import { lotOf, openScene, expectMessage, type Scene } from '#tests/support/fixture.ts'

/** 采购记录与销售记录: the registers that dealers and manufacturers must keep; written by the system, changed by no one. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
  await scene.shelve(scene.dealer, scene.shop, [lotOf(scene.inflator, 'DJ1', { quantity: '100' })])
})
afterAll(() => scene?.close())

// oxlint-disable-next-line typescript/no-explicit-any -- a story knows what it asked for
type Row = any
const records = async (kind: 'purchaseRecord' | 'salesRecord', query: Record<string, string>) =>
  (await scene.dealer.client.get(`/v1/business/${kind}/list`, query)) as Row
const call = (kind: string, name: string, keys: readonly string[]) =>
  scene.dealer.client.post(`/v1/business/${kind}/${name}`, { sns: keys })

/** A reviewed order from the dealer to the manufacturer. */
async function ordered(quantity: string): Promise<string> {
  const { dealer, v, shop, stent } = scene
  const sn = await dealer.add('purchaseOrder', {
    counterparty_sn: v,
    warehouse_model_inner_sn: shop,
    lines: [{ specification_sn: stent, quantity }],
  })
  await dealer.pass('purchaseOrder', sn)
  return sn
}
/** A delivery of the dealer to the hospital. */
async function sold(quantity: string): Promise<string> {
  const { hospital, dealer, d, central, shop, inflator } = scene
  const po = await hospital.add('purchaseOrder', {
    counterparty_sn: d,
    warehouse_model_inner_sn: central,
    lines: [{ specification_sn: inflator, quantity }],
  })
  await hospital.pass('purchaseOrder', po)
  const so = (await dealer.from('salesOrder', po)).sn
  await dealer.done('salesOrder', 'review', so)
  const odo = await dealer.add('saleOdo', { source_type: 4, source_sn: so, warehouse_model_inner_sn: shop })
  await dealer.pass('saleOdo', odo)
  return odo
}

story('registers, from one step to the next', step => {
  step('an ordered line is registered with names and licences of the day; later changes do not affect it', async () => {
    const sn = await ordered('3')
    const { list, summary } = await records('purchaseRecord', { order_sn: sn })
    expect(list).toHaveLength(1)
    expect(list[0]).toMatchObject({
      record_no: expect.stringMatching(/^CGJL\d{10,}$/),
      state: 'open',
      partner_sn: scene.v,
      quantity: '3.000',
      arrived_quantity: '0.000',
    })
    for (const name of ['partner_credit_code', 'registration_no', 'registrant', 'manufacturer_name', 'unit_name'])
      expect(list[0][name], name).toBeTruthy()
    expect(summary).toMatchObject({ quantity: '3.000', amount: list[0].amount })
    // Exported in the column order of the page, with three, four and two decimals.
    const sheet = await scene.dealer.client.raw({
      method: 'GET',
      url: '/v1/business/purchaseRecord/export',
      query: { order_sn: sn },
    })
    const book = read(sheet.rawPayload)
    const table = utils.sheet_to_json<string[]>(book.Sheets[book.SheetNames[0]!]!, { header: 1, raw: false })
    const titles = table.find(cells => cells.includes('记录编号'))!
    expect(titles.slice(0, 6)).toEqual(['记录编号', '状态', '购货日期', '供货者名称', '许可证/备案凭证号', '产品名称'])
    const row = table[table.indexOf(titles) + 1]!
    expect(['数量', '含税单价', '含税金额'].map(title => row[titles.indexOf(title)]!.split('.')[1]!.length)).toEqual([
      3, 4, 2,
    ])
    const before = list[0].partner_name
    await scene.one("update organisation set name = name || '（更名）' where id = $1 returning 1", scene.v)
    expect((await records('purchaseRecord', { order_sn: sn })).list[0].partner_name).toBe(before)
    await scene.one('update organisation set name = $2 where id = $1 returning 1', scene.v, before)
  })

  step('undone: its rows are struck through and kept; reviewed again: new rows; stopped: the rest ends', async () => {
    const { dealer } = scene
    const sn = await ordered('2')
    await dealer.done('purchaseOrder', 'unreview', sn)
    expect((await records('purchaseRecord', { order_sn: sn })).list.map((row: Row) => row.state)).toEqual(['void'])
    await dealer.done('purchaseOrder', 'review', sn)
    const { list } = await records('purchaseRecord', { order_sn: sn })
    expect(list.map((row: Row) => row.state).toSorted()).toEqual(['open', 'void'])
    expect(new Set(list.map((row: Row) => row.record_no)).size).toBe(2)
    await dealer.done('purchaseOrder', 'stop', sn, { reason: '厂家缺货' })
    const after = await records('purchaseRecord', { order_sn: sn, state: 'stopped' })
    expect(after.list).toHaveLength(1)
  })

  step('no one can add, change or delete a row, not even the application’s database user', async () => {
    const { list } = await records('purchaseRecord', {})
    for (const name of ['add', 'edit', 'del'])
      expect((await scene.dealer.client.post(`/v1/business/purchaseRecord/${name}`, { sn: list[0].sn })).code).not.toBe(
        0,
      )
    const granted = await scene.one(
      `select string_agg(privilege_type, ',' order by privilege_type) as may
      from information_schema.role_table_grants where table_name = 'trade_record' and grantee <> current_user`,
    )
    expect(granted.may).toBe('INSERT,SELECT')
  })

  step('生成到货单 takes what has not arrived, from one supplier', async () => {
    const { dealer } = scene
    const first = await ordered('1')
    const second = await ordered('2')
    const keys = async (sn: string) =>
      (await records('purchaseRecord', { order_sn: sn })).list.map((row: Row) => row.purchase_record_sn)
    const chosen = [...(await keys(first)), ...(await keys(second))]
    const made = await call('purchaseRecord', 'toArrival', chosen)
    expect(made.code).toBe(0)
    const sn = /DH\d+/.exec(JSON.stringify(made))![0]
    const doc = await dealer.info('arrivalOrder', sn)
    expect(doc).toMatchObject({ state: 'draft', counterparty_sn: scene.v, source_type: 13 })
    expect(doc.lines.map((line: Row) => [line.source_sn, line.quantity])).toEqual([
      [first, '1.000'],
      [second, '2.000'],
    ])
    const { id: outsider } = await scene.one(
      `insert into trade_record (org_id, register, record_no, record_type, document_id, line_no, business_date,
      partner_id, partner_name, specification_id, product_name, specification_name, is_implant, unit_name, quantity,
      price, amount)
     select org_id, register, record_no || 'X', record_type, document_id, line_no, business_date, org_id, '另一供应商',
       specification_id, product_name, specification_name, is_implant, unit_name, quantity, price, amount
       from trade_record where org_id = $1 and id = $2 returning id`,
      scene.d,
      chosen[0],
    )
    expectMessage(await call('purchaseRecord', 'toArrival', [chosen[0]!, outsider]), '请选择同一供应商的采购记录')
    await dealer.done('purchaseOrder', 'stop', await ordered('1'), { reason: '不要了' })
  })

  step(
    'a delivery is a sale, a return a negative row; the footer sums both, without unsettled consignment',
    async () => {
      const { dealer, h } = scene
      const odo = await sold('10')
      const [row] = (await records('salesRecord', { odo_sn: odo })).list
      expect(row).toMatchObject({
        record_no: expect.stringMatching(/^XSJL/),
        record_type: 'sale',
        partner_sn: h,
        partner_type: 1,
        lot_no: 'DJ1',
        quantity: '10.000',
        price: '145.0000',
        amount: '1450.00',
        state: 'open',
      })
      const made = await call('salesRecord', 'toReturn', [row.sales_record_sn])
      expect(made.code).toBe(0)
      const sn = /XSTH\d+/.exec(JSON.stringify(made))![0]
      expect(await dealer.info('saleReturn', sn)).toMatchObject({ counterparty_sn: h, source_type: 2 })
      await dealer.done('saleReturn', 'del', sn)

      const { hospital, central } = scene
      const grn = (await hospital.from('purchaseGrn', odo)).sn
      await hospital.done('purchaseGrn', 'edit', grn, { warehouse_model_inner_sn: central })
      await hospital.pass('purchaseGrn', grn)
      const lines = [{ source_line_no: 1, quantity: '3' }]
      await hospital.pass(
        'purchaseReturn',
        await hospital.add('purchaseReturn', { source_type: 9, source_sn: grn, return_reason: '包装破损', lines }),
      )
      const [created] = await dealer.list('saleReturn', { state: 'draft' })
      for (const action of ['submit', 'inspect', 'review']) await dealer.done('saleReturn', action, created.sn)
      const { list, summary } = await records('salesRecord', { lot_no: 'DJ1' })
      expect(list.find((each: Row) => each.record_type === 'returned')).toMatchObject({
        quantity: '-3.000',
        amount: '-435.00',
      })
      expect(list.find((each: Row) => each.odo_sn === odo)).toMatchObject({
        returned_quantity: '3.000',
        state: 'partial',
      })
      expect(summary).toMatchObject({ sold_quantity: '7.000', sold_amount: '1015.00' })
      // Seven are left; a customer on the platform returns them by a document of its own.
      const left = list.find((each: Row) => each.odo_sn === odo)!
      const more = /XSTH\d+/.exec(JSON.stringify(await call('salesRecord', 'toReturn', [left.sales_record_sn])))![0]
      const draft = await dealer.info('saleReturn', more)
      expect(draft.lines).toMatchObject([{ quantity: '7.000' }])
      const edited = await dealer.client.post('/v1/business/saleReturn/edit', {
        sn: more,
        version: draft.version,
        return_reason: '包装破损',
        lines: [{ line_no: 1, quantity: '8' }],
      })
      expect(edited.code, edited.msg).toBe(0)
      expectMessage(
        await dealer.do('saleReturn', 'submit', more),
        '第1行：退货数量不能大于客户拒收数量0，其余请由客户提交采购退货单',
      )
      await dealer.done('saleReturn', 'del', more)
    },
  )

  step('consigned goods are a row with zero amount until they are settled', async () => {
    const { dealer, h, shop, inflator } = scene
    const odo = await dealer.add('saleOdo', {
      counterparty_sn: h,
      warehouse_model_inner_sn: shop,
      regime: 'consigned',
      lines: [{ specification_sn: inflator, lot_no: 'DJ1', quantity: '2' }],
    })
    await dealer.pass('saleOdo', odo)
    const { list } = await records('salesRecord', { odo_sn: odo })
    expect(list[0]).toMatchObject({
      record_type: 'consigned',
      quantity: '2.000',
      sold_quantity: '0.000',
      sold_amount: '0.00',
    })
  })

  step('a delivery reversed in red shows twice and cancels out; an undone one is void', async () => {
    const { dealer } = scene
    const odo = await sold('4')
    await dealer.done('saleOdo', 'unreview', odo)
    expect((await records('salesRecord', { odo_sn: odo })).list[0].state).toBe('void')
    await dealer.done('saleOdo', 'review', odo)
    await dealer.done('saleOdo', 'redReverse', odo, { reason: '发错' })
    const { list } = await records('salesRecord', { lot_no: 'DJ1', state: 'minus', record_type: 'sale' })
    expect(list).toHaveLength(1)
    expect(list[0]).toMatchObject({ quantity: '-4.000', amount: '-580.00' })
    const live = await scene.one(
      `select sum(quantity)::text as quantity from trade_record t where t.org_id = $1 and t.lot_no = 'DJ1'
      and t.void_at is null and t.register = 'sale' and t.document_id in (select id from document where sn = $2
      or red_of_id = (select id from document where org_id = $1 and sn = $2 and role = 'own'))`,
      scene.d,
      odo,
    )
    expect(live.quantity).toBe('0.000')
  })

  step('rows of two customers cannot be one return', async () => {
    const [row] = (await records('salesRecord', { record_type: 'sale', state: 'open' })).list
    const other = await scene.one(
      `insert into trade_record (org_id, register, record_no, record_type, document_id, line_no, business_date,
      partner_id, partner_name, specification_id, product_name, specification_name, is_implant, unit_name, quantity,
      price, amount)
     select org_id, register, record_no || 'X', record_type, document_id, line_no, business_date, org_id, '另一客户',
       specification_id, product_name, specification_name, is_implant, unit_name, quantity, price, amount
       from trade_record where org_id = $1 and id = $2 returning id`,
      scene.d,
      row.sales_record_sn,
    )
    expectMessage(await call('salesRecord', 'toReturn', [row.sales_record_sn, other.id]), '请选择同一客户的销售记录')
  })
})
