import { afterAll, beforeAll, expect } from 'vitest'
import { story } from '#tests/support/steps.ts'
import { type Client, type TestServer, openTestServer } from '#tests/support/test-server.ts'

/** 机构变更审批: an organisation asks, the platform decides, and only then others see it. */
let server: TestServer
let platform: Client
let dealer: Client
beforeAll(async () => {
  server = await openTestServer()
  ;[platform, dealer] = [await server.as('platform'), await server.as('dealer')]
})
afterAll(() => server.close())

const path = (call: string) => `/v1/business/orgChangeApproval/${call}`
const org = (code: string) => server.masters.organisations.get(code) ?? ''
const ask = (more: object, who = dealer) => who.post(path('add'), { note: '说明', ...more })
const decide = (action: string, reply: { info: { sn: string } }, more = {}) =>
  platform.post(path(action), { sn: reply.info.sn, version: 1, ...more })
const nameOf = async () => (await platform.get('/v1/business/organisation/info', { sn: org('D01') })).info.name
const notified = async (code: string) =>
  (
    await server.database.owner<{ body: string }[]>`select body from message where org_id = ${org(code)} order by id`
  ).map(row => row.body)

story('change request, from one step to the next', step => {
  step('lists what would change, before and after, and nothing else', async () => {
    const before = await nameOf()
    const reply = await ask({ name: '栎舟新名有限公司', registrant: '新联系人', alias: '' })
    expect(reply.code, reply.msg).toBe(0)
    const { info } = await platform.get(path('info'), { sn: reply.info.sn })
    expect(info).toMatchObject({
      changed: '机构名称、联系人',
      before_text: expect.stringContaining(`机构名称：${before}；联系人：`),
      after_text: '机构名称：栎舟新名有限公司；联系人：新联系人',
      state: 'pending',
      system_type: 2,
      organisation_name: before,
      actions: ['review', 'reject'],
    })
    expect(await nameOf()).toBe(before)
    expect(await notified('P01')).toContainEqual(expect.stringContaining('申请变更：机构名称、联系人'))
    expect((await ask({ name: '再改' })).msg).toBe('存在待审批的变更申请，请勿重复提交')
    expect((await decide('reject', reply)).msg).toBe('请填写驳回原因')
    expect((await decide('reject', reply, { reason: '请附营业执照' })).code).toBe(0)
    expect(await nameOf()).toBe(before)
    expect((await notified('D01')).at(-1)).toContain('请附营业执照')
    const after = await platform.post(path('review'), { sn: reply.info.sn, version: 2 })
    expect(after).toMatchObject({ code: 2101, msg: '该申请已审批，请刷新列表' })
  })

  step('applied in full once approved; documents of an earlier day keep the earlier name', async () => {
    const before = await nameOf()
    const sql = server.database.owner
    const licence = (sn: string, day: string) => sql`
    insert into document (org_id, kind, sn, from_org_id, state, business_date)
      values (${org('D01')}, 'purchaseOrder', ${sn}, ${org('D01')}, 'reviewed', ${day}::date)`
    await licence('CGOLD', '2026-01-05')
    await licence('CGNEW', '2199-01-05')
    const reply = await ask({ name: '栎舟二代有限公司', administrative_division_sn: '320505' })
    expect((await decide('review', reply)).code).toBe(0)
    expect((await platform.get('/v1/business/organisation/info', { sn: org('D01') })).info).toMatchObject({
      name: '栎舟二代有限公司',
      division_name: '江苏省苏州市虎丘区',
    })
    const printed = async (sn: string) => (await dealer.get('/v1/business/purchaseOrder/print', { sn })).info.org_name
    expect([await printed('CGOLD'), await printed('CGNEW')]).toEqual([before, '栎舟二代有限公司'])
  })

  step('needs at least one change, in valid form, with a unique credit code', async () => {
    expect((await ask({})).msg).toBe('请填写需要变更的内容')
    expect((await ask({ name: await nameOf() })).msg).toBe('请填写需要变更的内容')
    expect((await ask({ name: '新<名>' })).msg).toBe('机构名称中请不要输入特殊字符')
    expect((await ask({ social_credit_code: '123' })).msg).toBe('统一社会信用代码格式为字母或数字组合的18位')
    const [other] = await server.database.owner<{ code: string }[]>`
    select social_credit_code as code from organisation where code = 'D02'`
    expect(await ask({ social_credit_code: other!.code })).toMatchObject({ code: 2105, msg: '统一社会信用代码已存在' })
    expect((await ask({ note: '', name: '某' })).msg).toBe('请填写申请说明')
  })

  step('runs the credit code check again on approval', async () => {
    const reply = await ask({ social_credit_code: '91320506MA1ABCDE77' })
    await server.database.owner`update organisation set social_credit_code = '91320506MA1ABCDE77' where code = 'D03'`
    expect(await decide('review', reply)).toMatchObject({ code: 2105, msg: '统一社会信用代码已存在' })
    expect((await dealer.post(path('del'), { sn: reply.info.sn, version: 1 })).code).toBe(0)
  })

  step('is visible to its organisation and the platform only', async () => {
    const vendor = await server.as('vendor')
    const reply = await ask({ legal_person: '某人' })
    expect((await vendor.get(path('info'), { sn: reply.info.sn })).code).toBe(2106)
    expect((await vendor.post(path('del'), { sn: reply.info.sn, version: 1 })).code).toBe(2106)
    expect((await vendor.get(path('list'))).list.every(row => row.organisation_sn === org('V01'))).toBe(true)
    expect((await dealer.post(path('review'), { sn: reply.info.sn, version: 1 })).code).toBe(403)
    expect((await ask({ name: '平台' }, platform)).code).toBe(403)
    expect((await (await server.as('nurse')).post(path('add'), { note: 'x', name: '改' })).code).toBe(403)
  })

  step('blocks the organisation that requests it', async () => {
    const other = await server.as('vendor2', 'Spd@2026')
    const reply = await ask({ change_type: 'stop' }, other)
    expect(reply.code, reply.msg).toBe(0)
    expect((await decide('review', reply)).code).toBe(0)
    expect((await other.get('/v1/user/user_info')).status).toBe(401)
  })

  step('a trading relation approved by the platform applies on both sides from its first day', async () => {
    const [free] = await server.database.owner<{ id: string; name: string; type: number }[]>`
    select o.id, o.name, o.system_type as type from organisation o
     where o.system_type in (1, 3) and o.status = 'enabled' and o.audit_state = 'passed' and o.kept_by_id is null
       and not exists (select 1 from org_relation r where r.org_id = ${org('D01')} and r.partner_id = o.id)
         order by o.id limit 1`
    const asked = { change_type: 'relation', partner_sn: free!.id }
    expect((await ask({ change_type: 'relation' })).msg).toBe('请选择关联机构')
    expect((await ask({ ...asked, partner_sn: org('D01') })).msg).toBe('请选择相关机构。')
    expect((await ask({ ...asked, valid_from: '2027-01-02', valid_to: '2027-01-01' })).msg).toBe(
      '有效期至必须晚于生效日期',
    )
    const reply = await ask({ ...asked, valid_from: '2199-01-01' })
    expect(reply.code, reply.msg).toBe(0)
    const { info } = await platform.get(path('info'), { sn: reply.info.sn })
    expect(info).toMatchObject({ changed: '交易关系', partner_sn: free!.id, relation: free!.type === 1 ? 'DH' : 'DV' })
    expect((await decide('review', reply)).code).toBe(0)
    const books = await server.database.owner`
    select status, valid_from::text from org_relation
      where (org_id, partner_id) in ((${org('D01')}, ${free!.id}), (${free!.id}, ${org('D01')}))`
    expect(books.map(row => [row.status, row.valid_from])).toEqual([
      ['enabled', '2199-01-01'],
      ['enabled', '2199-01-01'],
    ])
    const partners = async () =>
      (await dealer.get('/v1/business/organisation/list', { relation: 'partner', name: free!.name, pageSize: '50' }))
        .list
    expect(await partners()).toEqual([])
    await server.database.owner`update org_relation set valid_from = current_date - 1
      where org_id = ${org('D01')} and partner_id = ${free!.id}`
    expect((await partners()).map((row: { name: string }) => row.name)).toContain(free!.name)
    expect((await ask(asked)).msg).toBe(`与【${free!.name}】已有交易关系或待审核的申请`)
    const [notified] = await server.database.owner<{ body: string }[]>`
    select body from message where org_id = ${free!.id} and title = '交易关系已建立'`
    expect(notified!.body).toContain('自2199-01-01起可以交易')
  })
})
