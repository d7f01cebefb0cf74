import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import WebSocket from 'ws'
import { buildApp } from '#app/app.ts'
import { type Masters, seedMasters } from '#demo/masters/masters.ts'
import { sendMessage, type NewMessage } from '#server/messages/messages.ts'
import { inOrganisation } from '#server/database/transaction.ts'
import { type Database, openDatabase } from '#server/plugins/database.ts'
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts'
import { md5 } from '#tests/support/test-server.ts'

/** `/ws` as described in sections 4, 7 and 9 of the specification, with two server processes on one database. */
let fresh: FreshDatabase
let databases: Database[]
let apps: Awaited<ReturnType<typeof buildApp>>[]
let masters: Masters
beforeAll(async () => {
  fresh = await freshDatabase()
  databases = [await openDatabase(fresh.config), await openDatabase(fresh.config)]
  masters = await seedMasters(databases[0]!.owner)
  apps = await Promise.all(databases.map(database => buildApp({ config: fresh.config, database, logger: false })))
  await Promise.all(apps.map(app => app.listen({ port: 0, host: '127.0.0.1' })))
})
afterAll(async () => {
  for (const app of apps) await app.close()
  for (const database of databases) await database.close()
  await fresh.drop()
})

type Person = { cookie: string; token: string }
async function signIn(login: string, at = 0): Promise<Person> {
  const reply = await apps[at]!.inject({
    method: 'POST',
    url: '/v1/login',
    payload: { userName: login, password: md5('Spd@2026') },
  })
  return { cookie: `sid=${reply.cookies[0]?.value}`, token: reply.json().info.r_id }
}
const call = async (person: Person, path: string, body?: object, at = 0) =>
  (
    await apps[at]!.inject({
      method: body ? 'POST' : 'GET',
      url: path,
      ...(body ? { payload: body } : {}),
      headers: { cookie: person.cookie },
    })
  ).json()

const open: WebSocket[] = []
afterEach(() => open.splice(0).forEach(socket => socket.terminate()))
type Received = { socket: WebSocket; words: { title?: string; msg?: string; id?: string }[] }

/** A connected socket: the first ping was answered. */
async function connect(token: string, at = 0, headers = {}): Promise<Received> {
  const address = apps[at]!.server.address() as { port: number }
  const socket = new WebSocket(`ws://127.0.0.1:${address.port}/ws?token=${encodeURIComponent(token)}`, { headers })
  open.push(socket)
  const words: Received['words'] = []
  socket.on('message', data => words.push(JSON.parse(String(data))))
  socket.on('error', () => {})
  return { socket, words }
}
async function listen(person: Person, at = 0): Promise<Received> {
  const received = await connect(person.token, at)
  await once(received.socket, 'open')
  // Joining needs a database lookup: a message for this user alone shows that the socket has joined.
  const [row] = await databases[0]!.owner`select user_id, org_id from session where r_id = ${person.token}`
  await vi.waitFor(async () => {
    await leave(row!.org_id, { title: 'in', kind: null, userId: row!.user_id })
    await vi.waitFor(() => expect(received.words.some(word => word.title === 'in')).toBe(true), { timeout: 300 })
  }, 10_000)
  return received
}
const titles = ({ words }: Received) => words.map(word => word.title).filter(title => title !== 'in' && title)
const leave = (org: string, more: Partial<NewMessage>) =>
  inOrganisation(databases[0]!.app, org, '0', tx =>
    sendMessage(tx, org, { title: '标题', body: '正文', uri: 'salesOrder', objectId: 'XS1', kind: null, ...more }),
  )
const hospital = () => masters.organisations.get('H01')!

describe('the connection', () => {
  it('opens with the r_id of the login result, which opens nothing else', async () => {
    const person = await signIn('hospital')
    const { socket } = await connect(person.token)
    await once(socket, 'open')
    const reply = await apps[0]!.inject({ url: '/v1/user/user_info', headers: { cookie: `sid=${person.token}` } })
    expect(reply.statusCode).toBe(401)
  })

  it.each([['nonsense'], ['x'.repeat(32)], ['']])('is closed for the token "%s"', async token => {
    const { socket } = await connect(token)
    const [code] = await once(socket, 'close')
    expect(code).toBe(4401)
  })

  it('is closed for the session’s own cookie value, and for a page of another site', async () => {
    const person = await signIn('hospital')
    const own = await connect(person.cookie.slice(4))
    expect((await once(own.socket, 'close'))[0]).toBe(4401)
    const foreign = await connect(person.token, 0, { origin: 'https://elsewhere.example' })
    expect((await once(foreign.socket, 'close'))[0]).toBe(4401)
  })

  it('answers the heartbeat and nothing else', async () => {
    const received = await connect((await signIn('hospital')).token)
    await once(received.socket, 'open')
    for (const word of ['nonsense', '{"type":"other"}', 'null', JSON.stringify({ type: 'heart_beat', msg: 'ping' })])
      received.socket.send(word)
    await vi.waitFor(() => expect(received.words).toEqual([{ type: 'heart_beat', msg: 'pong' }]))
  })

  it('is closed when its user signs out in any process, and when the password changes', async () => {
    const [one, other] = [await signIn('keeper'), await signIn('keeper')]
    const [first, second] = [await listen(one, 1), await listen(other, 1)]
    const closed = once(first.socket, 'close')
    await call(one, '/v1/logout', {}, 0)
    expect((await closed)[0]).toBe(4401)
    const ended = once(second.socket, 'close')
    const third = await signIn('keeper')
    const change = { old: md5('Spd@2026'), password: md5('Other@2026') }
    expect((await call(third, '/v1/user/change_my_password', change)).code).toBe(0)
    expect((await ended)[0]).toBe(4401)
  })
})

