import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OrgType } from '#kernel/values/organisation-type.ts'
import { documents, entities, reports } from '#app/modules.ts'
import { extraFlags, permissionsOf } from '#server/menu/menu.ts'
import { type Client, openTestServer, type TestServer } from '../support/test-server.ts'
import { sendSheet, workbook } from '../support/sheets.ts'
import { nameKeyOf } from '#kernel/definition/field.ts'
import { rulesOf } from '#server/registry/hooks.ts'
import { pickers as pickersOf } from '#server/records/reading-rights.ts'
import { inTurn, sampled } from '../support/thorough.ts'
import { allCalls, type CallShape, rowAsked } from './cases/calls.ts'

/** Without a right a role cannot act: each call is made by a user who has every right but the one it needs. */
let server: TestServer
let calls: CallShape[]
const people = new Map<OrgType, { client: Client; role: string }>()
const all = new Map<OrgType, string[]>()
const logins: Readonly<Record<OrgType, string>> = { P: 'platform', H: 'hospital', D: 'dealer', V: 'vendor' }

let pickers: ReturnType<typeof pickersOf>

beforeAll(async () => {
  server = await openTestServer()
  calls = allCalls(server)
  pickers = pickersOf()
  const { owner } = server.database
  for (const [type, login] of Object.entries(logins) as [OrgType, string][]) {
    const [user] = await owner<{ id: string; org_id: string; role_id: string }[]>`
      with fresh as (
        insert into app_user (org_id, login, password_hash, name) select org_id, ${`nearly${type}`}, password_hash,
          '缺一项权限' from app_user where login = ${login} returning id, org_id),
      role as (insert into role (org_id, name, flags) select org_id, '缺一项权限', '{}' from fresh returning id, org_id),
      given as (insert into user_role (org_id, user_id, role_id) select f.org_id, f.id, r.id from fresh f, role r
        returning role_id)
      select f.id, f.org_id, r.id as role_id from fresh f, role r, given`
    people.set(type, { client: await server.as(`nearly${type}`), role: user!.role_id })
    all.set(type, [...permissionsOf(type), ...Object.keys(extraFlags)])
  }
})
afterAll(() => server?.close())

