import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDays, today } from '#kernel/values/date.ts'
import { type Client, type TestServer, openTestServer } from '#tests/support/test-server.ts'

let server: TestServer
let hospital: Client
const at: Record<string, string> = {}

beforeAll(async () => {
  server = await openTestServer()
  hospital = await server.as('hospital')
  const { organisations, warehouses, specifications } = server.masters
  const of = (map: ReadonlyMap<string, string>, code: string) => map.get(code) ?? ''
  Object.assign(at, {
    H01: of(organisations, 'H01'),
    D01: of(organisations, 'D01'),
    store: of(warehouses, 'H01-W01'),
    valuable: of(warehouses, 'H01-W02'),
    transit: of(warehouses, 'H01-W06'),
    consumed: of(warehouses, 'H01-CONSUMED'),
    size: of(specifications, 'P001-01'),
  })
  const sql = server.database.owner
  await sql`insert into lot (id, specification_id, lot_no) values (1, ${at.size ?? ''}, 'L-OLD'),
    (2, ${at.size ?? ''}, 'L-NEW')`
  await sql`insert into stock_lot (org_id, lot_id, specification_id, expiry_date)
    values (${at.H01 ?? ''}, 1, ${at.size ?? ''}, ${addDays(today(), -1)}),
    (${at.H01 ?? ''}, 2, ${at.size ?? ''}, ${addDays(today(), 30)})`
  const balance = (
    warehouse: string | undefined,
    lot: number,
    owner: string | undefined,
    state: string,
    quantity: number,
    value: number,
  ) => sql`
    insert into stock_balance
      values (${at.H01 ?? ''}, ${warehouse ?? ''}, 'A-01', ${at.size ?? ''}, ${lot}, ${owner ?? ''}, ${state},
      ${quantity}, ${value})`
  await balance(at.store, 1, at.H01, 'qualified', 10, 1000)
  await balance(at.valuable, 2, at.D01, 'qualified', 3, 0)
  await balance(at.valuable, 2, at.H01, 'stopped', 2, 40)
  await balance(at.transit, 2, at.H01, 'qualified', 4, 80)
  await balance(at.consumed, 1, at.H01, 'qualified', 99, 99)
  await balance(at.store, 2, at.H01, 'qualified', 0, 0)
  const [doc] = await sql`insert into document (org_id, kind, sn, from_org_id, state, business_date)
      values (${at.H01 ?? ''}, 'grantOdo', 'FF1', ${at.H01 ?? ''}, 'submitted', ${today()}) returning id`
  await sql`insert into reservation
    values (${at.H01 ?? ''}, ${doc?.id}, 1, ${at.store ?? ''}, 'A-01', ${at.size ?? ''}, 1, ${at.H01 ?? ''},
    'qualified', 4, '{}')`
  await sql`insert into consigned_out values (${at.H01 ?? ''}, ${at.D01 ?? ''}, ${at.size ?? ''}, 2, 6, 60)`
})
afterAll(() => server.close())

const list = async (query: Record<string, string> = {}, client = hospital) =>
  (
    await client.get('/v1/business/stockBalance/list', {
      sort: 'warehouse_model_inner_sn,lot_no,-owner_org_sn',
      ...query,
    })
  ).list

describe('stock', () => {
  it('is the quantity on hand in the warehouses, less what others have reserved', async () => {
    const expiring = (on: string) =>
      server.database.owner`update stock_lot set expiry_date = ${on} where org_id = ${at.H01 ?? ''} and lot_id = 1`
    await expiring(today())
    expect((await list())[0]).toMatchObject({ quantity: '10.000', reserved: '4.000', available: '6.000' })
    await expiring(addDays(today(), -1))
    const rows = await list()
    expect(rows).toHaveLength(3)
    expect(rows[0]).toMatchObject({
      specification_sn: at.size,
      product_name: '冠状动脉药物洗脱支架系统',
      specification_name: '2.50×15mm',
      lot_no: 'L-OLD',
      warehouse_model_inner_sn: at.store,
      warehouse_name: '中心库',
      location: 'A-01',
      owner_org_sn: at.H01,
      owner_name: '澄岚演示医学院附属医院',
      quality_state: 'qualified',
      quantity: '10.000',
      reserved: '4.000',
      // Expired goods are there and not available.
      available: '0.000',
      expiry_date: addDays(today(), -1),
      days_left: -1,
      expiry_state: 'expired',
      value: '1000.00',
      cost_price: '100.0000',
    })
    expect(
      rows
        .slice(1)
        .map((row: { owner_org_sn: string; available: string; expiry_state: string }) => [
          row.owner_org_sn,
          row.available,
          row.expiry_state,
        ]),
    ).toEqual([
      [at.D01, '3.000', 'near'],
      [at.H01, '0.000', 'near'],
    ])
  })

  it('shows what is in transit and stored elsewhere on request', async () => {
    expect(await list({ in_transit: '1' })).toHaveLength(4)
    const elsewhere = (await list({ consigned_out: '1' })).find(
      (row: { customer_sn: string | null }) => row.customer_sn === at.D01,
    )
    expect(elsewhere).toMatchObject({
      warehouse_model_inner_sn: null,
      quantity: '6.000',
      available: '0.000',
      owner_org_sn: at.H01,
      warehouse_model: 'consigned_out',
    })
  })

  it.each([
    [{ lot_no: 'OLD' }, 1],
    [{ quality_state: 'stopped' }, 1],
    [{ expiry_state: 'near' }, 2],
    [{ q: '药物洗脱' }, 3],
    [{ q: 'L-NEW' }, 2],
    [{ begin_expiry_date: today() }, 2],
    [{ end_expiry_date: today() }, 1],
    [{ product_name: '支架' }, 3],
    [{ owner_name: '栎舟' }, 1],
  ] as [Record<string, string>, number][])('is found by %o: %i', async (query, count) => {
    expect(await list(query)).toHaveLength(count)
  })

  it('shows cost to users permitted to see it, and warehouses to users bound to them', async () => {
    const [role] = (await hospital.get('/v1/business/role/list', { name: '科室护士' })).list
    const [keeper] = (await hospital.get('/v1/business/user/list', { login: 'keeper' })).list
    await hospital.post('/v1/business/user/edit', {
      sn: keeper.user_inner_sn,
      version: keeper.version,
      roles: [role.role_sn],
      warehouses: [at.store],
    })
    const flag = 'page:/commonView/inventory'
    const { owner } = server.database
    await owner`update role set flags = array_remove(flags, ${flag}) || ${[flag]} where id = ${role.role_sn}`
    const rows = await list({}, await server.as('keeper', 'Spd@2026'))
    expect(rows).toMatchObject([{ warehouse_model_inner_sn: at.store, quantity: expect.any(String) }])
    expect(rows[0]).not.toHaveProperty('value')
    expect(rows[0]).not.toHaveProperty('cost_price')
  })

  it('is invisible to other organisations, and no one can write it directly', async () => {
    expect(await list({}, await server.as('dealer'))).toEqual([])
    expect((await hospital.raw({ method: 'POST', url: '/v1/business/stockBalance/add', payload: {} })).statusCode).toBe(
      404,
    )
  })
})
