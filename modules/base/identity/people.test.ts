import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enterFirst, firstPassword } from '#tests/support/outbox.ts'
import { type Client, type TestServer, md5, openTestServer } from '#tests/support/test-server.ts'

let server: TestServer
let hospital: Client
beforeAll(async () => {
  server = await openTestServer()
  hospital = await server.as('hospital')
})
afterAll(() => server.close())

const call = (kind: string, action: string, body: Record<string, unknown>) =>
  hospital.post(`/v1/business/${kind}/${action}`, body)
const row = async (kind: string, filter: Record<string, string>) =>
  (await hospital.get(`/v1/business/${kind}/list`, { pageSize: '1', ...filter })).list[0]
const added = async (kind: string, body: Record<string, unknown>) => {
  const reply = await call(kind, 'add', body)
  if (reply.code !== 0) throw new Error(JSON.stringify(reply))
  return { sn: reply.info.sn as string, version: reply.info.version as number }
}

describe('departments', () => {
  it('are added, edited under their version, disabled, enabled and deleted', async () => {
    const { sn, version } = await added('department', { code: 'T1', name: '新科室', department_kind: 'clinical' })
    const edited = await call('department', 'edit', { sn, version, name: '改名科室' })
    expect(edited.info).toMatchObject({ sn, version: 2, department_inner_sn: sn })
    expect(await call('department', 'edit', { sn, version, name: '又改' })).toMatchObject({
      code: 2100,
      msg: '数据已被他人修改，请刷新后重试',
    })
    expect((await call('department', 'disable', { sn, version: 2 })).code).toBe(0)
    expect((await call('department', 'disable', { sn, version: 3 })).code).toBe(2101)
    expect((await call('department', 'enable', { sn, version: 3 })).code).toBe(0)
    expect((await call('department', 'del', { sn, version: 4 })).code).toBe(0)
    expect((await hospital.get('/v1/business/department/info', { sn })).code).toBe(2106)
  })

  it('keep their heads: an employee who leads one is deleted after another took over', async () => {
    const { sn } = await added('employee', { code: 'E77', name: '左领' })
    const led = await added('department', { code: 'T7', name: '有人负责', leader_sn: sn, phone: '021-5555' })
    expect(await row('department', { q: '有人负责' })).toMatchObject({ leader_name: '左领', phone: '021-5555' })
    const gone = { sn, version: 1 }
    expect((await call('employee', 'del', gone)).msg).toBe('员工是科室负责人，请先在【组织架构】中更换负责人')
    await call('department', 'edit', { sn: led.sn, version: 1, leader_sn: null })
    expect((await call('employee', 'del', gone)).msg).toBe('')
  })

  it('log the whole change in the operation log', async () => {
    const { sn } = await added('department', { code: 'T2', name: '记日志' })
    await call('department', 'edit', { sn, version: 1, cost_centre: 'CC9' })
    const rows = await server.database.owner`select action, actor_name, before, after from operation_log
        where subject = 'department' and object_key = ${sn} order by id`
    expect(rows.map(entry => entry.action)).toEqual(['add', 'edit'])
    expect(rows[1]).toMatchObject({ before: { cost_centre: null }, after: { cost_centre: 'CC9' } })
  })

  it('report missing fields in the words of the form', async () => {
    expect(await call('department', 'add', { code: ' ' })).toMatchObject({
      code: 2000,
      errors: [
        { field: 'code', msg: '请填写科室编码' },
        { field: 'name', msg: '请填写科室名称' },
      ],
    })
    expect(await call('department', 'add', { code: 'a', name: 'b', status: 'disabled' })).toMatchObject({
      code: 2000,
      errors: [{ field: 'status' }],
    })
    expect((await call('department', 'edit', { sn: '1', name: 'x' })).errors[0].field).toBe('version')
  })

  it('have unique codes, and unique names among siblings', async () => {
    await added('department', { code: 'T3', name: '同名' })
    expect(await call('department', 'add', { code: 'T3', name: '别名' })).toMatchObject({
      code: 2105,
      msg: '科室编码【T3】已存在',
      errors: [{ field: 'code' }],
    })
    expect(await call('department', 'add', { code: 'T4', name: '同名' })).toMatchObject({
      code: 2105,
      msg: '同级科室名称【同名】已存在',
    })
  })

  it('stay in use while they have stock or unfinished documents', async () => {
    const busy = (
      await server.database.owner<{ id: string; version: number }[]>`
        select x.id, x.version from department x join warehouse w on w.department_id = x.id
         where x.org_id = ${server.masters.organisations.get('H01') ?? ''} and x.status = 'enabled' limit 1`
    )[0]!
    await server.database.owner`
      insert into document (org_id, kind, sn, from_org_id, state, business_date, created_by, department_id)
      select org_id, 'requisition', 'SL-BUSY', org_id, 'draft', '2026-01-01', 0, id from department
       where id = ${busy.id}`
    expect((await call('department', 'disable', { sn: busy.id, version: busy.version })).msg).toBe(
      '科室仍有库存或未完成单据，不能停用',
    )
    await server.database.owner`delete from document where sn = 'SL-BUSY'`
  })

  it('form a tree without circles, at most six deep', async () => {
    const ids: string[] = []
    for (let level = 1; level <= 6; level++)
      ids.push(
        (
          await added('department', {
            code: `L${level}`,
            name: `第${level}级`,
            ...(ids.length > 0 ? { parent_sn: ids.at(-1) } : {}),
          })
        ).sn,
      )
    expect(await call('department', 'add', { code: 'L7', name: '第7级', parent_sn: ids.at(-1) })).toMatchObject({
      code: 2000,
      msg: '科室最多6级',
    })
    expect(await call('department', 'edit', { sn: ids[0], version: 1, parent_sn: ids[2] })).toMatchObject({
      code: 2000,
      msg: '上级科室不能是自己或自己的下级',
    })
    expect((await call('department', 'del', { sn: ids[4], version: 1 })).msg).toBe('科室已被使用，不能删除')
    const { list } = await hospital.get('/v1/business/department/tree')
    const find = (
      items: { name: string; children: never[] }[],
      name: string,
    ): { children: { name: string }[] } | undefined =>
      items.flatMap(item => (item.name === name ? [item] : ([find(item.children, name) ?? []].flat() as never[])))[0]
    expect(find(list, '第5级')?.children.map(child => child.name)).toEqual(['第6级'])
  })
})

