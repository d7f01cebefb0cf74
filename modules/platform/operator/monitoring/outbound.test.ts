import { afterAll, beforeAll, expect } from 'vitest'
import { story } from '#tests/support/steps.ts'
import { deliverPending } from '#server/documents/intercompany/deliver.ts'
import { askOutbound, performDue, performOutbound } from '#server/outbound/calls.ts'
import type { Carrier } from '#server/outbound/carriers.ts'
import { connectWith } from '#server/registry/connections.ts'
import { inOrganisation } from '#server/database/transaction.ts'
import { outboxOf } from '#tests/support/outbox.ts'
import { type Client, type TestServer, openTestServer } from '#tests/support/test-server.ts'

/** Calls to other systems: retried after 1, 5, 30 minutes, 2 and 12 hours, and by hand, always under one key. */
let server: TestServer
let platform: Client
let hospital: Client
let org: string
const received: { key: string; payload: unknown }[] = []
let fails = true
const his: Carrier = async (payload, key) => {
  received.push({ key, payload })
  if (fails) throw new Error('对方没有应答')
  return { status: 200, text: 'ok' }
}
beforeAll(async () => {
  server = await openTestServer()
  ;[platform, hospital] = await Promise.all([server.as('platform'), server.as('hospital')])
  org = server.masters.organisations.get('H01')!
})
afterAll(() => server.close())

const path = (kind: string, call: string) => `/v1/business/${kind}/${call}`
const list = async (who: Client, kind: string, query: Record<string, string> = {}) =>
  (await who.get(path(kind, 'list'), query)).list
const act = async (who: Client, kind: string, call: string, sn: string, body: object = {}) => {
  const { info } = await who.get(path(kind, 'info'), { sn })
  return who.post(path(kind, call), { sn, version: info?.version ?? 1, ...body })
}
const ask = (name: string) =>
  inOrganisation(server.database.app, org, '0', tx =>
    askOutbound(tx, org, {
      system: 'his',
      name,
      subject: '计费',
      objectNo: 'SY1',
      payload: { patient: '张三', name },
      request: '{"patient":"***"}',
    }),
  )
const round = () => performDue(server.database.app, server.database.owner)
const later = () => server.database.owner`update outbound_call set next_at = now() where next_at is not null`

