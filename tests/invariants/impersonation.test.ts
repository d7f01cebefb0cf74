import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fingerprintOf } from '#server/access/idempotency.ts'
import { NOT_ENTRUSTED } from '#server/identity/on-behalf.ts'
import { documents, entities } from '#app/modules.ts'
import { pickers as pickersOf } from '#server/records/reading-rights.ts'
import { type Client, md5, type TestServer, openTestServer } from '../support/test-server.ts'
import { allCalls, type CallShape, rowAsked } from './cases/calls.ts'

/** Nobody acts as another: neither by naming his organisation, nor by his request ids, nor by a cookie. */
let server: TestServer
let calls: CallShape[]
let platform: Client
let h01 = ''
beforeAll(async () => {
  server = await openTestServer()
  calls = allCalls(server)
  platform = await server.as('platform')
  const [org] = await server.database.owner<{ id: string }[]>`select id from organisation where code = 'H01'`
  h01 = org!.id
})
afterAll(() => server?.close())

const kindOf = ({ url }: CallShape) => url.split('/')[3] ?? ''
/** Calls that nobody makes as an organisation: the door, and a person's own account, messages and tables. */
const account = 'change_|sessions|entrusting|retrieve_pwd|get_login_code'
const door = 'login|logout|sendMsg|captcha|register|device|division|app/|public|llm|loginByVerifyCode'
const personal = new RegExp(
  `^/(healthz|readyz|metrics|docs|brand|file/)|^/v1/(${door}|user/(${account}))|/(message|userTableSort)/`,
)
const ask = (client: Client, call: CallShape, headers: Record<string, string>) => {
  const url = call.url.replaceAll(/:\w+/g, '1')
  return call.method === 'GET'
    ? client.raw({ method: 'GET', url, headers, query: rowAsked(call) })
    : client.raw({ method: 'POST', url, headers, payload: { sn: '1', version: 1 } })
}
const inNameOf = (org: string) => ({ 'x-on-behalf-of': org })
const entrust = (value: string, until: string) => server.database.owner`
  insert into org_config (id, org_id, name, value, valid_from, valid_to)
  values (nextval('row_id_seq'), ${h01}, 'on_behalf', ${value}, current_date - 9, ${until}::date)
  on conflict (org_id, name) do update set value = excluded.value, valid_from = excluded.valid_from,
    valid_to = excluded.valid_to`
const written = async () =>
  (
    await server.database.owner<{ n: number }[]>`
    select count(*)::int as n from operation_log where subject = 'onBehalf'`
  )[0]!.n

test('no call is made for an organisation that entrusted nobody, or no longer, or to somebody else', async () => {
  const reached: string[] = []
  const refused = async (client: Client, call: CallShape, org: string) => {
    const reply = await ask(client, call, inNameOf(org))
    if (!reply.body.includes(NOT_ENTRUSTED)) reached.push(`${call.method} ${call.url} ${reply.body.slice(0, 80)}`)
  }
  const asked = calls.filter(({ url }) => !personal.test(url))
  expect(asked.length).toBeGreaterThan(900)
  for (const call of asked) await refused(platform, call, h01)
  await entrust('是（含审核）', '2020-01-01')
  const dealer = await server.as('dealer')
  for (const call of asked.filter((_, at) => at % 7 === 0)) {
    await refused(platform, call, h01)
    await refused(dealer, call, h01)
  }
  await entrust('是（含审核）', '2099-12-31')
  for (const call of asked.filter((_, at) => at % 7 === 1)) {
    await refused(dealer, call, h01)
    for (const org of ['0', '-1', `${h01},${h01}`, `${h01} or 1=1`, '9'.repeat(19)]) await refused(platform, call, org)
  }
  await entrust('否', '2099-12-31')
  for (const call of asked.filter((_, at) => at % 7 === 2)) await refused(platform, call, h01)
  expect(reached).toEqual([])
})

/** Lists of which every page may pick rows by what identifies them, and home pages, with what the reader may open. */
const isOpen = ({ method, url }: CallShape) =>
  method === 'GET' &&
  (/\/(department\/tree|workbench(\/approvals)?|walls)$/.test(url) ||
    (url.endsWith('/list') && pickersOf().has(url.split('/')[3] ?? '')))