/** The simplest request that still reaches the rights check. */
const ask = (type: OrgType, call: CallShape) => {
  const { client } = people.get(type)!
  const url = call.url.replaceAll(/:\w+/g, '1')
  if (/\/import(Marked)?$/.test(url)) return sendSheet(client, url, sheet, { sn: '1', version: '1' }, 'raw')
  if (call.method === 'GET') return client.raw({ method: 'GET', url, query: rowAsked(call) })
  const action = Object.keys(documents.find(one => one.kind === kindOf(call))?.actions ?? {})[0]
  const body = url.endsWith('/batch')
    ? { action: 'del', items: [{ sn: '1', version: 1 }] }
    : { sn: '1', version: 1, ...(url.endsWith('/rehearse') ? { action } : {}) }
  return client.raw({ method: 'POST', url, payload: body })
}
const sheet = workbook([['名称'], ['甲']])
/** Forbidden as a whole, or for each requested item. An empty set of options counts as well. */
const isForbidden = (body: string) =>
  /^\{"code":403,|^\{"code":0,"msg":"","list":\[\{"sn":"1","code":403,|"refusals":\[\{"code":403,|"refused":\{\}/.test(
    body,
  )
const give = (type: OrgType, flags: readonly string[]) =>
  server.database.owner`update role set flags = ${flags as string[]} where id = ${people.get(type)!.role}`

const kinds = new Map<string, { readonly routes: readonly string[]; readonly orgs: string }>(
  [...documents, ...entities, ...reports].map(one => [
    one.kind,
    {
      routes: one.screens.map(screen => screen.route),
      orgs: `${'ownerTypes' in one ? one.ownerTypes : ''}${one.screens.map(screen => screen.orgs).join('')}`,
    },
  ]),
)
/** Rows that need the right of their parent record. */
const aboveOf = new Map(entities.flatMap(one => (one.under ? [[one.kind, one.under]] : [])))
const kindOf = ({ url }: CallShape) => url.split('/')[3] ?? ''
const typeOf = (kind: string): OrgType => ((kinds.get(kind)?.orgs || 'HDVP').charAt(0) || 'H') as OrgType
const without = (kind: string) => {
  const routes = [kind, aboveOf.get(kind) ?? kind].flatMap(one => kinds.get(one)!.routes)
  const pages = new Set([...routes.map(route => `page:${route}`), ...[rulesOf(kind).readFlag ?? []].flat()])
  const [own, above] = [`${kind}.`, `${aboveOf.get(kind) ?? kind}.`]
  return all.get(typeOf(kind))!.filter(flag => !flag.startsWith(own) && !flag.startsWith(above) && !pages.has(flag))
}
/** Rows that are no secret of anyone, and rows of which pickers of other pages read a few columns. */
const isFree = (kind: string) => entities.find(one => one.kind === kind)?.pickerFields === 'all'
/**
 * Calls that need no right of their own: what is free, a picker's list and rows (what they show is tested below), the
 * department tree, which is such a picker, and videos.
 */
const isOpen = (call: CallShape) =>
  (call.method === 'GET' && call.url.endsWith('/info') && isFree(kindOf(call))) ||
  (call.method === 'GET' && /\/(list|info)$/.test(call.url) && pickers.has(kindOf(call))) ||
  /\/(department\/tree|videoCourse\/(watch|like))$/.test(call.url)

test('a user with every right but those of one kind can do nothing with that kind', async () => {
  const wrong: string[] = []
  for (const [turn, kind] of [...kinds.keys()].entries()) {
    await give(typeOf(kind), without(kind))
    const itsCalls = calls.filter(each => kindOf(each) === kind && !isOpen(each))
    for (const call of inTurn(itsCalls, 3, turn)) {
      const reply = await ask(typeOf(kind), call)
      if (!isForbidden(reply.body)) wrong.push(`${call.method} ${call.url} ${reply.body.slice(0, 80)}`)
    }
  }
  expect(wrong).toEqual([])
})

test('who may only pick from a record finds and sees what identifies a row, and nothing else', async () => {
  const wrong: string[] = []
  for (const [kind, readable] of pickers) {
    const [type, definition] = [typeOf(kind), entities.find(one => one.kind === kind)!]
    if (isFree(kind)) continue
    await give(type, without(kind))
    const { client } = people.get(type)!
    const path = `/v1/business/${kind}/list`
    const { code, list } = await client.get(path, { pageSize: '5', pageNum: '1' })
    if (code !== 0) wrong.push(`${kind}: ${code}`)
    const fields = { ...readable.fields, ...readable.extras }
    const shown = new Set(['version', definition.key, ...Object.keys(fields).flatMap(name => [name, nameKeyOf(name)])])
    const [row] = list ?? []
    const opened = row && (await client.get(`/v1/business/${kind}/info`, { sn: String(row[definition.key]) }))
    if (opened && opened.code !== 0) wrong.push(`${kind} does not open: ${opened.code}`)
    const { actions, ...info } = opened?.info ?? {}
    if (actions?.length > 0) wrong.push(`${kind} offers ${actions}`)
    for (const name of new Set([info, ...(list ?? [])].flatMap(each => Object.keys(each))))
      if (!shown.has(name)) wrong.push(`${kind} shows ${name}`)
    // Nor is a hidden column found by filtering or sorting.
    for (const name of Object.keys(definition.fields).filter(name => !shown.has(name)))
      for (const query of [{ [name]: '1' }, { sort: name }])
        if ((await client.get(path, query)).code !== 2000) wrong.push(`${kind} is found by ${name}`)
  }
  expect(wrong).toEqual([])
})

test('phones, flags of roles and card numbers are in no picker; a card number is in no reply at all', async () => {
  const columns = (kind: string) => Object.keys({ ...pickers.get(kind)?.fields, ...pickers.get(kind)?.extras })
  expect(columns('employee')).not.toContain('phone')
  expect(columns('role')).not.toContain('flags')
  for (const kind of ['doorPermission', 'settlementLine', 'interfaceAttempt', 'stockBalance', 'accountBalance'])
    expect(pickers.has(kind), kind).toBe(false)
  await give('H', all.get('H')!)
  const [row] = await server.database.owner<{ card: string }[]>`
    select credential_no as card from cabinet_permission where credential_no is not null limit 1`
  for (const { client } of [people.get('H')!, { client: await server.as('hospital') }]) {
    const { list } = await client.get('/v1/business/doorPermission/list', { pageSize: '500', pageNum: '1' })
    expect(list.some(each => each.has_credential === true)).toBe(true)
    const sn = list.find(each => each.has_credential)?.door_permission_sn
    const info = await client.raw({ method: 'GET', url: '/v1/business/doorPermission/info', query: { sn } })
    for (const text of [JSON.stringify(list), info.body]) expect(text).not.toContain(`"${row!.card}"`)
  }
})

test('a user with every right but one cannot do that one', async () => {
  const wrong: string[] = []
  const needed = calls.flatMap(call => {
    const [kind, action] = [kindOf(call), call.url.split('/')[4] ?? '']
    const type = typeOf(kind)
    const isItsOwn = call.method === 'POST' && !aboveOf.has(kind) && all.get(type)!.includes(`${kind}.${action}`)
    return isItsOwn ? [{ call, kind, action, type }] : []
  })
  for (const { call, kind, action, type } of sampled(needed, 3)) {
    await give(
      type,
      all.get(type)!.filter(flag => flag !== `${kind}.${action}`),
    )
    const reply = await ask(type, call)
    if (!isForbidden(reply.body)) wrong.push(`${call.url} ${reply.body.slice(0, 80)}`)
  }
  expect(wrong).toEqual([])
})
