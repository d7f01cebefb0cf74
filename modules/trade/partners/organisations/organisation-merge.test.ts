import { afterAll, beforeAll, expect } from 'vitest'
import { story } from '#tests/support/steps.ts'
import { type Client, type TestServer, openTestServer } from '#tests/support/test-server.ts'

/** Two records of one organisation are merged, and separated again. */
let server: TestServer
let platform: Client
const org = (code: string) => server.masters.organisations.get(code)!
const path = (kind: string, call: string) => `/v1/business/${kind}/${call}`
beforeAll(async () => {
  server = await openTestServer()
  platform = await server.as('platform')
})
afterAll(() => server.close())

const info = async (sn: string) => (await platform.get(path('organisation', 'info'), { sn })).info
const call = async (source: string, target: string, more: object = {}) =>
  platform.post(path('organisation', 'merge'), {
    sn: source,
    version: (await info(source)).version,
    target_sn: target,
    reason: '重复建档',
    ...more,
  })
const people = (id: string) => server.database.owner<{ login: string; employee_id: string | null }[]>`
  select login, employee_id from app_user where org_id = ${id} order by login`
const held = async (id: string) => {
  const [row] = await server.database.owner`
    select (select count(*)::int from licence where org_id = ${id}) as licences,
      (select count(*)::int from dealer_product where org_id = ${id}) as products,
           (select count(*)::int from org_relation where org_id = ${id} or partner_id = ${id}) as relations`
  return row as { licences: number; products: number; relations: number }
}

story('merging', step => {
  step('is refused across kinds, with itself, with the platform, and where both have postings', async () => {
    expect((await call(org('D01'), org('H01'))).msg).toContain('机构类型不同，不能合并')
    expect((await call(org('D01'), org('D01'))).msg).toBe('不能与自己合并，请选择另一个机构')
    expect((await call(org('D01'), '999999')).code).toBe(2000)
    expect((await call(org('P01'), org('D01'))).msg).toBe('平台机构和已停用的机构不能合并')
    expect((await call(org('D01'), org('D02'), { reason: '' })).msg).toBe('请填写原因')
    const book = (id: string) => server.database.owner`
      insert into account_entry (org_id, counterparty_id, account, amount, document_id, line_no, business_date)
        values (${id}, ${org('H01')}, 'payable_estimated', 1, 1, 1, '2026-01-01')`
    await book(org('D02'))
    await book(org('D03'))
    expect((await call(org('D03'), org('D02'))).msg).toBe('两个机构均已发生业务，不能合并')
    expect(
      (await (await server.as('dealer')).post(path('organisation', 'merge'), { sn: org('D02'), version: 1 })).code,
    ).toBe(403)
  })

  step('moves people, relations, licences and catalogue, stops the source, and can be undone completely', async () => {
    const [source, target] = [org('D01'), org('D02')]
    await server.as('dealer')
    const before = { source: await held(source), target: await held(target), people: await people(source) }
    expect(before.source.licences * before.source.products * before.people.length).toBeGreaterThan(0)
    const others = await platform.get(path('organisation', 'list'), { scope: 'all', system_type: '2', except: source })
    expect(others.list.map(row => row.org_sn)).toContain(target)
    expect(others.list.map(row => row.org_sn)).not.toContain(source)
    const asked = await call(source, target)
    expect(asked.code).toBe(2200)
    expect(asked.msg).toMatch(/的\d+个用户、\d+条交易关系以及证照和产品目录将并入/)
    expect((await info(source)).status).toBe('enabled')
    expect(await call(source, target, { confirm: asked.info.token })).toMatchObject({ code: 0 })
    expect((await info(source)).status).toBe('disabled')
    const logins = (await people(target)).map(user => user.login)
    expect(before.people.map(user => user.login).every(login => logins.includes(login))).toBe(true)
    expect(await people(source)).toEqual([])
    const merged = await held(target)
    expect(merged.licences).toBeGreaterThan(before.target.licences)
    expect(merged.products).toBeGreaterThanOrEqual(before.source.products)
    expect((await server.as('dealer', 'Spd@2026')).get).toBeTypeOf('function')

    const [kept] = (await platform.get(path('dataRestore', 'list'), { operation: 'merge' })).list
    expect(kept).toMatchObject({ restore_type: 'RESTOREDEALER', state: 'waiting', delete_reason: '重复建档' })
    const restore = await platform.post(path('dataRestore', 'restore'), {
      sn: kept.data_restore_sn,
      version: kept.version,
      reason: '合并错了',
    })
    expect(restore.code, restore.msg).toBe(0)
    expect({ source: await held(source), target: await held(target), people: await people(source) }).toEqual(before)
    expect((await info(source)).status).toBe('enabled')
    const roles = await server.database.owner`
      select 1 from user_role g join app_user u on u.id = g.user_id join role r on r.id = g.role_id
        where u.org_id = ${source} and r.org_id <> ${source}`
    expect(roles).toEqual([])
    const again = await server.as('dealer', 'Spd@2026')
    expect((await again.get('/v1/user/user_info')).info.user_info.belong).toBe(source)
  })
})