describe('warehouses', () => {
  it('are listed in full, central ones first, never 在途 or 停售库', async () => {
    const { list, total } = await hospital.get('/v1/business/warehouse/list')
    expect(total).toBe(list.length)
    expect(list[0].model).toBe('central')
    expect(list.map((store: { model: string }) => store.model)).not.toEqual(expect.arrayContaining(['transit']))
    expect(list.some((store: { model: string }) => store.model === 'stopSale' || store.model === 'consumed')).toBe(
      false,
    )
    expect(
      (await hospital.get('/v1/business/warehouse/list', { type: '2' })).list.map(
        (store: { name: string }) => store.name,
      ),
    ).toEqual(['停售库'])
    expect((await hospital.get('/v1/business/warehouse/list', { type: '3' })).total).toBe(total)
  })

  it('of a ward have a department, others none', async () => {
    expect(await call('warehouse', 'add', { code: 'W9', name: '无主二级库', model: 'ward' })).toMatchObject({
      code: 2000,
      msg: '科室二级库必须选择所属科室',
    })
    const department = await row('department', { name: '眼科' })
    const { sn } = await added('warehouse', {
      code: 'W9',
      name: '又一中心库',
      model: 'central',
      department_inner_sn: department.department_inner_sn,
    })
    expect((await hospital.get('/v1/business/warehouse/info', { sn })).info).toMatchObject({
      department_inner_sn: null,
      type: 3,
    })
  })

  it('cannot be disabled with stock, nor deleted once they had any', async () => {
    const { sn } = await added('warehouse', { code: 'W10', name: '有货的库', model: 'central' })
    const [org, specification] = [
      server.masters.organisations.get('H01') ?? '',
      server.masters.specifications.get('P042-01') ?? '',
    ]
    await server.database.owner`insert into lot (id, specification_id, lot_no) values (1, ${specification}, 'L1')`
    await server.database
      .owner`insert into stock_balance values (${org}, ${sn}, '', ${specification}, 1, ${org}, 'qualified', 5, 10)`
    expect(await call('warehouse', 'disable', { sn, version: 1 })).toMatchObject({
      code: 2108,
      msg: '仓库【有货的库】存在库存或未完成单据，不能停用',
    })
    await server.database.owner`update stock_balance set quantity = 0 where warehouse_id = ${sn}`
    expect((await call('warehouse', 'disable', { sn, version: 1 })).code).toBe(0)
  })

  it('bound to a user are all that user sees', async () => {
    const store = await row('warehouse', { name: '高值库' })
    const keeper = await row('user', { login: 'keeper' })
    await call('user', 'edit', {
      sn: keeper.user_inner_sn,
      version: keeper.version,
      warehouses: [store.warehouse_model_inner_sn],
    })
    const client = await server.as('keeper', 'Spd@2026')
    expect((await client.get('/v1/business/warehouse/list')).list.map((one: { name: string }) => one.name)).toEqual([
      '高值库',
    ])
    expect((await client.get('/v1/user/user_info')).info.warehouse_list).toHaveLength(1)
  })
})

