import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enterFirst } from '#tests/support/outbox.ts'
import { one, path } from '#tests/support/records.ts'
import { whenFinished } from '#tests/support/steps.ts'
import { type Client, openTestServer, type TestServer } from '#tests/support/test-server.ts'

/** Nobody gives what he does not have, on any way that gives something. */
let server: TestServer
let hospital: Client
/** A clerk who may write accounts, employees and roles, and nothing else. */
let clerk: Client
let clerkSn: string
let own: string
let rich: string
let poor: string
beforeAll(async () => {
  server = await openTestServer()
  hospital = await server.as('hospital')
  const writes = ['add', 'edit', 'disable', 'enable', 'resetPwd', 'unlock', 'handOver', 'del', 'openAccount']
  const acts = ['assign', 'remove', 'copy']
  const flags = [
    'page:/ptm/userManage/user',
    'page:/ptm/userManage/userRoles',
    'page:/ptm/userManage/userRole',
    'page:/ptm/HumanResources',
    ...['user', 'employee', 'role'].flatMap(kind => writes.map(action => `${kind}.${action}`)),
    ...[...acts, 'edit'].map(action => `userRoleAssignment.${action}`),
  ]
  const { owner } = server.database
  const role = async (name: string, given: readonly string[]) => {
    const [row] = await owner<{ id: string }[]>`
      insert into role (org_id, name, flags) select org_id, ${name}, ${given as string[]}::text[] from app_user
        where login = 'hospital' returning id`
    return row!.id
  }
  rich = await role('富', [...flags, 'purchaseOrder.review', 'patient'])
  poor = await role('贫', ['page:/ptm/userManage/user'])
  own = await role('账号管理员', flags)
  const added = await hospital.post(path('user', 'add'), {
    login: 'clerk',
    name: '账号员',
    phone: '13600000001',
    roles: [own],
  })
  expect(added.msg).toBe('')
  clerkSn = added.info.sn
  clerk = await enterFirst(server, { login: 'clerk', phone: '13600000001' })
})
afterAll(() => server.close())

const BEYOND = '不能分配超出本人权限的角色'
const ADMINISTRATOR = '管理员的账号只能由管理员修改'
const info = async (kind: string, sn: string) => (await hospital.get(path(kind, 'info'), { sn })).info
const act = async (who: Client, kind: string, action: string, sn: string, more: object = {}) =>
  who.post(path(kind, action), { sn, version: (await info(kind, sn)).version, ...more })

let phones = 10
const nextPhone = () => `1360000${String(++phones).padStart(4, '0')}`

describe('a role that is richer than the one who gives it', () => {
  const ways: [string, (role: string) => Promise<{ msg: string }>][] = [
    [
      'a new account',
      role => clerk.post(path('user', 'add'), { login: `n${phones}`, name: '新', phone: nextPhone(), roles: [role] }),
    ],
    ['an account that is edited', async role => act(clerk, 'user', 'edit', await nurse(), { roles: [role] })],
    ['his own account', role => act(clerk, 'user', 'edit', clerkSn, { roles: [own, role] })],
    ['用户角色, edited', async role => act(clerk, 'userRoleAssignment', 'edit', await nurse(), { roles: [role] })],
    ['用户角色, given', async role => act(clerk, 'userRoleAssignment', 'assign', await nurse(), { role_sn: role })],
    ['his own 用户角色', role => act(clerk, 'userRoleAssignment', 'assign', clerkSn, { role_sn: role })],
    [
      'the account of an employee',
      async role => {
        const made = await hospital.post(path('employee', 'add'), {
          code: `E8${phones}`,
          name: '员工',
          phone: nextPhone(),
        })
        return act(clerk, 'employee', 'openAccount', made.info.sn, { role_sn: role })
      },
    ],
    ['the users of a role', role => act(clerk, 'role', 'edit', role, { users: [clerkSn] })],
  ]
  const nurse = async () => (await one(hospital, 'user', { login: 'nurse' })).user_inner_sn as string

  it.each(ways)('%s', async (_way, give) => {
    expect((await give(rich)).msg).toBe(BEYOND)
    expect((await give(poor)).msg).toBe('')
  })

  it('rights that are written into a role', async () => {
    const more = { flags: ['page:/ptm/userManage/user', 'patient'] }
    const asked = await act(clerk, 'role', 'edit', poor, more)
    expect(asked.msg).toBe('角色【贫】增加权限：查看患者信息')
    expect((await act(clerk, 'role', 'edit', poor, { ...more, confirm: asked.info.token })).msg).toBe(
      '只能授予自己拥有的权限',
    )
    expect((await clerk.post(path('role', 'add'), { name: '越权', flags: ['purchaseOrder.review'] })).msg).toBe(
      '只能授予自己拥有的权限',
    )
  })

  it('the roles of a richer colleague, copied', async () => {
    const richer = (await one(hospital, 'user', { login: 'buyer' })).user_inner_sn
    await act(hospital, 'user', 'edit', richer, { roles: [rich] })
    expect((await act(clerk, 'userRoleAssignment', 'copy', clerkSn, { from_sn: richer })).msg).toBe(BEYOND)
    // A colleague who already has more rights keeps them: the edit of another field grants nothing.
    expect((await act(clerk, 'user', 'edit', richer, { remark: '调岗', roles: [rich] })).msg).toBe('')
  })
})

