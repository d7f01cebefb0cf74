import { afterAll, beforeAll, expect } from 'vitest'
import { story } from '#tests/support/steps.ts'
import { today } from '#kernel/values/date.ts'
import { handOutAll } from '#modules/platform/operator/messaging/message-delivery.server.ts'
import { sendDueMessages } from '#modules/platform/operator/messaging/sent-message.server.ts'
import { performDue } from '#server/outbound/calls.ts'
import { collectReceipts } from '#server/realtime/receipts.ts'
import { outboxOf } from '#tests/support/outbox.ts'
import { type Client, type TestServer, openTestServer } from '#tests/support/test-server.ts'

/**
 * Notices of every organisation and messages of the platform: who gets them, who read them, and how they are
 * withdrawn.
 */
let server: TestServer
let platform: Client
let hospital: Client
let dealer: Client
let nurse: Client
const org = (code: string) => server.masters.organisations.get(code) ?? ''
beforeAll(async () => {
  server = await openTestServer()
  ;[platform, hospital, dealer, nurse] = (await Promise.all(
    ['platform', 'hospital', 'dealer', 'nurse'].map(login => server.as(login)),
  )) as [Client, Client, Client, Client]
})
afterAll(() => server.close())

const path = (kind: string, call: string) => `/v1/business/${kind}/${call}`
const one = async (who: Client, kind: string, sn: string) => (await who.get(path(kind, 'info'), { sn })).info
const row = async (who: Client, kind: string, title: string) => (await who.get(path(kind, 'list'), { title })).list[0]
const add = async (who: Client, kind: string, body: Record<string, unknown>) => {
  const reply = await who.post(path(kind, 'add'), body)
  expect(reply.msg).toBe('')
  return reply.info.sn as string
}
const act = async (who: Client, kind: string, call: string, sn: string, body: Record<string, unknown> = {}) =>
  who.post(path(kind, call), { sn, version: (await one(who, kind, sn))?.version ?? 1, ...body })
const inbox = async (who: Client, q: string, more: Record<string, string> = {}) =>
  (await who.get('/v1/business/message/list', { q, ...more })).list
const onMessage = (who: Client, call: string, sn: string) => who.post(`/v1/business/message/${call}`, { sn })
const write = (title: string, more: object = {}) => ({ title, body: `${title}的内容`, ...more })

