import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { replyCodes } from '#kernel/rules/errors.ts'
import { documents, entities, reports, tools } from '#app/modules.ts'
import { type Client, type TestServer, openTestServer } from '#tests/support/test-server.ts'

let server: TestServer
let hospital: Client
beforeAll(async () => {
  server = await openTestServer()
  hospital = await server.as('hospital')
})
afterAll(() => server.close())

type Node = {
  content: string
  title: string
  uri: string
  icon: string
  type: number
  flag: string
  level: number
  children: Node[]
}
const menuOf = async (who: string, query = {}): Promise<Node[]> =>
  (await (await server.as(who)).get('/v1/user/get_user_menu/yrtweb', query)).list
const pagesIn = (menu: Node[]) => menu.flatMap(group => group.children)

describe('the menu', () => {
  it.each(['platform', 'hospital', 'dealer', 'vendor'])(
    'of %s has the pages of its kind of organisation and no others',
    async who => {
      const letter = { platform: 'P', hospital: 'H', dealer: 'D', vendor: 'V' }[who] ?? ''
      const due = [...[...documents, ...entities, ...reports].flatMap(({ screens }) => screens), ...tools].filter(
        screen => screen.orgs.includes(letter) && !screen.hidden && !screen.hiddenFor?.includes(letter),
      )
      expect(
        pagesIn(await menuOf(who))
          // A page listed in two groups opens with a filter in one of them.
          .map(page => page.uri.split('?')[0])
          .filter((route, at, all) => all.indexOf(route) === at)
          .sort(),
      ).toEqual([...new Set(due.map(screen => screen.route))].sort())
    },
  )

  it('is a tree of groups, pages and operations', async () => {
    for (const group of await menuOf('hospital')) {
      expect(group).toMatchObject({ type: 1, level: 1, uri: '' })
      expect(group.icon).not.toBe('')
      for (const page of group.children) {
        expect(page).toMatchObject({ type: 1, level: 2, flag: `page:${page.uri.split('?')[0]}` })
        for (const operation of page.children)
          expect(operation).toMatchObject({
            type: 2,
            level: 3,
            flag: expect.stringMatching(/^\w+\.\w+$/),
            children: [],
          })
      }
    }
  })

  it('of a user with a role shows what the role grants; the whole tree is available to define roles', async () => {
    const [nurses, whole] = [pagesIn(await menuOf('nurse')), pagesIn(await menuOf('nurse', { all: '1' }))]
    expect(nurses.map(page => page.title)).toContain('科室收货入库')
    expect(nurses.map(page => page.title)).not.toContain('用户管理')
    expect(whole.length).toBeGreaterThan(nurses.length)
  })
})

describe('table layouts', () => {
  const asked = { userId: '1', projectName: 'web', systemType: '1', tableId: 'product' }
  const columns = [{ field: 'name', title: '产品名称', fixed: 'right' }]

  it('are returned as saved, to their user alone', async () => {
    expect((await hospital.get('/v1/business/userTableSort/info', asked)).info).toEqual({ columns: [] })
    expect(
      (await hospital.post('/v1/business/userTableSort/save', { ...asked, columns: JSON.stringify(columns) })).code,
    ).toBe(0)
    expect((await hospital.get('/v1/business/userTableSort/info', asked)).info).toEqual({ columns })
    expect((await (await server.as('buyer')).get('/v1/business/userTableSort/info', asked)).info).toEqual({
      columns: [],
    })
  })

  it.each(['', '{', '{"a":1}', '[1]', '[{"title":"x"}]'])('refuse %s as columns', async wrong => {
    expect(await hospital.post('/v1/business/userTableSort/save', { ...asked, columns: wrong })).toMatchObject({
      status: 200,
      code: 2000,
    })
  })
})

describe('operating the program', () => {
  it('checks that it is alive and ready, and reads its metrics', async () => {
    expect(await server.outsider.get('/healthz')).toMatchObject({ status: 200, code: 0 })
    expect(await server.outsider.get('/readyz')).toMatchObject({ status: 200, code: 0 })
    for (const url of ['/healthz', '/readyz'])
      expect(await server.outsider.raw({ method: 'HEAD', url })).toMatchObject({ statusCode: 200, body: '' })
    const metrics = await server.outsider.raw({ method: 'GET', url: '/metrics' })
    expect(metrics.body).toContain('http_request_duration_seconds_count{method="GET",route="/healthz",status="200"} 1')
    expect(metrics.body).toMatch(/^nodejs_eventloop_lag_p99_seconds \d+\.\d+$/m)
    expect(metrics.body).toMatch(/^realtime_connections 0$/m)
    expect(metrics.headers['x-log-id']).toMatch(/^[\da-f-]{36}$/)
  })

  it('finds every call and every reply code in the docs', async () => {
    const docs = (await server.outsider.raw({ method: 'GET', url: '/docs/json' })).json()
    expect(docs.openapi).toBe('3.1.0')
    for (const { kind } of [...documents, ...entities])
      expect(docs.paths[`/v1/business/${kind}/list`].get.summary).toMatch(/列表$/)
    const page = (await server.outsider.raw({ method: 'GET', url: '/docs' })).body
    for (const [code, sentence] of Object.values(replyCodes))
      expect(page).toContain(`<td>${code}</td><td>${sentence}</td>`)
  })
})