describe('a message', () => {
  it('reaches users of its organisation in every process, with its five parts', async () => {
    const [here, there, outsider] = [
      await listen(await signIn('hospital')),
      await listen(await signIn('hospital'), 1),
      await listen(await signIn('dealer'), 1),
    ]
    await leave(hospital(), { title: '有新消息', extra: { org_name: '某公司', system_type: 2 } })
    for (const received of [here, there]) await vi.waitFor(() => expect(titles(received)).toEqual(['有新消息']))
    expect(here.words.at(-1)).toEqual({
      id: expect.stringMatching(/^\d+$/),
      title: '有新消息',
      body: '正文',
      uri: 'salesOrder',
      objectID: 'XS1',
      extra: { org_name: '某公司', system_type: 2 },
    })
    await leave(masters.organisations.get('D01')!, { title: '给经销商' })
    await vi.waitFor(() => expect(titles(outsider)).toEqual(['给经销商']))
  })

  it('of a kind is shown only to users who may open it', async () => {
    const [all, nurse] = [await listen(await signIn('hospital')), await listen(await signIn('nurse'))]
    await leave(hospital(), { title: '采购的事', kind: 'purchaseOrder' })
    await leave(hospital(), { title: '大家的事' })
    await vi.waitFor(() => expect(titles(nurse)).toEqual(['大家的事']))
    expect(titles(all)).toEqual(['采购的事', '大家的事'])
  })

  it('of a store is not shown to users bound to another', async () => {
    const keeper = await signIn('finance')
    const [row] = await databases[0]!.owner<{ user_id: string; stores: string[] }[]>`
      select s.user_id,
        array(select w.id::text from warehouse w where w.org_id = s.org_id order by w.id limit 2) as stores
        from session s where s.r_id = ${keeper.token}`
    const [own, other] = row!.stores
    await databases[0]!.owner`delete from user_scope where org_id = ${hospital()} and user_id = ${row!.user_id}`
    await databases[0]!
      .owner`insert into user_scope (org_id, user_id, warehouse_id) values (${hospital()}, ${row!.user_id}, ${own!})`
    const [bound, all] = [await listen(keeper), await listen(await signIn('hospital'), 1)]
    await leave(hospital(), { title: '别的库', stores: [other, null] })
    await leave(hospital(), { title: '自己的库', stores: [own] })
    await vi.waitFor(() => expect(titles(bound)).toEqual(['自己的库']))
    await vi.waitFor(() => expect(titles(all)).toEqual(['别的库', '自己的库']))
    const { list } = await call(keeper, '/v1/business/message/list')
    expect(list.map((message: { title: string }) => message.title)).not.toContain('别的库')
    await databases[0]!.owner`delete from user_scope where org_id = ${hospital()} and user_id = ${row!.user_id}`
  })

  it('of an unwanted kind is not shown, unless it is personal or must be confirmed', async () => {
    const buyer = await signIn('buyer')
    const [row] = await databases[0]!.owner<
      { user_id: string }[]
    >`select user_id from session where r_id = ${buyer.token}`
    await databases[0]!.owner`update app_user set message_types = '{业务单据}' where id = ${row!.user_id}`
    const received = await listen(buyer)
    await leave(hospital(), { title: '不要的', type: 'training' })
    await leave(hospital(), { title: '要确认的', type: 'training', needsConfirm: true })
    await leave(hospital(), { title: '给本人的', type: 'training', userId: row!.user_id })
    await leave(hospital(), { title: '单据', type: 'document' })
    await vi.waitFor(() => expect(titles(received)).toEqual(['要确认的', '给本人的', '单据']))
    const { list } = await call(buyer, '/v1/business/message/list?pageSize=50')
    expect(list.map((message: { title: string }) => message.title)).not.toContain('不要的')
    await databases[0]!.owner`update app_user set message_types = '{}' where id = ${row!.user_id}`
  })

  it("of the user's own action is not shown to that user", async () => {
    const [nurse, keeper] = [await signIn('nurse'), await signIn('hospital')]
    const [own, other] = [await listen(nurse), await listen(keeper)]
    const [row] = await databases[0]!.owner`select user_id from session where r_id = ${nurse.token}`
    await leave(hospital(), { title: '我的申领', by: row!.user_id })
    await leave(hospital(), { title: '之后' })
    await vi.waitFor(() => expect(titles(own)).toEqual(['之后']))
    expect(titles(other)).toEqual(['我的申领', '之后'])
    const { list } = await call(nurse, '/v1/business/message/list')
    expect(list.map((message: { title: string }) => message.title)).not.toContain('我的申领')
  })

  it('sent while the connection was down is shown when it is back', async () => {
    const received = await listen(await signIn('hospital'), 1)
    await databases[0]!.owner`
      select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and query ilike 'listen%'`
    await leave(hospital(), { title: '断线期间' })
    await vi.waitFor(() => expect(titles(received)).toEqual(['断线期间']), 15_000)
    await leave(hospital(), { title: '恢复之后' })
    await vi.waitFor(() => expect(titles(received)).toEqual(['断线期间', '恢复之后']), 15_000)
  })

  it('of a registration reaches only the platform', async () => {
    const platform = await listen(await signIn('platform'))
    const dealer = await listen(await signIn('dealer'))
    await leave(masters.organisations.get('P01')!, { title: '机构注册申请', kind: 'registrationAudit' })
    await vi.waitFor(() => expect(titles(platform)).toEqual(['机构注册申请']))
    expect(titles(dealer)).toEqual([])
  })

  it('arrives with a document that another organisation sends', async () => {
    const [hospital, dealer] = [await signIn('hospital'), await listen(await signIn('dealer'), 1)]
    const doc = {
      counterparty_sn: masters.organisations.get('D01'),
      warehouse_model_inner_sn: masters.warehouses.get('H01-W02'),
    }
    const lines = [{ specification_sn: masters.specifications.get('P009-01'), quantity: '1' }]
    const added = await call(hospital, '/v1/business/purchaseOrder/add', { ...doc, lines })
    const { sn, version } = added.info
    const submitted = await call(hospital, '/v1/business/purchaseOrder/submit', { sn, version })
    expect(submitted.code, submitted.msg).toBe(0)
    const reviewed = await call(hospital, '/v1/business/purchaseOrder/review', { sn, version: submitted.info.version })
    expect(reviewed.code, reviewed.msg).toBe(0)
    await vi.waitFor(() => expect(titles(dealer)).toEqual(['收到新的采购订单']))
    expect(dealer.words.at(-1)).toMatchObject({
      uri: 'salesOrder',
      extra: { salesOrderSn: expect.stringMatching(/^XS/), org_name: expect.stringContaining('演示') },
    })
  })
})