describe('an administrator', () => {
  const administrator = async () => (await one(hospital, 'user', { login: 'hospital' })).user_inner_sn as string

  it('is made by administrators alone', async () => {
    const body = { login: 'boss', name: '新管理员', phone: nextPhone(), is_administrator: true }
    expect((await clerk.post(path('user', 'add'), body)).msg).toBe('只有管理员可以设置管理员')
    expect((await act(clerk, 'user', 'edit', clerkSn, { is_administrator: true })).msg).toBe('只有管理员可以设置管理员')
  })

  it.each(['resetPwd', 'disable', 'del', 'unlock'])('is not touched by a clerk: %s', async action => {
    expect((await act(clerk, 'user', action, await administrator())).msg).toBe(ADMINISTRATOR)
  })

  it('gets no other phone, login or roles from a clerk, and keeps account and employee', async () => {
    const sn = await administrator()
    for (const more of [{ phone: nextPhone() }, { login: 'mine' }, { name: '另一人' }, { roles: [] }])
      expect((await act(clerk, 'user', 'edit', sn, more)).msg).toBe(ADMINISTRATOR)
    expect((await act(clerk, 'user', 'handOver', sn, { to_user_sn: clerkSn })).msg).toBe(ADMINISTRATOR)
    for (const [action, more] of [
      ['edit', { roles: [poor] }],
      ['assign', { role_sn: poor }],
    ] as const)
      expect((await act(clerk, 'userRoleAssignment', action, sn, more)).msg).toBe(ADMINISTRATOR)
    const { owner } = server.database
    const [row] = await owner<{ employee_id: string }[]>`select employee_id from app_user where login = 'hospital'`
    const leaving = await act(clerk, 'employee', 'disable', row!.employee_id)
    expect([ADMINISTRATOR, '没有操作权限']).toContain(leaving.msg)
    expect((await hospital.get('/v1/user/user_info')).status).toBe(200)
  })

  it('of any organisation is not touched by a clerk of the platform', async () => {
    const platform = await server.as('platform')
    const { owner } = server.database
    const actions = ['resetPwd', 'unlock', 'kick', 'disable', 'changePhone']
    await owner`
      with r as (insert into role (org_id, name, flags)
        select org_id, '客服', ${['page:/ptm/accountList', ...actions.map(action => `account.${action}`)]}::text[]
          from app_user where login = 'platform' returning id, org_id),
      u as (insert into app_user (org_id, login, password_hash, name)
        select a.org_id, 'support', a.password_hash, '客服' from app_user a where a.login = 'platform' returning id)
      insert into user_role (org_id, user_id, role_id) select r.org_id, u.id, r.id from u, r`
    const support = await server.as('support')
    const target = await one(platform, 'account', { login: 'hospital' })
    for (const action of actions) {
      const more = action === 'changePhone' ? { phone: nextPhone() } : {}
      const sent = { sn: target.account_sn, version: target.version, reason: '忘记', ...more }
      expect((await support.post(path('account', action), sent)).msg, action).toBe(ADMINISTRATOR)
    }
    const nurse = await one(platform, 'account', { login: 'keeper' })
    const sent = { sn: nurse.account_sn, version: nurse.version, reason: '忘记密码' }
    expect((await support.post(path('account', 'resetPwd'), sent)).msg).toBe('')
  })
})

it('stores and departments that the giver does not see', async () => {
  const { owner } = server.database
  const stores = await owner<{ id: string }[]>`
    select w.id from warehouse w join app_user u on u.org_id = w.org_id and u.login = 'clerk' order by w.id limit 2`
  await act(hospital, 'user', 'edit', clerkSn, { store_scope: 'chosen', warehouses: [stores[0]!.id] })
  whenFinished(() => act(hospital, 'user', 'edit', clerkSn, { store_scope: 'all' }))
  const beyond = '不能分配超出本人的仓库或科室范围'
  for (const more of [{ store_scope: 'all' }, { warehouses: [stores[0]!.id, stores[1]!.id] }])
    expect((await act(clerk, 'user', 'edit', clerkSn, more)).msg).toBe(beyond)
  const body = { login: 'scoped', name: '限库', phone: nextPhone(), store_scope: 'chosen' }
  expect((await clerk.post(path('user', 'add'), { ...body, warehouses: [stores[1]!.id] })).msg).toBe(beyond)
  expect((await clerk.post(path('user', 'add'), { ...body, warehouses: [stores[0]!.id] })).msg).toBe('')
})