describe('reports', () => {
  const path = '/v1/report/inventorySummaryReport'
  const period = { begin_date: '2026-05-01', end_date: '2026-05-31' }

  beforeAll(async () => {
    const org = server.masters.organisations.get('H01') ?? ''
    const [store, ward] = [
      server.masters.warehouses.get('H01-W01') ?? '',
      server.masters.warehouses.get('H01-W13') ?? '',
    ]
    const specification = server.masters.specifications.get('P042-01') ?? ''
    const sql = server.database.owner
    await sql`insert into lot (id, specification_id, lot_no) values (77, ${specification}, 'B77')`
    const docs: [string, string, number, number, string][] = [
      ['openingStock', '2026-04-30', 100, 200, store],
      ['purchaseGrn', '2026-05-03', 50, 110, store],
      ['grantOdo', '2026-05-04', -60, -124, store],
      ['wardReceipt', '2026-05-04', 60, 124, ward],
      ['departmentUse', '2026-05-05', -20, -41, ward],
      ['departmentUse', '2026-05-06', 20, 41, ward],
      ['purchaseGrn', '2026-06-02', 5, 10, store],
    ]
    for (const [index, [kind, day, quantity, value, warehouse]] of docs.entries()) {
      const [doc] = await sql`
        insert into document (org_id, kind, sn, from_org_id, state, business_date)
          values (${org}, ${kind}, ${`T${index}`}, ${org}, 'reviewed', ${day}) returning id`
      await sql`
        insert into stock_move (org_id, warehouse_id, specification_id, lot_id, owner_id, quality_state, quantity,
          value, step, document_id, document_kind, line_no, business_date, at)
        values (${org}, ${warehouse}, ${specification}, 77, ${org}, 'qualified', ${quantity}, ${value}, 'receive',
          ${doc?.id}, ${kind}, 1, ${day}, ${`${day}T10:00:00+08:00`})`
    }
  })

  it('return rows, a total over all of them, and figures that add up', async () => {
    expect(await hospital.get(path, period)).toMatchObject({
      code: 0,
      total: 1,
      page_num: 1,
      page_size: 20,
      summary: { closing_value: '310.00', opening_value: '200.00' },
      list: [
        {
          product_name: expect.any(String),
          opening_quantity: '100.000',
          purchase_in: '50.000',
          transfer_in: '60.000',
          total_in: '110.000',
          issue_out: '60.000',
          use_out: '0.000',
          total_out: '60.000',
          closing_quantity: '150.000',
          closing_value: '310.00',
        },
      ],
    })
    expect((await hospital.get(path, { ...period, regime: 'consigned' })).total).toBe(0)
    expect(
      (
        await hospital.get(path, {
          ...period,
          lot_no: 'B77',
          warehouse_model_inner_sn: server.masters.warehouses.get('H01-W13') ?? '',
        })
      ).list[0],
    ).toMatchObject({ closing_quantity: '60.000' })
  })

  it("require their period, refuse unknown parameters, and show no other organisation's figures", async () => {
    expect(await hospital.get(path)).toMatchObject({
      code: 2000,
      errors: [{ field: 'begin_date', msg: '请选择开始日期' }, { field: 'end_date' }],
    })
    expect((await hospital.get(path, { ...period, begin_date: '2026-02-30' })).code).toBe(2000)
    expect((await hospital.get(path, { ...period, colour: 'red' })).code).toBe(2000)
    expect((await (await server.as('dealer')).get(path, period)).total).toBe(0)
    expect((await (await server.as('platform')).get(path, period)).code).toBe(403)
  })

  it('are exported as a workbook', async () => {
    const reply = await hospital.raw({ method: 'GET', url: `${path}/export`, query: period })
    expect([reply.statusCode, reply.rawPayload.subarray(0, 2).toString()]).toEqual([200, 'PK'])
    expect(decodeURIComponent(String(reply.headers['content-disposition']))).toContain('收发存汇总报表')
  })
})