describe('users and roles', () => {
  it('a new user signs in with the password sent by SMS, must change it, and sees what the role grants', async () => {
    const role = await added('role', {
      name: '只看科室',
      flags: ['page:/ptm/OrganizationalStructure', 'department.edit'],
    })
    await added('user', { login: 'newcomer', name: '新人', phone: '13900009999', roles: [role.sn] })
    const first = await server.as('newcomer', firstPassword(server, '13900009999'))
    expect((await first.get('/v1/business/department/list')).code).toBe(1010)
    const client = await enterFirst(server, { login: 'newcomer', phone: '13900009999' })
    const { list } = await client.get('/v1/user/get_user_menu/yrtweb')
    expect(list).toMatchObject([
      {
        title: '系统设置',
        type: 1,
        level: 1,
        children: [
          {
            title: '组织架构',
            uri: '/ptm/OrganizationalStructure',
            type: 1,
            level: 2,
            children: [{ type: 2, level: 3, flag: 'department.edit', title: '编辑' }],
          },
        ],
      },
    ])
    expect(list[0].children).toHaveLength(1)
    expect(await client.post('/v1/business/department/add', { code: 'N1', name: '不该有' })).toMatchObject({
      status: 200,
      code: 403,
      msg: '没有操作权限',
    })
    const department = (await client.get('/v1/business/department/list')).list[0]
    expect(
      (
        await client.post('/v1/business/department/edit', {
          sn: department.department_inner_sn,
          version: department.version,
          cost_centre: 'X',
        })
      ).code,
    ).toBe(0)
    expect((await client.get('/v1/business/user/list')).code).toBe(403)
  })

  it('refuses unknown rights and rights the granting user does not have', async () => {
    expect((await call('role', 'add', { name: '造出来的', flags: ['everything.always'] })).msg).toBe(
      '没有“everything.always”这项权限',
    )
    const helper = await added('role', {
      name: '管角色的',
      flags: ['page:/ptm/userManage/userRole', 'role.add', 'role.edit'],
    })
    await added('user', { login: 'helper', name: '助手', phone: '13900009998', roles: [helper.sn] })
    const client = await enterFirst(server, { login: 'helper', phone: '13900009998' })
    expect(await client.post('/v1/business/role/add', { name: '越权', flags: ['user.add'] })).toMatchObject({
      code: 403,
      msg: '只能授予自己拥有的权限',
    })
    expect((await client.post('/v1/business/role/add', { name: '不越权', flags: ['role.add'] })).code).toBe(0)
  })

  it('a login is unique in the whole network', async () => {
    expect(await call('user', 'add', { login: 'dealer', name: '重名', phone: '13900009997' })).toMatchObject({
      code: 2105,
      msg: '登录账号【dealer】已存在',
    })
  })

  it('no one can disable themselves, and one administrator must remain', async () => {
    const self = await row('user', { login: 'hospital' })
    expect((await call('user', 'disable', { sn: self.user_inner_sn, version: self.version })).msg).toBe(
      '不能停用当前登录账号',
    )
    expect(
      (await call('user', 'edit', { sn: self.user_inner_sn, version: self.version, is_administrator: false })).msg,
    ).toBe('至少保留一名管理员')
  })

  it('a reset password is sent by SMS, and signs the user out', async () => {
    const nurse = await row('user', { login: 'nurse' })
    const client = await server.as('nurse', 'Spd@2026')
    expect((await call('user', 'resetPwd', { sn: nurse.user_inner_sn, version: nurse.version })).code).toBe(0)
    expect((await client.get('/v1/user/user_info')).status).toBe(401)
    const again = await server.as('nurse', firstPassword(server, nurse.phone))
    expect((await again.get('/v1/user/user_info')).info.user_info.must_change).toBe(true)
  })

  it('a role in use cannot be deleted, and a user keeps no role of another organisation', async () => {
    const role = await row('role', { name: '财务' })
    expect((await call('role', 'del', { sn: role.role_sn, version: role.version })).msg).toBe(
      '角色已分配用户，不能删除',
    )
    const foreign = (await (await server.as('dealer')).get('/v1/business/role/list')).list[0]
    expect(
      (await call('user', 'add', { login: 'thief', name: '某人', phone: '13900009996', roles: [foreign.role_sn] }))
        .errors,
    ).toEqual([{ field: 'roles', msg: '【角色】不存在，请重新选择' }])
  })

  it('an employee gets an account, and loses it on leaving', async () => {
    const { sn } = await added('employee', { code: 'E900', name: '章小明', phone: '13900009995' })
    expect(await call('employee', 'openAccount', { sn, version: 1 })).toMatchObject({ code: 2000, msg: '请选择角色' })
    const role = await row('role', { name: '财务' })
    const opened = await call('employee', 'openAccount', { sn, version: 1, role_sn: role.role_sn })
    expect(opened.code).toBe(0)
    // Employees with an account are not offered another.
    expect((await row('employee', { code: 'E900' })).actions).not.toContain('openAccount')
    const twice = await call('employee', 'openAccount', { sn, version: 1, role_sn: role.role_sn })
    expect(twice.msg).toBe('员工已有登录账号【13900009995】')
    const client = await enterFirst(server, { phone: '13900009995' })
    await server.database.owner`
      insert into document (org_id, kind, sn, from_org_id, state, business_date, created_by)
      select org_id, 'requisition', 'SL-HANDOVER', org_id, 'draft', '2026-01-01', id from app_user
        where employee_id = ${sn}`
    const asked = await call('employee', 'disable', { sn, version: 2 })
    expect(asked.code).toBe(2200)
    expect(asked.msg).toMatch(/还有1张未完成的单据需要交接：SL-HANDOVER，可用【交接单据】一次交给他人$/)
    const { user_inner_sn: nurse } = await row('user', { login: 'nurse' })
    const self = await row('user', { login: '13900009995' })
    const give = (to: string, confirm?: unknown) =>
      call('employee', 'handOver', { sn, version: 2, to_user_sn: to, ...(confirm ? { confirm } : {}) })
    expect((await give(self.user_inner_sn)).msg).toBe('接收人不能是本人，请选择其他用户')
    // A group of the menu with its pages that match the search.
    await server.database.owner`
      update document d set warehouse_id = (select w.id from warehouse w
        where w.org_id = d.org_id
        and not exists (select 1 from user_scope s where s.user_id = ${nurse} and s.warehouse_id = w.id) limit 1)
       where d.sn = 'SL-HANDOVER'`
    await server.database.owner`update app_user set store_scope = 'chosen' where id = ${nurse}`
    const unseen = /^接收人【.+】没有其中1张单据的仓库或科室权限，接收后看不到：SL-HANDOVER，是否仍然交接？$/
    const byAccount = { sn: self.user_inner_sn, version: self.version, to_user_sn: nurse }
    expect((await call('user', 'handOver', byAccount)).msg).toMatch(unseen)
    const doubted = await give(nurse)
    expect([doubted.code, doubted.msg]).toEqual([2200, expect.stringMatching(unseen)])
    expect((await give(nurse, doubted.info.token)).code).toBe(0)
    const doc = await server.database.owner`
      select d.created_by, d.handler_id, h.reason,
        (select body from message where user_id = d.created_by and title = '单据交接给您') as notified
        from document d join document_history h on h.org_id = d.org_id and h.document_id = d.id
          and h.action = 'handOver' where d.sn = 'SL-HANDOVER'`
    expect(doc).toMatchObject([{ created_by: nurse, reason: expect.stringMatching(/^章小明交给/) }])
    expect(doc[0]!.notified).toBe('章小明有1张未完成的单据交接给您，请在各单据列表按制单人查看')
    expect(
      (await call('user', 'handOver', { sn: self.user_inner_sn, version: self.version, to_user_sn: nurse })).msg,
    ).toBe('【章小明】没有未完成的单据，无需交接')
    expect((await call('employee', 'disable', { sn, version: 3 })).code).toBe(0)
    expect((await client.get('/v1/user/user_info')).status).toBe(401)
    expect(
      await server.outsider.post('/v1/login', { userName: '13900009995', password: md5('Mine@2026') }),
    ).toMatchObject({ code: 1003 })
    expect((await hospital.get('/v1/business/employee/list', { q: 'zxm' })).total).toBe(1)
    expect((await row('userRoleAssignment', { login: '13900009995' })).roles).toEqual([])
  })
})
