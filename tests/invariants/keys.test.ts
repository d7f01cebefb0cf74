import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AnyEntity } from '#kernel/definition/entity.ts'
import { entities as all, reports } from '#app/modules.ts'
import { type Client, openTestServer, type TestServer } from '../support/test-server.ts'

/**
 * Whoever names a row by its key acts on it only if he can read it: rows of another store, department or author of
 * his organisation, and of another organisation, answer like rows that never existed.
 */
const entities: readonly AnyEntity[] = all
let server: TestServer
let administrator: Client
/** People of the hospital with every right, each bound in another way. */
const people = new Map<string, Client>()

beforeAll(async () => {
  server = await openTestServer({}, { demo: true })
  administrator = await server.as('hospital')
  const { owner } = server.database
  const [place] = await owner<{ org: string; store: string; department: string }[]>`
    select w.org_id as org, w.id as store, w.department_id as department from warehouse w
      join app_user u on u.org_id = w.org_id and u.login = 'hospital'
     where w.model = 'ward' and w.status = 'enabled' order by w.id limit 1`
  const { org, store, department } = place!
  const flags = (await administrator.get('/v1/user/get_user_menu/yrtweb', { all: '1' })).list
    .flatMap(group => group.children)
    .flatMap((page: { flag: string; children: { flag: string }[] }) => [
      page.flag,
      ...page.children.map(child => child.flag),
    ])
  for (const [login, stores, data] of [
    ['key-store', 'chosen', 'organisation'],
    ['key-department', 'all', 'chosen'],
    ['key-own', 'all', 'own'],
  ] as const) {
    await owner`
      with fresh as (
        insert into app_user (org_id, login, password_hash, name, store_scope, data_scope)
          select org_id, ${login}, password_hash, ${login}, ${stores}, ${data} from app_user where login = 'hospital'
          returning id),
      role as (insert into role (org_id, name, flags) values (${org}, ${login}, ${flags as string[]}) returning id),
      scope as (insert into user_scope (org_id, user_id, warehouse_id)
        select ${org}, id, ${store} from fresh where ${stores === 'chosen'}),
      departments as (insert into user_department (org_id, user_id, department_id)
        select ${org}, id, ${department} from fresh where ${data === 'chosen'})
      insert into user_role (org_id, user_id, role_id) select ${org}, f.id, r.id from fresh f, role r`
    people.set(login, await server.as(login))
  }
})
afterAll(() => server?.close())

const firstPage = { pageSize: '500', pageNum: '1' }
/** The keys that a list or a report shows, or none where it is not theirs. */
async function keysOf(who: Client, path: string, key: string, query: Record<string, string>): Promise<Set<string>> {
  const reply = await who.get(path, query)
  return new Set(reply.code === 0 ? reply.list.map(row => String(row[key])) : [])
}

test('of a record: no call on ticked rows and no action reaches a row that its caller does not see', async () => {
  const wrong: string[] = []
  const tried: string[] = []
  for (const definition of entities) {
    const { kind, key, readOnly, calls = {}, actions = {} } = definition
    const path = (call: string) => `/v1/business/${kind}/${call}`
    const onRows = Object.entries(calls).filter(([, spec]) => spec.rows)
    const onOne = readOnly ? [] : ['edit', 'del', ...Object.keys(actions)]
    if (onRows.length + onOne.length === 0) continue
    const whole = await keysOf(administrator, path('list'), key, firstPage)
    for (const [name, who] of people) {
      const seen = await keysOf(who, path('list'), key, firstPage)
      const foreign = [...whole].find(one => !seen.has(one))
      if (foreign === undefined || whole.size >= 500) continue
      const missing = foreign.replace(/\d+/, digits => String(900_000_000 + digits.length))
      const ask = (call: string, sn: string) =>
        onRows.some(([one]) => one === call)
          ? who.post(path(call), { sns: [sn] })
          : who.post(path(call), { sn, version: 1 })
      for (const call of [...onRows.map(([one]) => one), ...onOne]) {
        const [theirs, none] = [await ask(call, foreign), await ask(call, missing)]
        if (theirs.code === 403 && none.code === 403) continue
        tried.push(`${kind}.${call} ${name}`)
        if (theirs.code !== 2106 || theirs.msg !== none.msg)
          wrong.push(`${kind}.${call} ${name}: ${theirs.code} ${theirs.msg} / ${none.code} ${none.msg}`)
      }
    }
  }
  expect(wrong).toEqual([])
  // The attack was made at all: by each of them, on many kinds.
  for (const name of people.keys()) expect(tried.filter(one => one.endsWith(name)).length, name).toBeGreaterThan(3)
  expect(tried.length).toBeGreaterThan(60)
}, 300_000)

test('of a record: no call on ticked rows reaches a row of another organisation', async () => {
  const wrong: string[] = []
  const dealer = await server.as('dealer')
  for (const { kind, key, calls = {}, scope } of entities.filter(one => one.scope === 'organisation')) {
    const path = (call: string) => `/v1/business/${kind}/${call}`
    const own = await keysOf(administrator, path('list'), key, firstPage)
    const foreign = [...(await keysOf(dealer, path('list'), key, firstPage))].find(one => !own.has(one))
    if (foreign === undefined) continue
    for (const [call, { rows }] of Object.entries(calls)) {
      if (!rows) continue
      const reply = await administrator.post(path(call), { sns: [foreign] })
      if (![403, 2106].includes(reply.code)) wrong.push(`${kind}.${call} (${scope}): ${reply.code} ${reply.msg}`)
    }
  }
  expect(wrong).toEqual([])
})

test('of a report: no call on ticked rows reaches a row that its caller does not read', async () => {
  const wrong: string[] = []
  for (const { kind, calls = {} } of reports) {
    const onRows = Object.entries(calls).filter(([, spec]) => spec.rows)
    if (onRows.length === 0) continue
    const query = { begin_date: '2020-01-01', end_date: '2099-01-01' }
    const path = `/v1/report/${kind}`
    const whole = await keysOf(administrator, path, 'row_key', firstPage)
    for (const [name, who] of people) {
      const seen = await keysOf(who, path, 'row_key', firstPage)
      const foreign = [...whole].find(one => !seen.has(one)) ?? '999999'
      for (const [call] of onRows) {
        const reply = await who.post(`${path}/${call}`, {
          sns: [foreign],
          query: new URLSearchParams(query).toString(),
        })
        if (reply.code === 0) wrong.push(`${kind}.${call} ${name}: ${reply.msg}`)
      }
    }
  }
  expect(wrong).toEqual([])
})
