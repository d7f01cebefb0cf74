import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, type TestServer, openTestServer } from '#tests/support/test-server.ts'
import { change, one, path, rows } from '#tests/support/records.ts'

/** Users cannot both write and review what the organisation keeps separate. */
let server: TestServer
let hospital: Client
beforeAll(async () => {
  server = await openTestServer()
  hospital = await server.as('hospital')
})
afterAll(() => server.close())

describe('制单审核分离', () => {
  it('keeps creating and reviewing a kind separate, whichever side they are granted from', async () => {
    const role = async (name: string, flags: string[]) =>
      (await hospital.post(path('role', 'add'), { name, flags })).info.sn as string
    const [writes, reviews] = [await role('制单', ['requisition.add']), await role('审核', ['requisition.review'])]
    const give = (login: string, roles: string[]) =>
      change(hospital, 'userRoleAssignment', 'user_inner_sn', { login }, { roles })
    expect(await give('buyer', [writes, reviews])).toMatchObject({ code: 0 })
    const setting = { document_kind: 'requisition', separates: true }
    const name = (await one(hospital, 'user', { login: 'buyer' })).name
    const joined = await hospital.post(path('auditSetting', 'add'), setting)
    expect(joined.msg).toMatch(
      new RegExp(`${name}.*同时拥有物资申领单的制单和审核权限，请先调整角色再启用制单审核分离`),
    )
    for (const { login, conflicts } of await rows(hospital, 'userRoleAssignment'))
      if (String(conflicts).includes('物资申领单')) expect(await give(login, [writes])).toMatchObject({ code: 0 })
    expect(await hospital.post(path('auditSetting', 'add'), setting)).toMatchObject({ code: 0 })
    const refused = { msg: `物资申领单已启用制单审核分离，${name}不能同时拥有制单和审核权限，请分给不同的人` }
    expect(await give('buyer', [writes, reviews])).toMatchObject(refused)
    const buyer = { login: 'buyer' }
    const act = (kind: string, key: string, body: object, call?: string) =>
      change(hospital, kind, key, kind === 'role' ? { name: '审核' } : buyer, body as Record<string, unknown>, call)
    expect(await act('userRoleAssignment', 'user_inner_sn', { role_sn: reviews }, 'assign')).toMatchObject(refused)
    expect(await act('user', 'user_inner_sn', { roles: [writes, reviews] })).toMatchObject(refused)
    const sn = (await one(hospital, 'user', buyer)).user_inner_sn
    expect(await act('role', 'role_sn', { users: [sn] })).toMatchObject(refused)
    expect(
      await hospital.post(path('role', 'add'), { name: '两样', flags: ['requisition.add', 'requisition.review'] }),
    ).toMatchObject({
      msg: '物资申领单已启用制单审核分离，一个角色不能同时拥有制单和审核权限，请分给不同的人',
    })
    expect((await act('role', 'role_sn', { flags: ['requisition.add', 'requisition.review'] })).msg).toContain(
      '一个角色',
    )
    expect((await one(hospital, 'userRoleAssignment', buyer)).roles).toEqual([writes])
  })
})
