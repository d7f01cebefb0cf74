import { afterAll, beforeAll, expect, test } from 'vitest'
import { documents, entities, reports } from '#app/modules.ts'
import { type Client, type TestServer, openTestServer } from '../support/test-server.ts'
import { isThorough } from '../support/thorough.ts'
import { recordWrites, takeWrites } from '../support/writes.ts'
import { bodyFor } from './cases/bodies.ts'
import { allCalls, type CallShape, lookAround, Seen } from './cases/calls.ts'
import { plausible } from './cases/hostile.ts'
import { chanceOf } from './cases/random.ts'

/** The database itself says which rows a call wrote, so that no call is believed. */
type Person = { readonly login: string; readonly client: Client; readonly seen: Seen }
const logins = { H: 'hospital', D: 'dealer', V: 'vendor', P: 'platform' } as const
let server: TestServer
let calls: CallShape[]
const people = new Map<string, Person>()
beforeAll(async () => {
  server = await openTestServer({}, { demo: true })
  calls = allCalls(server)
  for (const [type, login] of Object.entries(logins)) {
    const person = { login, client: await server.as(login, 'Spd@2026'), seen: new Seen() }
    people.set(type, person)
    // Everybody looks at his own lists, so that what he asks for is there.
    await lookAround(
      calls.filter(call => call.url.endsWith('/list') && personsFor(call).includes(type)),
      person.client,
      person.seen,
    )
  }
  await recordWrites(server.database.owner)
})
afterAll(() => server?.close())

const kindOf = ({ url }: CallShape) => url.split('/')[3] ?? ''
/** Types of organisation that work with a kind: those of its pages and owners. */
const workers = new Map<string, string>(
  [...documents, ...entities, ...reports].map(one => [
    one.kind,
    `${'ownerTypes' in one ? one.ownerTypes : ''}${one.screens.map(screen => screen.orgs).join('')}`,
  ]),
)
/** The first organisation that a call is for; in `npm run thorough` all of them. */
const personsFor = (call: CallShape): readonly string[] => {
  const types = [...new Set(workers.get(kindOf(call)) || 'HDVP')]
  return isThorough ? types : types.slice(0, 1)
}
const addressOf = (call: CallShape, { seen }: Person, seed: number) =>
  call.url.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(seen.one(chanceOf(seed), name) ?? '1'))
const writesOf = async () => (await takeWrites(server.database.owner)).map(({ table, change }) => `${table} ${change}`)

/** What a reader leaves behind: the line about him, the last use of his session, and how often an address asked. */
const traces = /^(operation_log insert|session update|allowance (insert|update))$/

test('a GET changes no data', { timeout: 300_000 }, async () => {
  const wrote: string[] = []
  let answered = 0
  for (const call of calls.filter(({ method }) => method === 'GET'))
    for (const type of personsFor(call)) {
      const person = people.get(type)!
      const { client, seen, login } = person
      const chance = chanceOf(call.url.length * 31 + login.length)
      const row = seen.rows(kindOf(call))[0]
      const isList = /\/(list|export)$|^\/v1\/report\//.test(call.url)
      const named = Object.entries(call.fields).filter(([name]) => name !== 'sn')
      const query = isList
        ? { pageNum: '1', pageSize: '5' }
        : {
            ...Object.fromEntries(named.map(([name, schema]) => [name, String(plausible(chance, seen, name, schema))])),
            ...(row ? { sn: row.sn } : {}),
          }
      const reply = await client.raw({ method: 'GET', url: addressOf(call, person, call.url.length), query })
      if (reply.statusCode === 200 && !/^\{"code":[1-9]/.test(reply.body)) answered += 1
      const left = (await writesOf()).filter(each => !traces.test(each))
      // A new picture for the door is asked for by GET; what it says is kept until it is answered.
      const isCaptcha = call.url.startsWith('/v1/captcha/')
      for (const each of left) if (!isCaptcha || each !== 'captcha insert') wrote.push(`${login} ${call.url}: ${each}`)
    }
  expect(wrote).toEqual([])
  expect(answered).toBeGreaterThan(600)
})

/** Calls that end the session under test, and calls of the door, which have rows of their own. */
const unasked =
  /^\/v1\/(logout|login|register|captcha|sendMsg|device|user\/(sessions\/end|change_|retrieve_pwd|get_login))/
const TRIES = 5
/** Registers whose rows say themselves who did what and when: of sheets printed, of messages read, of incidents. */
const registers = /^(document_(first_)?print|print_template_version|message_(read|receipt)|error_record) /

test('every call that changes data leaves its line in the operation log', { timeout: 400_000 }, async () => {
  const silent: string[] = []
  const changed = new Set<string>()
  for (const call of calls.filter(({ method, url }) => method !== 'GET' && !unasked.test(url)))
    for (const type of personsFor(call))
      for (let turn = 0; turn < TRIES && !changed.has(call.url); turn++) {
        const person = people.get(type)!
        const chance = chanceOf(call.url.length * 131 + turn)
        const url = addressOf(call, person, turn)
        await takeWrites(server.database.owner)
        const payload = bodyFor(chance, person.seen, call)
        const reply = await person.client.raw({ method: 'POST', url, payload })
        const left = await writesOf()
        if (!reply.body.startsWith('{"code":0,')) continue
        const rows = left.filter(each => !traces.test(each) && !registers.test(each))
        if (rows.length === 0) continue
        changed.add(call.url)
        if (!left.includes('operation_log insert')) silent.push(`${person.login} ${call.url}: ${rows.join(', ')}`)
      }
  expect(silent).toEqual([])
  expect(changed.size).toBeGreaterThan(150)
})