story('calls to other systems that fail, and what is not delivered', step => {
  // a failed call
  // a call that fails, from its retries to its incident
  step('is retried automatically five times under one key, then waits and people are notified', async () => {
    connectWith({ carriers: { his } })
    const id = await ask('PushCharge')
    const waits: number[] = []
    for (let turn = 0; turn < 6; turn++) {
      await round()
      const [row] = await server.database.owner<{ minutes: number | null }[]>`
        select round(extract(epoch from next_at - now()) / 60)::int as minutes from outbound_call where id = ${id}`
      if (row!.minutes !== null) waits.push(row!.minutes)
      await later()
    }
    await round()
    expect(waits).toEqual([1, 5, 30, 120, 720])
    expect([received.length, new Set(received.map(({ key }) => key)).size]).toEqual([6, 1])
    const [row] = await list(hospital, 'interfaceError', { name: 'PushCharge' })
    expect(row).toMatchObject({
      state: 'waiting',
      tries: 6,
      next_at: null,
      request: '{"patient":"***"}',
      error: '对方没有应答',
    })
    const notified = (await hospital.get('/v1/business/message/list', { q: '接口' })).list.map(message => message.title)
    expect(notified.toSorted()).toEqual(['接口失败率过高', '接口调用多次失败'])
    const tries = await list(hospital, 'interfaceAttempt', { outbound_call_sn: id })
    expect(tries.map(each => [each.attempt_no, each.is_ok, each.by_name])).toEqual(
      [1, 2, 3, 4, 5, 6].map(no => [no, false, '系统自动']),
    )
    expect((await hospital.get(path('interfaceError', 'cards'))).info).toMatchObject({
      calls: 6,
      failures: 6,
      is_red: true,
      open: 2,
    })
  })

  step('is listed once as an incident; resent by hand from there, it is closed in both places', async () => {
    const [incident] = await list(hospital, 'errorRecord', { error_kind: 'interface', object: 'PushCharge' })
    expect(incident).toMatchObject({ times: 6, state: 'waiting', object_no: 'SY1', level: 'serious' })
    expect((await act(hospital, 'errorRecord', 'retry', incident.error_record_sn)).code).toBe(0)
    expect((await list(hospital, 'errorRecord', { object: 'PushCharge' }))[0]).toMatchObject({
      state: 'working',
      times: 7,
    })
    fails = false
    expect((await act(hospital, 'errorRecord', 'retry', incident.error_record_sn)).code).toBe(0)
    expect((await list(hospital, 'errorRecord', { object: 'PushCharge' }))[0]).toMatchObject({
      state: 'done',
      note: '重试成功',
    })
    const [call] = await list(hospital, 'interfaceError', { name: 'PushCharge' })
    expect(call).toMatchObject({ state: 'succeeded', tries: 8, response: 'ok', http_status: 200 })
    expect(new Set(received.map(({ key }) => key)).size).toBe(1)
    expect((await act(hospital, 'interfaceError', 'retry', call.interface_error_sn)).msg).toBe('该异常已处理')
    const [kept] = await server.database.owner`select payload from outbound_call where id = ${call.interface_error_sn}`
    expect(kept!.payload).toBeNull()
  })

  step('is resent by hand or in bulk with permission, and closed with a comment', async () => {
    fails = true
    const ids = [await ask('PushBill'), await ask('PushBill'), await ask('PushBill')]
    await round()
    const [first, second, third] = ids as [string, string, string]
    expect((await act(hospital, 'interfaceError', 'close', third)).msg).toBe('请填写处理说明')
    expect((await act(hospital, 'interfaceError', 'close', third, { note: '已在HIS补录' })).code).toBe(0)
    fails = false
    expect((await act(hospital, 'interfaceError', 'retry', first)).code).toBe(0)
    const nurse = await server.as('nurse')
    expect((await nurse.post(path('interfaceError', 'batchRetry'), { items: second })).code).toBe(403)
    expect((await hospital.post(path('interfaceError', 'batchRetry'), { items: [second] })).info).toEqual({
      sent: 1,
      succeeded: 1,
    })
    expect((await hospital.post(path('interfaceError', 'batchRetry'), { items: [second] })).msg).toBe(
      '没有可以重新发送的消息',
    )
    expect((await hospital.post(path('interfaceError', 'batchRetry'), { items: 'x' })).code).toBe(2000)
  })

  step('the platform sees its cause and its content, which names no patient', async () => {
    const [row] = await list(platform, 'interfaceError', { of_org_sn: org, name: 'PushCharge' })
    expect(row).toMatchObject({
      name: 'PushCharge',
      error: '对方没有应答',
      request: '{"patient":"***"}',
      response: 'ok',
      object_no: 'SY1',
    })
    expect((await hospital.get(path('interfaceError', 'list'), { of_org_sn: org })).code).toBe(403)
  })

  step('is made by one process when two try at once', async () => {
    const id = await ask('Twice')
    const done = await Promise.all([1, 2].map(() => performOutbound(server.database.app, org, id)))
    expect(done.toSorted()).toEqual([false, true])
  })

  // a password reset
  step('is sent to the holder by SMS, and retried while no provider accepts it', async () => {
    connectWith({ carriers: { sms: () => Promise.reject(new Error('isv.OUT_OF_SERVICE')) } })
    const [account] = await list(platform, 'account', { login: 'vendor2' })
    expect((await act(platform, 'account', 'resetPwd', account.account_sn, { reason: '忘记密码' })).code).toBe(0)
    const [call] = await list(platform, 'interfaceError', { name: 'SendSms FIRST_PASSWORD' })
    expect(call).toMatchObject({
      state: 'retrying',
      object_no: 'vendor2',
      request: expect.stringMatching(/^\{"phone":"\d{3}\*{4}\d{4}"/),
    })
    const { smsCarrier } = await import('#server/identity/sms/carrier.ts')
    const { smsSenderOf } = await import('#server/identity/sms/sender.ts')
    connectWith({
      carriers: {
        sms: smsCarrier(server.database.app, smsSenderOf({ sms: { provider: 'outbox' }, dataDir: server.dataDir })),
      },
    })
    expect((await act(platform, 'interfaceError', 'retry', call.interface_error_sn)).code).toBe(0)
    const sent = outboxOf(server, 'sms').at(-1) as unknown as { template: string; code: string; key: string }
    expect(sent).toMatchObject({ template: 'FIRST_PASSWORD', key: call.call_key })
    expect(sent.code).toMatch(/^[0-9A-Za-z]{10}$/)
    const users = await list(hospital, 'user', { login: 'finance' })
    expect((await act(hospital, 'user', 'resetPwd', users[0].user_inner_sn)).code).toBe(0)
    expect(outboxOf(server, 'sms').at(-1)).toMatchObject({ template: 'FIRST_PASSWORD', phone: users[0].phone })
  })

  // a document that is not delivered
  step('is listed among the sender’s incidents until it is', async () => {
    const dealer = server.masters.organisations.get('D01')!
    const { owner } = server.database
    const [hand] = await owner<{ id: string }[]>`
      insert into intercompany_message (org_id, to_org_id, message, document_id, payload, attempts)
        values (${org}, ${dealer}, 'document', 1,
        '{"message":"progress","kind":"purchaseOrder","sn":"nowhere","lines":[]}', 4) returning id`
    const deliver = () => deliverPending(server.database.app, owner)
    await deliver()
    const [row] = await list(hospital, 'errorRecord', { error_kind: 'push' })
    expect(row).toMatchObject({ source: '单据推送', state: 'waiting' })
    expect((await act(hospital, 'errorRecord', 'retry', row.error_record_sn)).code).toBe(0)
    await owner`insert into intercompany_message_received (org_id, from_org_id, intercompany_message_id)
      values (${dealer}, ${org}, ${hand!.id})`
    await deliver()
    expect((await list(hospital, 'errorRecord', { error_kind: 'push' }))[0]).toMatchObject({
      state: 'done',
      note: '已自动送达',
    })
  })
})