/** Refused as a whole, or in what the call would foresee. */
const isHeldBack = (call: CallShape, body: string) =>
  isOpen(call) || /^\{"code":[1-9]|"refusals":\[\{"code":[1-9]|"refused":\{\}/.test(body)

test('who was entrusted has no call of another kind there, and judges nothing; every change is in the log', async () => {
  await entrust('是', '2099-12-31')
  const overseen = [...documents, ...entities].filter(one => one.overseen)
  const pages = new Set(overseen.flatMap(({ screens }) => screens.map(({ route }) => `page:${route}`)))
  const lent = new Set(overseen.map(({ kind }) => kind))
  // What stands on their pages beside them is read with them, and not written.
  const isOnPage = ({ screens }: (typeof entities)[number]) => screens.some(({ route }) => pages.has(`page:${route}`))
  const onPages = new Set(entities.filter(isOnPage).map(({ kind }) => kind))
  const read = new Set(entities.flatMap(({ kind, under }) => (onPages.has(under ?? kind) ? [kind] : [...onPages])))
  expect(lent.size).toBeGreaterThan(1)
  const judged = new Set(
    entities.flatMap(({ kind, judged }) => (judged ? [`/v1/business/${kind}/${judged.action}`] : [])),
  )
  const done: string[] = []
  const before = await written()
  let posts = 0
  for (const call of calls.filter(({ url }) => /^\/v1\/(business|report)\//.test(url) && !personal.test(url))) {
    const reply = await ask(platform, call, inNameOf(h01))
    if (call.method !== 'GET') posts += 1
    const isRead = call.method === 'GET' && read.has(kindOf(call))
    const isHis = isRead || (lent.has(kindOf(call)) && !judged.has(call.url))
    if (!isHis && !isHeldBack(call, reply.body))
      done.push(`${call.method} ${call.url} ${reply.statusCode} ${reply.body.slice(0, 100)}`)
  }
  expect(done).toEqual([])
  expect(await written()).toBe(before + posts)
  await entrust('否', '2099-12-31')
})

test('the reply to a request id is given to nobody but him who sent it, with the same call', async () => {
  const { owner } = server.database
  const hospital = await server.as('hospital')
  const [sender] = await owner<{ id: string }[]>`select id from app_user where login = 'hospital'`
  const others = { nurse: await server.as('nurse'), dealer: await server.as('dealer'), platform }
  const SECRET = 'reply-of-another'
  const given: string[] = []
  let own = 0
  for (const call of calls.filter(({ method, url }) => method === 'POST' && !personal.test(url))) {
    const url = call.url.replaceAll(/:\w+/g, '1')
    const payload = { sn: '1', version: 1 }
    const id = randomUUID()
    await owner`
      insert into request (org_id, user_id, request_id, fingerprint, reply)
      values (${h01}, ${sender!.id}, ${id}, ${fingerprintOf(url, payload)},
        to_jsonb(${JSON.stringify({ code: 0, msg: SECRET })}::text))`
    const headers = { 'x-request-id': id }
    for (const [login, client] of Object.entries(others)) {
      const reply = await client.raw({ method: 'POST', url, headers, payload })
      if (reply.body.includes(SECRET)) given.push(`${login} ${url}`)
    }
    const other = await hospital.raw({ method: 'POST', url, headers, payload: { sn: '2', version: 1 } })
    if (other.body.includes(SECRET)) given.push(`another body ${url}`)
    const again = await hospital.raw({ method: 'POST', url, headers, payload })
    if (again.body.includes(SECRET)) own += 1
  }
  expect(given).toEqual([])
  expect(own).toBeGreaterThan(100)
})

test('the reply to a request id is given only while its sender has the rights that the call used', async () => {
  const { owner } = server.database
  const [sender] = await owner<{ id: string }[]>`
    insert into app_user (org_id, login, password_hash, name)
      select org_id, 'once-more', password_hash, '曾有权' from app_user where login = 'hospital' returning id`
  const [role] = await owner<{ id: string }[]>`
    insert into role (org_id, name, flags) values (${h01}, '曾有权', array['department.add', 'department.edit'])
      returning id`
  await owner`insert into user_role (org_id, user_id, role_id) values (${h01}, ${sender!.id}, ${role!.id})`
  const who = await server.as('once-more')
  const repeat = () =>
    who.raw({
      method: 'POST',
      url: '/v1/business/department/add',
      headers: { 'x-request-id': 'once-more' },
      payload: { code: 'ONCE', name: '只建一次' },
    })
  const [first, again] = [await repeat(), await repeat()]
  expect([first.json().code, again.body]).toEqual([0, first.body])
  await owner`update role set flags = array['department.edit'] where id = ${role!.id}`
  expect((await repeat()).json()).toMatchObject({ code: 403 })
  const payload = { sn: '1', version: 1 }
  // The one place that every call goes through asks for what was noted.
  const given: string[] = []
  for (const call of calls.filter(({ method, url }) => method === 'POST' && !personal.test(url))) {
    const url = call.url.replaceAll(/:\w+/g, '1')
    await owner`
      insert into request (org_id, user_id, request_id, fingerprint, reply, rights)
      values (${h01}, ${sender!.id}, ${url.slice(0, 64)}, ${fingerprintOf(url, payload)},
        to_jsonb('{"msg":"kept"}'::text),
        ${owner.json({ flags: ['department.add'], warehouses: 'all', departments: 'all' })})
      on conflict do nothing`
    const reply = await who.raw({ method: 'POST', url, headers: { 'x-request-id': url.slice(0, 64) }, payload })
    if (reply.body.includes('kept')) given.push(url)
  }
  expect(given).toEqual([])
})

test('a cookie that somebody planted is not that of whoever signs in', async () => {
  const [planted, attacker] = ['planted-by-another', await signIn()]
  for (const cookie of [`sid=${planted}`, `sid=${attacker}`, `sid=${planted}; sid=${attacker}`]) {
    const given = await signIn({ cookie })
    expect([planted, attacker]).not.toContain(given)
    expect(await userOf(given)).toBe('hospital')
    expect(await userOf(planted)).toBe(null)
  }
  // The session that the browser carried is over, so that whoever planted his own does not read along.
  expect(await userOf(attacker)).toBe(null)
})

const signIn = async (headers: Record<string, string> = {}): Promise<string> => {
  const payload = { userName: 'hospital', password: md5('Spd@2026') }
  const reply = await server.app.inject({ method: 'POST', url: '/v1/login', payload, headers })
  return reply.cookies.find(({ name }) => name === 'sid')!.value
}
const userOf = async (sid: string): Promise<string | null> => {
  const reply = await server.app.inject({ url: '/v1/user/user_info', headers: { cookie: `sid=${sid}` } })
  return reply.statusCode === 200 ? reply.json().info.user_info.user_name : null
}