describe('the message centre', () => {
  it('counts, lists and marks as read, for each user separately', async () => {
    const [one, other] = [await signIn('vendor'), await signIn('vendor2')]
    const vendor = masters.organisations.get('V01')!
    for (const title of ['甲', '乙', '丙']) await leave(vendor, { title })
    const unread = async (person: Person) => (await call(person, '/v1/business/message/unread')).info.count
    expect([await unread(one), await unread(other)]).toEqual([3, 3])
    const { list, total } = await call(one, '/v1/business/message/list?pageSize=2')
    expect([total, list.map((row: { title: string }) => row.title)]).toEqual([3, ['丙', '乙']])
    expect((await call(one, '/v1/business/message/read', { sn: list[0].message_sn })).info.count).toBe(2)
    expect((await call(one, '/v1/business/message/read', { sn: list[0].message_sn })).info.count).toBe(2)
    expect((await call(one, '/v1/business/message/list?read_state=unread')).total).toBe(2)
    expect((await call(one, '/v1/business/message/list?q=甲')).list[0]).toMatchObject({ title: '甲', read_at: null })
    expect((await call(one, '/v1/business/message/readAll', {})).info).toEqual({ count: 0, read: 2 })
    expect([await unread(one), await unread(other)]).toEqual([0, 3])
  })

  it('does not show the messages of others', async () => {
    const dealer = await signIn('dealer2')
    await leave(hospital(), { title: '别人的消息' })
    const [row] = await databases[0]!.owner`select id from message where org_id = ${hospital()} limit 1`
    expect((await call(dealer, '/v1/business/message/read', { sn: row!.id })).code).toBe(2106)
    expect((await call(dealer, '/v1/business/message/read', { sn: "1' or '1'='1" })).code).toBe(2106)
    expect((await call(dealer, '/v1/business/message/list?colour=red')).code).toBe(2000)
  })
})