story('notices, messages and the inbox they arrive in', step => {
  // a notice
  step('to a partner is reviewed by a second person, and reaches only its readers once published', async () => {
    await server.database.owner`delete from org_config where org_id = ${org('D01')} and name = 'allow_self_review'`
    const chosen = { audience: 'chosen', receivers: [org('H01')] }
    const sn = await add(dealer, 'notice', write('春节发货安排', chosen))
    expect((await row(dealer, 'notice', '春节发货'))?.code).toMatch(/^GG\d{6}0001$/)
    expect((await act(dealer, 'notice', 'publish', sn)).msg).toBe('发给其他机构的公告请先提交并审核，再发布')
    expect((await act(dealer, 'notice', 'submit', sn)).code).toBe(0)
    expect((await act(dealer, 'notice', 'edit', sn, { title: '改' })).msg).toBe('公告【待审核】，不能编辑')
    expect((await act(dealer, 'notice', 'review', sn)).msg).toBe('不能审核自己写的公告，请由他人审核')
    const second = await server.as('dealer2')
    expect((await act(second, 'notice', 'reject', sn, { reason: '写明日期' })).code).toBe(0)
    await act(dealer, 'notice', 'submit', sn)
    expect((await act(second, 'notice', 'review', sn)).code).toBe(0)
    expect([(await inbox(hospital, '春节')).length, (await inbox(dealer, '春节')).length]).toEqual([0, 0])
    expect((await act(dealer, 'notice', 'publish', sn)).code).toBe(0)
    const vendor = await server.as('vendor')
    expect([
      (await inbox(hospital, '春节')).length,
      (await inbox(dealer, '春节')).length,
      (await inbox(vendor, '春节')).length,
    ]).toEqual([1, 0, 0])
    expect((await act(dealer, 'notice', 'edit', sn, { title: '改' })).msg).toBe('已发布的公告不能修改或删除，只能撤下')
    expect((await dealer.get('/v1/business/notice/print', { sn })).info).toMatchObject({
      title: '公告',
      heading: '春节发货安排',
      type_name: '业务公告',
      audience_name: '指定往来机构',
      published_on: today(),
      lines: [{ line_no: 1, paragraph: expect.any(String) }],
    })
  })

  step('counts reads and confirmations, stays on top until then, and reminds once a day', async () => {
    const sn = await add(platform, 'notice', write('停机演练', { audience: 'all', needs_confirm: true }))
    await act(platform, 'notice', 'submit', sn)
    await act(platform, 'notice', 'review', sn)
    expect((await act(platform, 'notice', 'publish', sn)).msg).toBe('')
    const receivers = (await row(platform, 'notice', '停机演练')).receiver_count as number
    expect(receivers).toBeGreaterThan(4)
    const later = await add(hospital, 'notice', write('后来的事'))
    await act(hospital, 'notice', 'publish', later)
    expect((await inbox(hospital, ''))[0]).toMatchObject({
      title: '停机演练',
      needs_confirm: true,
      confirmed_at: null,
      message_type: 'notice',
    })
    const [mine] = await inbox(hospital, '停机')
    expect((await onMessage(hospital, 'del', mine.message_sn)).msg).toBe('该消息要求确认，请先确认收到再删除')
    expect((await onMessage(hospital, 'read', mine.message_sn)).code).toBe(0)
    expect(await row(platform, 'notice', '停机演练')).toMatchObject({ read_count: 1, confirmed_count: 0 })
    expect((await act(platform, 'notice', 'remind', sn)).code).toBe(0)
    expect((await act(platform, 'notice', 'remind', sn)).msg).toContain('每天最多一次')
    expect((await inbox(dealer, '催办')).map(message => message.title)).toEqual(['催办：停机演练'])
    expect((await onMessage(hospital, 'confirm', mine.message_sn)).code).toBe(0)
    expect((await onMessage(nurse, 'confirm', mine.message_sn)).msg).toBe('该消息已确认')
    expect(await row(platform, 'notice', '停机演练')).toMatchObject({
      read_count: 1,
      confirmed_count: 1,
      confirmed_rate: (1 / receivers).toFixed(4),
    })
    const { list } = await platform.get(path('noticeReceiver', 'list'), { notice_sn: sn, receiver_org: '' })
    const notified = list.filter(each => each.confirmed_at !== null)
    expect([list.length, notified.length, notified[0].confirmed_by]).toEqual([
      receivers,
      1,
      (await hospital.get('/v1/user/user_info')).info.employee_info.name,
    ])
    expect((await hospital.get(path('noticeReceiver', 'list'), { notice_sn: sn })).msg).toContain('不存在')
    expect((await inbox(hospital, '', { confirm_state: 'confirmed' })).map(message => message.title)).toEqual([
      '停机演练',
    ])
  })

  step(
    'to departments or roles reaches only their people; withdrawn, it is gone for those who had not read',
    async () => {
      const [keeper] = await server.database.owner`
      select e.department_id from app_user u join employee e on e.org_id = u.org_id and e.id = u.employee_id
        where u.login = 'nurse'`
      const sn = await add(
        hospital,
        'notice',
        write('科室盘点', { audience: 'departments', departments: [keeper!.department_id] }),
      )
      expect((await act(hospital, 'notice', 'publish', sn)).code).toBe(0)
      expect([(await inbox(nurse, '科室盘点')).length, (await inbox(hospital, '科室盘点')).length]).toEqual([1, 0])
      expect((await act(hospital, 'notice', 'withdraw', sn, { reason: '改期' })).code).toBe(0)
      expect(await inbox(nurse, '科室盘点')).toEqual([])
      expect((await act(hospital, 'notice', 'copy', sn)).code).toBe(0)
      expect(await row(hospital, 'notice', '科室盘点（副本）')).toMatchObject({ state: 'draft' })
      expect((await hospital.post(path('notice', 'add'), write('全平台', { audience: 'all' }))).msg).toBe(
        '只有平台可以发给全平台机构',
      )
      expect((await hospital.post(path('notice', 'add'), write('空', { audience: 'roles' }))).msg).toBe(
        '请选择接收角色',
      )
    },
  )

  // a message of the platform
  const send = async (body: Record<string, unknown>) => {
    const sn = await add(platform, 'sentMessage', body)
    expect((await act(platform, 'sentMessage', 'send', sn)).msg).toBe('')
    return sn
  }

  step('goes to a kind of organisation, and its reads are counted', async () => {
    const sn = await send(
      write('医院培训', {
        audience: 'type',
        org_types: ['H'],
        message_type: 'training',
        uri: '/commonView/noticeRecord',
      }),
    )
    expect([(await inbox(hospital, '医院培训')).length, (await inbox(dealer, '医院培训')).length]).toEqual([1, 0])
    const [message] = await inbox(nurse, '医院培训', { message_type: 'training', read_state: 'unread' })
    expect(message).toMatchObject({
      uri: '/commonView/noticeRecord',
      from_org_name: (await platform.get('/v1/user/user_info')).info.employee_info.org_name,
    })
    await onMessage(nurse, 'read', message.message_sn)
    await hospital.post('/v1/business/message/readAll')
    const sent = await row(platform, 'sentMessage', '医院培训')
    expect(sent).toMatchObject({ state: 'sent', read_count: 2, receiver_names: '医院' })
    expect(sent.read_rate).toBe((2 / sent.people_count).toFixed(4))
    expect((await act(platform, 'sentMessage', 'edit', sn, { title: '改' })).msg).toBe('已发送的消息不能修改或删除')
    expect((await dealer.get(path('sentMessage', 'list'))).list).toEqual([])
  })

  step('to one person is private; withdrawn within half an hour it stays with those who read it', async () => {
    const [user] = await server.database.owner`select id from app_user where login = 'nurse'`
    await send(write('给护士', { audience: 'user', accounts: [user!.id] }))
    expect([(await inbox(nurse, '给护士')).length, (await inbox(hospital, '给护士')).length]).toEqual([1, 0])
    const sn = await send(write('说错了', { audience: 'org', receivers: [org('H01')] }))
    await onMessage(nurse, 'read', (await inbox(nurse, '说错了'))[0].message_sn)
    expect((await act(platform, 'sentMessage', 'recall', sn)).code).toBe(0)
    expect([(await inbox(nurse, '说错了')).length, (await inbox(hospital, '说错了')).length]).toEqual([1, 0])
    const old = await send(write('太晚了', { audience: 'org', receivers: [org('H01')] }))
    await server.database.owner`update sent_message set sent_at = now() - interval '31 minutes' where id = ${old}`
    expect((await act(platform, 'sentMessage', 'recall', old)).msg).toBe('消息发出已超过30分钟，不能撤回')
  })

  step('waits for its time; what a failed process left is finished an hour later', async () => {
    const sn = await send(
      write('定时的', {
        audience: 'org',
        receivers: [org('D01')],
        send_at: new Date(Date.now() + 60_000).toISOString(),
      }),
    )
    expect(await one(platform, 'sentMessage', sn)).toMatchObject({ state: 'waiting' })
    const round = () => sendDueMessages(server.database.app, server.database.owner)
    await round()
    expect(await inbox(dealer, '定时的')).toEqual([])
    await server.database.owner`update sent_message set send_at = now() where id = ${sn}`
    await round()
    expect(await inbox(dealer, '定时的')).toHaveLength(1)
    await server.database.owner`update sent_delivery set delivered_at = null where sent_message_id = ${sn}`
    await handOutAll(server.database.owner)
    expect(await inbox(dealer, '定时的')).toHaveLength(1)
    await onMessage(dealer, 'read', (await inbox(dealer, '定时的'))[0].message_sn)
    await server.database.owner`delete from message_receipt where of_id = ${sn}`
    await collectReceipts(server.database.owner)
    expect(await one(platform, 'sentMessage', sn)).toMatchObject({ read_count: 1 })
  })

  step('also goes by SMS where requested, once per phone', async () => {
    const [user] = await server.database.owner`select id, phone from app_user where login = 'nurse'`
    await send(write('短信提醒', { audience: 'user', accounts: [user!.id], by_sms: true }))
    const calls = (await platform.get(path('interfaceError', 'list'), { name: 'announcement' })).list
    expect(calls).toEqual([])
    const asked = () => server.database.owner`
      select state, payload->>'phone' as phone, payload->>'text' as text from outbound_call
        where name = 'SendSms announcement'`
    expect(await asked()).toEqual([{ state: 'pending', phone: user!.phone, text: '短信提醒，请登录系统查看' }])
    await handOutAll(server.database.owner)
    await performDue(server.database.app, server.database.owner)
    expect((await asked()).map(row => row.state)).toEqual(['succeeded'])
    expect(outboxOf(server, 'sms').at(-1)).toMatchObject({ phone: user!.phone, template: 'announcement' })
  })

  step('names what is wrong with it', async () => {
    const wrong = async (more: object) => (await platform.post(path('sentMessage', 'add'), write('错', more))).msg
    expect(await wrong({ audience: 'type', org_types: ['X'] })).toBe('【机构类型】没有“X”这个选项')
    expect(await wrong({ audience: 'role' })).toBe('请填写接收角色')
    expect(await wrong({ uri: 'https://elsewhere.example' })).toBe('跳转页面应为系统内的路由，如 /commonView/inventory')
    expect(await wrong({ extra: '[1]' })).toContain('附加信息应为JSON')
    expect((await hospital.post(path('sentMessage', 'add'), write('错'))).code).toBe(403)
  })

  // the inbox
  step('hides what a user deleted for that user only, and can be exported to a workbook', async () => {
    const [message] = await inbox(nurse, '说错了')
    expect((await onMessage(nurse, 'del', message.message_sn)).code).toBe(0)
    expect(await inbox(nurse, '说错了')).toEqual([])
    expect((await onMessage(nurse, 'del', message.message_sn)).code).toBe(2106)
    const file = await hospital.raw({ method: 'GET', url: '/v1/business/message/export?message_type=notice' })
    expect(file.headers['content-type']).toContain('spreadsheetml')
    expect(file.rawPayload.subarray(0, 2).toString()).toBe('PK')
    expect((await hospital.get('/v1/business/message/list', { begin_at: '2026-02-30' })).msg).toBe(
      '日期格式应为 2026-01-31',
    )
    expect((await hospital.get('/v1/business/message/list', { message_type: 'x' })).code).toBe(2000)
  })
})
