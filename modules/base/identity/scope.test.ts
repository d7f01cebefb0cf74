import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeAll, expect } from 'vitest'
import { story } from '#tests/support/steps.ts'
import { lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import type { Person } from '#tests/support/story.ts'

/** One hospital, two of its warehouses, and a nurse restricted to one of them who may not see prices. */
let at: Scene
let nurse: Person
let keeper: Person
const docs = { here: '', there: '' }

const edit = async (login: string, change: Record<string, unknown>) => {
  const [row] = await at.hospital.list('user', { login })
  const reply = await at.hospital.client.post('/v1/business/user/edit', {
    sn: row.user_inner_sn,
    version: row.version,
    ...change,
  })
  expect(reply).toMatchObject({ code: 0 })
}
const roleWith = async (name: string, flags: readonly string[]) =>
  (await at.hospital.client.post('/v1/business/role/add', { name, flags })).info.sn as string

beforeAll(async () => {
  at = await openScene()
  docs.here = await at.shelve(at.hospital, at.ward, [lotOf(at.inflator, 'HERE', { quantity: '5' })])
  docs.there = await at.shelve(at.hospital, at.central, [lotOf(at.inflator, 'THERE', { quantity: '7' })])
  const rights = ['page:/commonView/initialInventory', 'page:/hospital/hInitialInventory', 'openingStock.add']
  const all = [
    ...rights,
    'openingStock.edit',
    'openingStock.export',
    'openingStock.print',
    'openingStock.submit',
    'stockBalance.export',
    'page:/hospital/hProductDetails',
  ]
  const report = ['page:/commonView/inventorySummaryReport', 'inventorySummaryReport.export']
  const known = (await at.hospital.client.get('/v1/user/get_user_menu/yrtweb', { all: '1' })).list
    .flatMap(group => group.children)
    .flatMap(page => [page.flag, ...page.children.map((child: { flag: string }) => child.flag)])
  const flags = [...all, ...report].filter(flag => known.includes(flag))
  await edit('nurse', { roles: [await roleWith('看库存', flags)], warehouses: [at.ward] })
  await edit('keeper', {
    roles: [await roleWith('看库存与价格', [...flags, 'price'])],
    store_scope: 'chosen',
    warehouses: [],
  })
  nurse = await at.person('nurse')
  keeper = await at.person('keeper')
})
afterAll(() => at?.close())

story('what users see who are bound to a warehouse, to departments, or without prices', step => {
  // a user bound to a warehouse
  step('lists, opens and exports only its documents', async () => {
    expect((await nurse.list('openingStock')).map(row => row.sn)).toEqual([docs.here])
    expect((await nurse.info('openingStock', docs.here)).sn).toBe(docs.here)
    for (const call of ['info', 'print'])
      expect(await nurse.client.get(`/v1/business/openingStock/${call}`, { sn: docs.there })).toMatchObject({
        code: 2106,
      })
    const sheet = await nurse.client.raw({ method: 'GET', url: '/v1/business/openingStock/export' })
    const text = strFromU8(unzipSync(new Uint8Array(sheet.rawPayload))['xl/worksheets/sheet1.xml'] as Uint8Array)
    expect([text.includes(docs.here), text.includes(docs.there)]).toEqual([true, false])
  })

  step('sees only its goods, in lists, reports and the trace', async () => {
    expect((await nurse.list('stockBalance')).map(row => row.lot_no)).toEqual(['HERE'])
    const days = { begin_date: '2020-01-01', end_date: '2099-01-01' }
    const report = (person: Person) => person.client.get('/v1/report/inventorySummaryReport', days)
    expect((await report(nurse)).list.map(row => row.closing_quantity)).toEqual(['5.000'])
    expect((await report(at.hospital)).list.map(row => row.closing_quantity)).toEqual(['12.000'])
    const there = await nurse.trace('THERE')
    expect(there.list).toEqual([])
    expect(there.info.holders.map((row: { store: string | null }) => row.store)).toEqual([null])
    expect((await nurse.trace('HERE')).list).toHaveLength(1)
  })

  step('can act and write nowhere else', async () => {
    for (const call of ['edit', 'del', 'submit'])
      expect(
        (await nurse.client.post(`/v1/business/openingStock/${call}`, { sn: docs.there, version: 1 })).code,
      ).not.toBe(0)
    const elsewhere = { warehouse_model_inner_sn: at.central, lines: [] }
    expect(await nurse.client.post('/v1/business/openingStock/add', elsewhere)).toMatchObject({
      code: 403,
      msg: '没有所选仓库或科室的数据权限，请选择本人可见的仓库和科室，或联系管理员',
    })
  })

  step('sees nothing if no warehouse is named, not everything', async () => {
    expect(await keeper.list('openingStock')).toEqual([])
    expect(await keeper.list('stockBalance')).toEqual([])
    expect(await keeper.list('warehouse')).toEqual([])
  })

  step('sees another warehouse on the next click after it was granted', async () => {
    await edit('keeper', { warehouses: [at.central] })
    expect((await keeper.list('openingStock')).map(row => row.sn)).toEqual([docs.there])
    await edit('keeper', { store_scope: 'all' })
    expect(await keeper.list('openingStock')).toHaveLength(2)
  })

  // a user bound to departments or to own documents
  step('sees the documents of those departments, and those that name none', async () => {
    await edit('keeper', { data_scope: 'chosen', departments: [at.department] })
    const lots = (await keeper.list('stockBalance')).map(row => row.lot_no)
    expect(lots.toSorted()).toEqual(['HERE', 'THERE'])
    await edit('keeper', { departments: [] })
    expect((await keeper.list('stockBalance')).map(row => row.lot_no)).toEqual(['THERE'])
  })

  step('sees only documents created by the user', async () => {
    await edit('keeper', { data_scope: 'own' })
    expect(await keeper.list('openingStock')).toEqual([])
    await edit('keeper', { data_scope: 'organisation' })
  })

  // a user without price permission
  /** Reply keys that contain money. */
  const money = (reply: object) => [
    ...new Set(JSON.stringify(reply).match(/"[a-z_]*(price|amount|(?<!is_high_)value)[a-z_]*"(?=:)/g)),
  ]

  step(
    'gets no prices in responses: list, info, print data, sources, preview, records, reports, workbench',
    async () => {
      const add = await nurse.add('openingStock', {
        warehouse_model_inner_sn: at.ward,
        lines: [{ ...lotOf(at.inflator, 'NEW', { quantity: '1' }), price: undefined }],
      })
      const { version } = await nurse.info('openingStock', add)
      const replies = [
        await nurse.client.get('/v1/business/openingStock/list'),
        await nurse.client.get('/v1/business/openingStock/info', { sn: docs.here }),
        await nurse.client.get('/v1/business/openingStock/print', { sn: docs.here }),
        await nurse.client.post('/v1/business/openingStock/rehearse', { sn: add, version, action: 'submit' }),
        await nurse.client.get('/v1/business/specification/list'),
        await nurse.client.get('/v1/business/hospitalProduct/list'),
        await nurse.client.get('/v1/business/stockBalance/list'),
        await nurse.client.get('/v1/report/inventorySummaryReport', {
          begin_date: '2020-01-01',
          end_date: '2099-01-01',
        }),
        await nurse.client.get('/v1/business/workbench'),
      ]
      for (const reply of replies) {
        expect(reply.code).toBe(0)
        expect(money(reply)).toEqual([])
      }
      expect(money(await at.hospital.client.get('/v1/business/openingStock/list'))).toContain('"taxed_amount"')
    },
  )

  step('gets no prices in a workbook, and cannot infer them by filter or sort', async () => {
    const sheet = await nurse.client.raw({ method: 'GET', url: '/v1/business/openingStock/export' })
    const text = strFromU8(unzipSync(new Uint8Array(sheet.rawPayload))['xl/worksheets/sheet1.xml'] as Uint8Array)
    expect(text).not.toMatch(/金额|价/)
    for (const query of [{ taxed_amount: '500' }, { sort: '-taxed_amount' }, { begin_taxed_amount: '1' }])
      expect(await nurse.client.get('/v1/business/openingStock/list', query as Record<string, string>)).toMatchObject({
        code: 403,
        msg: '没有价格权限，不能按【价税合计】查询或排序',
      })
  })

  step('gets no prices from the assistant, even with access to payment documents', async () => {
    const role = await at.hospital.client.post('/v1/business/role/add', {
      name: '看付款单',
      flags: ['page:/commonView/paymentAttachment/paymentOrder'],
    })
    await edit('buyer', { roles: [role.info.sn] })
    const buyer = await at.person('buyer')
    const ask = () =>
      buyer.client.raw({
        method: 'GET',
        url: `/v1/llm/streamChatWithWeb?content=${encodeURIComponent('应付余额有多少')}`,
      })
    expect((await ask()).body).not.toMatch(/应付 \|/)
    expect((await ask()).body).toContain('没有查看这项数据的权限')
  })

  step('writes no prices, and an edit keeps the existing ones', async () => {
    const line = lotOf(at.inflator, 'PRICED', { quantity: '2' })
    const refused = await nurse.client.post('/v1/business/openingStock/add', {
      warehouse_model_inner_sn: at.ward,
      lines: [line],
    })
    expect(refused).toMatchObject({ code: 403, errors: [{ field: 'price', line: 1 }] })
    const sn = await at.hospital.add('openingStock', { warehouse_model_inner_sn: at.ward, lines: [line] })
    const doc = await nurse.info('openingStock', sn)
    const edited = await nurse.client.post('/v1/business/openingStock/edit', {
      sn,
      version: doc.version,
      lines: [{ line_no: 1, quantity: '3', price: null }],
    })
    expect(edited).toMatchObject({ code: 0 })
    expect((await at.hospital.info('openingStock', sn)).lines[0]).toMatchObject({
      quantity: '3.000',
      price: '100.0000',
      taxed_amount: '300.00',
    })
  })
})
