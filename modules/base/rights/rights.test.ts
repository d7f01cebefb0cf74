import { afterAll, beforeAll, expect } from 'vitest'
import { firstPassword } from '#tests/support/outbox.ts'
import { story } from '#tests/support/steps.ts'
import { type Client, type TestServer, openTestServer } from '#tests/support/test-server.ts'
import { change, one, path, rows } from '#tests/support/records.ts'

/** The platform limits, arranges and supports; organisations give their users what they may have. */
let server: TestServer
let platform: Client
let hospital: Client
beforeAll(async () => {
  server = await openTestServer()
  platform = await server.as('platform')
  hospital = await server.as('hospital')
})
afterAll(() => server.close())

const menu = async (who: Client) => (await who.get('/v1/user/get_user_menu/yrtweb')).list
const titles = async (who: Client) =>
  (await menu(who)).flatMap(group => group.children.map((page: { title: string }) => page.title))

story('rights, from the limit the platform sets to the users that have them', step => {
  // the menu, managed by the platform
  step('is renamed, moved and hidden, and users see it at their next load', async () => {
    const route = '/ptm/OrganizationalStructure'
    expect(await titles(hospital)).toContain('组织架构')
    expect(
      await change(platform, 'menuNode', 'menu_node_sn', { route, node_type: '1' }, { content: '科室与部门' }),
    ).toMatchObject({ code: 0 })
    expect(await titles(hospital)).toContain('科室与部门')
    const group = await one(platform, 'menuNode', { content: '基础设置', level: '1' })
    await change(platform, 'menuNode', 'menu_node_sn', { route, node_type: '1' }, { parent_sn: group.menu_node_sn })
    const moved = (await menu(hospital)).find(each => each.title === '基础设置')
    expect(moved.children.map((page: { title: string }) => page.title)).toContain('科室与部门')
    await change(platform, 'menuNode', 'menu_node_sn', { route, node_type: '1' }, { is_shown: false })
    expect(await titles(hospital)).not.toContain('科室与部门')
    await change(
      platform,
      'menuNode',
      'menu_node_sn',
      { route, node_type: '1' },
      { is_shown: true, orgs: ['P', 'D', 'V'] },
    )
    expect(await titles(hospital)).not.toContain('科室与部门')
    expect(await titles(await server.as('dealer'))).toContain('科室与部门')
  })

  step('items swap with a neighbour, and no further than the end', async () => {
    const order = async () => (await menu(hospital)).map(group => group.title)
    const before = await order()
    const moved = await change(platform, 'menuNode', 'menu_node_sn', { content: '产品管理', level: '1' }, {}, 'up')
    expect(moved).toMatchObject({ code: 0 })
    const after = await order()
    expect(after.toSorted()).toEqual(before.toSorted())
    expect(await change(platform, 'menuNode', 'menu_node_sn', { content: '首页', level: '1' }, {}, 'up')).toMatchObject(
      { msg: '已经是第一个' },
    )
  })

  step('contains only routes of the program, and unique group names', async () => {
    const group = await one(platform, 'menuNode', { content: '基础设置', level: '1' })
    const add = (body: Record<string, unknown>) => platform.post(path('menuNode', 'add'), body)
    expect(await add({ content: '造的', route: '/nowhere', parent_sn: group.menu_node_sn })).toMatchObject({
      msg: '路由不存在：/nowhere',
    })
    expect(await add({ content: '基础设置' })).toMatchObject({ msg: '菜单名称已存在' })
    expect(await add({ content: '我的分组', icon: 'Home' })).toMatchObject({ code: 0 })
    const row = await one(platform, 'menuNode', { content: '基础设置', level: '1' })
    expect(await platform.post(path('menuNode', 'del'), { sn: row.menu_node_sn, version: row.version })).toMatchObject({
      msg: '菜单下还有下级，不能删除，可以停用',
    })
  })

  step('gets a deleted page back from the base tree; roles lose its flag meanwhile', async () => {
    const route = '/ptm/userManage/user'
    const [page] = await rows(platform, 'menuNode', { route, node_type: '1' })
    for (const row of await rows(platform, 'menuNode', { parent_sn: page.menu_node_sn }))
      await platform.post(path('menuNode', 'del'), { sn: row.menu_node_sn, version: row.version })
    expect(
      await platform.post(path('menuNode', 'del'), { sn: page.menu_node_sn, version: page.version }),
    ).toMatchObject({ code: 0 })
    expect(await titles(hospital)).not.toContain('用户管理')
    expect(await one(platform, 'motherTree', { route })).toMatchObject({
      difference: '菜单树中缺少',
      is_used: 'unused',
    })
    expect(await change(platform, 'motherTree', 'mother_node_sn', { route }, {}, 'publish')).toMatchObject({ code: 0 })
    expect(await titles(hospital)).toContain('用户管理')
  })

  step('lists the calls that each operation protects, and loses no node in use', async () => {
    expect(await one(platform, 'motherTree', { flag: 'department.edit' })).toMatchObject({
      calls: ['POST /v1/business/department/edit'],
    })
    expect(
      await change(platform, 'motherTree', 'mother_node_sn', { flag: 'department.edit' }, {}, 'del'),
    ).toMatchObject({ msg: '节点已被引用，不能删除' })
  })

  step('is managed by the platform only', async () => {
    for (const kind of ['menuNode', 'motherTree', 'systemRole', 'roleTemplate', 'templateRole']) {
      expect(await rows(hospital, kind)).toEqual([])
      expect((await hospital.post(path(kind, 'add'), { name: 'x', content: 'x' })).code).toBe(403)
    }
    expect((await hospital.get(path('account', 'list'))).code).toBe(0)
    expect(await rows(hospital, 'account')).toEqual([])
  })

  // the rights limit of a kind of organisation
  step('removes a right from every role below at once, the administrator’s too', async () => {
    const add = () =>
      hospital.post(path('department', 'add'), { code: `B${Math.random()}`, name: `科${Math.random()}` })
    expect(await add()).toMatchObject({ code: 0 })
    const all = (await platform.get('/v1/user/get_user_menu/yrtweb', { all: '1', type: 'H' })).list
      .flatMap(group => group.children)
      .flatMap(page => [page.flag, ...page.children.map((child: { flag: string }) => child.flag)])
      .filter(flag => flag !== '')
    const less = all.filter(flag => flag !== 'department.add')
    const holder = await hospital.post(path('role', 'add'), { name: '建科室的', flags: ['department.add'] })
    expect(holder.code).toBe(0)
    const bound = await one(platform, 'systemRole', { code: 'SYS-H' })
    const asked = await platform.post(path('systemRole', 'edit'), {
      sn: bound.system_role_sn,
      version: bound.version,
      is_whole: false,
      flags: less,
    })
    expect(asked.code).toBe(2200)
    expect(asked.msg).toMatch(/^\d+个机构的\d+个角色、\d+个用户将立即失去权限：.*组织架构·新增/)
    expect(
      await change(platform, 'systemRole', 'system_role_sn', { code: 'SYS-H' }, { is_whole: false, flags: less }),
    ).toMatchObject({ code: 0 })
    expect(await add()).toMatchObject({ code: 403, msg: '没有操作权限' })
    expect(
      await (await server.as('dealer')).post(path('department', 'add'), { code: 'B2', name: '经销商科' }),
    ).toMatchObject({ code: 0 })
    // An organisation may have a limit of its own.
    const org = server.masters.organisations.get('H01')
    expect(
      await change(platform, 'systemRole', 'system_role_sn', { code: 'SYS-H' }, { org_sn: org }, 'org'),
    ).toMatchObject({ code: 0 })
    await change(platform, 'systemRole', 'system_role_sn', { code: 'SYS-H01' }, { flags: all })
    expect(await add()).toMatchObject({ code: 0 })
    await change(platform, 'systemRole', 'system_role_sn', { code: 'SYS-H' }, { is_whole: true })
  })

  step('limits the templates, and built-in limits stay', async () => {
    await change(
      platform,
      'systemRole',
      'system_role_sn',
      { code: 'SYS-V' },
      { is_whole: false, flags: ['department.add'] },
    )
    const template = await one(platform, 'roleTemplate', { code: 'TPL-V' })
    const add = (flags: string[]) =>
      platform.post(path('templateRole', 'add'), {
        role_template_sn: template.role_template_sn,
        code: 'X',
        name: '越界',
        flags,
      })
    expect(await add(['department.edit'])).toMatchObject({ msg: '模板权限超出系统角色范围' })
    expect(await add(['department.add'])).toMatchObject({ code: 0 })
    await change(platform, 'systemRole', 'system_role_sn', { code: 'SYS-V' }, { is_whole: true })
    expect(await change(platform, 'systemRole', 'system_role_sn', { code: 'SYS-V' }, {}, 'disable')).toMatchObject({
      msg: '预置系统角色不能停用或删除',
    })
  })

  // a template
  step('adds the roles and rights that an organisation lacks, and removes none', async () => {
    const mine = await hospital.post(path('role', 'add'), { name: '模板外的角色', flags: ['department.edit'] })
    expect(mine).toMatchObject({ code: 0 })
    const template = await one(platform, 'roleTemplate', { code: 'TPL-H' })
    await platform.post(path('templateRole', 'add'), {
      role_template_sn: template.role_template_sn,
      code: 'N1',
      name: '模板新角色',
      flags: ['department.add'],
    })
    await platform.post(path('templateRole', 'add'), {
      role_template_sn: template.role_template_sn,
      code: 'N2',
      name: '模板外的角色',
      flags: ['department.del'],
    })
    const apply = { org_sn: server.masters.organisations.get('H01') }
    const before = await one(platform, 'roleTemplate', { code: 'TPL-H' })
    const asked = await platform.post(path('roleTemplate', 'apply'), {
      sn: before.role_template_sn,
      version: before.version,
      ...apply,
    })
    expect(asked.code).toBe(2200)
    const notified = asked.info.questions.map((question: { msg: string }) => question.msg)
    expect(notified).toContain('新增角色【模板新角色】：组织架构·新增')
    expect(notified).toContain('角色【模板外的角色】增加权限：组织架构·删除')
    expect(await rows(hospital, 'role', { name: '模板新角色' })).toEqual([])
    expect(await change(platform, 'roleTemplate', 'role_template_sn', { code: 'TPL-H' }, apply, 'apply')).toMatchObject(
      { code: 0 },
    )
    expect(await one(hospital, 'role', { name: '模板新角色' })).toMatchObject({
      flags: ['department.add'],
      template_code: 'TPL-H',
    })
    expect((await one(hospital, 'role', { name: '模板外的角色' })).flags).toEqual(['department.del', 'department.edit'])
    const other = { org_sn: server.masters.organisations.get('D01') }
    expect(await change(platform, 'roleTemplate', 'role_template_sn', { code: 'TPL-H' }, other, 'apply')).toMatchObject(
      { msg: '机构类型与模板不同，请重新选择' },
    )
  })

  step('says its version and when it was changed last, whether the template changes or one of its roles', async () => {
    const template = async () => (await rows(platform, 'roleTemplate', {}))[0]!
    const before = await template()
    const key = { role_template_sn: before.role_template_sn }
    const [role] = await rows(platform, 'templateRole', key as never)
    const body = { sn: role!.template_role_sn, version: role!.version, description: '改' }
    expect((await platform.post(path('templateRole', 'edit'), body)).code).toBe(0)
    const after = await template()
    expect(after).toMatchObject({ revision: (before.revision as number) + 1, version: before.version })
    expect(after.changed_at).not.toBeNull()
  })

  step('a role says who made it and when; its code is one of the organisation alone', async () => {
    const add = (name: string) => hospital.post(path('role', 'add'), { name, code: 'R-01', flags: [] })
    expect((await add('编码角色')).code).toBe(0)
    const [made] = await rows(hospital, 'role', { code: 'R-01' })
    expect(made).toMatchObject({ code: 'R-01', created_by: expect.any(String), created_at: expect.any(String) })
    expect((await add('另一角色')).code).not.toBe(0)
    const [bound] = await rows(platform, 'systemRole', { system_type: '2' })
    const edit = { sn: bound!.system_role_sn, version: bound!.version, description: '经销商的上限' }
    expect((await platform.post(path('systemRole', 'edit'), edit)).code).toBe(0)
    const [changed] = await rows(platform, 'systemRole', { system_type: '2' })
    expect(changed).toMatchObject({ changed_by: expect.any(String), changed_at: expect.any(String) })
    expect((await rows(platform, 'vipLevel', { system_type: '2' }))[0]).toMatchObject({ feature_scope: '全部权限' })
  })

  step('is the default, one at a time', async () => {
    expect(
      await change(platform, 'roleTemplate', 'role_template_sn', { code: 'TPL-H' }, { code: 'TPL-H2' }, 'copy'),
    ).toMatchObject({ code: 0 })
    expect(await change(platform, 'roleTemplate', 'role_template_sn', { code: 'TPL-H2' }, {}, 'default')).toMatchObject(
      { code: 0 },
    )
    const defaults = await rows(platform, 'roleTemplate', { system_type: '1', is_default: 'true' })
    expect(defaults.map(row => row.code)).toEqual(['TPL-H2'])
    expect(await change(platform, 'roleTemplate', 'role_template_sn', { code: 'TPL-H2' }, {}, 'disable')).toMatchObject(
      { msg: '默认模板不能停用或删除，请先设置其他默认模板' },
    )
  })

  // roles and users, from both sides
  step('a granted right works at the next call, a removed right is gone', async () => {
    const nurse = await server.as('nurse', 'Spd@2026')
    const add = () => nurse.post(path('department', 'add'), { code: `N${Math.random()}`, name: `病区${Math.random()}` })
    expect((await add()).code).toBe(403)
    const role = await hospital.post(path('role', 'add'), {
      name: '加科室',
      flags: ['page:/ptm/OrganizationalStructure', 'department.add'],
    })
    const before = await nurse.raw({ method: 'GET', url: '/v1/user/user_info' })
    expect(
      await change(
        hospital,
        'userRoleAssignment',
        'user_inner_sn',
        { login: 'nurse' },
        { role_sn: role.info.sn },
        'assign',
      ),
    ).toMatchObject({ code: 0 })
    const after = await nurse.raw({ method: 'GET', url: '/v1/user/user_info' })
    expect(after.headers['x-rights']).not.toBe(before.headers['x-rights'])
    expect(await add()).toMatchObject({ code: 0 })
    const tomorrow = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)
    await change(hospital, 'userRoleAssignment', 'user_inner_sn', { login: 'nurse' }, { rights_from: tomorrow })
    expect((await add()).code).toBe(403)
    await change(hospital, 'userRoleAssignment', 'user_inner_sn', { login: 'nurse' }, { rights_from: null })
    expect(await add()).toMatchObject({ code: 0 })
    await change(
      hospital,
      'userRoleAssignment',
      'user_inner_sn',
      { login: 'nurse' },
      { role_sn: role.info.sn },
      'remove',
    )
    expect((await add()).code).toBe(403)
    // From the role's side.
    const user = await one(hospital, 'user', { login: 'nurse' })
    await change(hospital, 'role', 'role_sn', { name: '加科室' }, { users: [user.user_inner_sn] })
    expect(await add()).toMatchObject({ code: 0 })
    await change(hospital, 'role', 'role_sn', { name: '加科室' }, { users: [] })
    expect((await add()).code).toBe(403)
  })

  step('no one can grant a role with more rights than their own, and conflicting rights are named', async () => {
    const flags = ['page:/ptm/userManage/userRoles', 'userRoleAssignment.assign', 'userRoleAssignment.edit']
    const helper = await hospital.post(path('role', 'add'), { name: '分配员', flags })
    const strong = await hospital.post(path('role', 'add'), {
      name: '强角色',
      flags: ['purchaseOrder.add', 'purchaseOrder.review'],
    })
    await change(hospital, 'userRoleAssignment', 'user_inner_sn', { login: 'keeper' }, { roles: [helper.info.sn] })
    const keeper = await server.as('keeper', 'Spd@2026')
    expect(
      await change(
        keeper,
        'userRoleAssignment',
        'user_inner_sn',
        { login: 'nurse' },
        { role_sn: strong.info.sn },
        'assign',
      ),
    ).toMatchObject({
      code: 403,
      msg: '不能分配超出本人权限的角色',
    })
    await change(hospital, 'userRoleAssignment', 'user_inner_sn', { login: 'buyer' }, { roles: [strong.info.sn] })
    expect((await one(hospital, 'userRoleAssignment', { login: 'buyer' })).conflicts).toBe('同时可制单和审核：采购订单')
    const from = (await one(hospital, 'user', { login: 'buyer' })).user_inner_sn
    expect(
      await change(hospital, 'userRoleAssignment', 'user_inner_sn', { login: 'finance' }, { from_sn: from }, 'copy'),
    ).toMatchObject({ code: 0 })
    expect((await one(hospital, 'userRoleAssignment', { login: 'finance' })).roles).toEqual([strong.info.sn])
  })

  // account support
  step('finds any account, signs it out, resets and unlocks it, and changes its phone', async () => {
    const dealer = await server.as('dealer2', 'Spd@2026')
    expect((await dealer.get('/v1/user/user_info')).code).toBe(0)
    expect(await change(platform, 'account', 'account_sn', { login: 'dealer2' }, {}, 'kick')).toMatchObject({ code: 0 })
    expect((await dealer.get('/v1/user/user_info')).status).toBe(401)
    expect(await change(platform, 'account', 'account_sn', { login: 'dealer2' }, {}, 'resetPwd')).toMatchObject({
      code: 2000,
    })
    expect(
      await change(platform, 'account', 'account_sn', { login: 'dealer2' }, { phone: '13900000099' }, 'changePhone'),
    ).toMatchObject({ code: 0 })
    expect(
      await change(platform, 'account', 'account_sn', { login: 'vendor2' }, { phone: '13900000099' }, 'changePhone'),
    ).toMatchObject({ msg: '手机号码已被其他账号使用' })
    expect(
      await change(platform, 'account', 'account_sn', { login: 'dealer2' }, { reason: '本人忘记密码' }, 'resetPwd'),
    ).toMatchObject({ code: 0 })
    const again = await server.as('dealer2', firstPassword(server, '13900000099'))
    expect((await again.get('/v1/user/user_info')).info.user_info.must_change).toBe(true)
    const mine = (await rows(platform, 'account', { login: 'platform' })).find(
      (row: { login: string }) => row.login === 'platform',
    )
    expect(
      await platform.post(path('account', 'disable'), { sn: mine.account_sn, version: mine.version }),
    ).toMatchObject({ msg: '不能停用当前登录账号' })
    expect((await platform.post(path('account', 'add'), {})).msg).toBe(
      '账号由注册、人力资源和用户管理产生，不能在这里新增、修改或删除',
    )
  })
})
