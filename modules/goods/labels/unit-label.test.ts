import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, type TestServer, openTestServer } from '#tests/support/test-server.ts'

let server: TestServer
let hospital: Client
let [mine, dealers, size, store]: string[] = []

beforeAll(async () => {
  server = await openTestServer()
  hospital = await server.as('hospital')
  const { organisations, specifications, warehouses } = server.masters
  ;[mine, dealers, size, store] = [
    organisations.get('H01'),
    organisations.get('D01'),
    specifications.get('P001-01'),
    warehouses.get('H01-W02'),
  ].map(id => id ?? '')
  const sql = server.database.owner
  await sql`insert into lot (id, specification_id, lot_no) values (5, ${size ?? ''}, 'B5')`
  await sql`insert into stock_lot (org_id, lot_id, specification_id, expiry_date)
    values (${mine ?? ''}, 5, ${size ?? ''}, '2030-01-31')`
  const unit = (
    id: number,
    status: string,
    holder: string | undefined,
    user: string | null = null,
    parent: number | null = null,
  ) => sql`
    insert into unit (lot_id, id, specification_id, status, holder_org_id, warehouse_id, owner_id, parent_id,
      use_org_id)
    values (5, ${id}, ${size ?? ''}, ${status}, ${holder ?? null}, ${store ?? ''}, ${dealers ?? ''}, ${parent},
      ${user})`
  await unit(900, 'in_stock', mine)
  await unit(901, 'in_stock', mine, null, 900)
  await unit(902, 'used', undefined, mine)
  await unit(903, 'in_stock', dealers)
  const codes: [string, number, string][] = [
    ['BOX-1', 900, 'pack'],
    ['0106999900100016211', 901, 'udi'],
    ['YN0001', 901, 'inhouse'],
    ['YN0002', 902, 'inhouse'],
    ['YN0003', 903, 'inhouse'],
  ]
  for (const [code, id, kind] of codes)
    await sql`insert into unit_code (code, bare, lot_id, unit_id, kind) values (${code}, ${code}, 5, ${id}, ${kind})`
})
afterAll(() => server.close())

const list = async (query: Record<string, string>, client = hospital) =>
  (await client.get('/v1/business/unitLabel/list', query)).list

describe('labels', () => {
  it('are for serials the organisation holds or used, each under its own code', async () => {
    const rows = await list({ specification_sn: size ?? '' })
    expect(rows.map((row: { code: string; status: string }) => [row.code, row.status])).toEqual([
      ['BOX-1', 'in_stock'],
      ['YN0001', 'in_stock'],
      ['YN0002', 'used'],
    ])
    expect(rows[1]).toMatchObject({
      code: 'YN0001',
      codes: ['YN0001', '0106999900100016211'],
      parent_code: 'BOX-1',
      lot_no: 'B5',
      expiry_date: '2030-01-31',
      specification_sn: size,
      holder_name: '澄岚演示医学院附属医院',
      warehouse_model_inner_sn: store,
      product_name: '冠状动脉药物洗脱支架系统',
      product_code: 'P001',
      pack_quantity: 1,
      serial: '1',
      // Goods that no document brought in show their owner as supplier.
      supplier_name: rows[1].owner_name,
    })
    expect(rows[1].owner_name).toBeTruthy()
    expect(rows[1]).not.toHaveProperty('lot_sn')
  })

  it.each([
    [{ q: 'YN0001' }, 1],
    [{ q: '0106999900100016211' }, 1],
    [{ q: 'YN' }, 2],
    [{ q: 'B5' }, 3],
    [{ q: 'YN0003' }, 0],
    [{ status: 'used' }, 1],
    [{ q: '%' }, 0],
  ] as [Record<string, string>, number][])('are found by %o: %i', async (query, count) => {
    expect(await list(query)).toHaveLength(count)
  })

  it('of other organisations are not accessible', async () => {
    expect((await list({}, await server.as('dealer'))).map((row: { code: string }) => row.code)).toEqual(['YN0003'])
    expect(await list({}, await server.as('vendor'))).toEqual([])
    expect((await (await server.as('vendor')).get('/v1/business/unitLabel/info', { sn: '901' })).code).toBe(2106)
  })
})
