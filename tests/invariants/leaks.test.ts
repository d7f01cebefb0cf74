import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OrgType } from '#kernel/values/organisation-type.ts'
import { documents, entities, reports } from '#app/modules.ts'
import { type Client, type TestServer, openTestServer } from '../support/test-server.ts'
import { allCalls, type CallShape, lookAround, Seen } from './cases/calls.ts'
import { type Chance, chanceOf } from './cases/random.ts'
import { plausible } from './cases/hostile.ts'
import { inTurn } from '../support/thorough.ts'
import { admitOutsiders, DOCUMENT_MARK, markEverything, markOf, readable } from './cases/outsiders.ts'

/**
 * Every API call is made by organisations without any partners, with everything the others know: numbers, ids,
 * codes, lots, file names. Every row has a mark of its owner; no response may contain a foreign mark.
 */
let server: TestServer
let calls: CallShape[]
let outsiders: Map<OrgType, Client>
/** What each of the demo's organisations sees on its own pages. */
const known = new Seen()
const owners = { H01: 'hospital', D01: 'dealer', V01: 'vendor' } as const
const insiders = new Map<string, Client>()

beforeAll(async () => {
  server = await openTestServer({}, { demo: true })
  calls = allCalls(server)
  for (const [code, login] of Object.entries(owners)) insiders.set(code, await server.as(login, 'Spd@2026'))
  for (const who of insiders.values()) await lookAround(calls, who, known)
  const files = await server.database.owner<
    { name: string }[]
  >`select name from stored_file where not is_shared limit 60`
  known.learn(files.map(({ name }) => ({ name, names: name })))
  outsiders = await admitOutsiders(server)
  expect(await markEverything(server)).toBeGreaterThan(1000)
})
afterAll(() => server?.close())

/** Calls that would end the session or change the data under test. */
const unasked = /^\/v1\/(logout|user\/sessions\/end|user\/change_|login)/

function optionsFor(chance: Chance, call: CallShape) {
  const kind = call.url.split('/')[3] ?? ''
  const given: Record<string, unknown> = {}
  const names = Object.keys(call.fields)
  // A list with many filters is empty: so use none, or one.
  const few = call.method === 'GET' && /\/(list|export)$|^\/v1\/report\//.test(call.url)
  const asked = few
    ? names.length > 0 && chance.yes(0.4)
      ? [chance.one(names)]
      : []
    : names.filter(() => chance.yes(0.7))
  for (const name of asked) given[name] = plausible(chance, known, name, call.fields[name]!)
  const rows = known.rows(kind)
  const row = rows.length > 0 ? chance.one(rows) : null
  if (row && (/\/(info|print|offers|copy|printed|propose)$/.test(call.url) || call.method === 'POST'))
    Object.assign(given, row)
  if (row && call.url.endsWith('/batch')) given.items = chance.some(rows, 3)
  if (row && 'sns' in call.fields) given.sns = chance.some(rows, 3).map(one => one.sn)
  const url = call.url.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(known.one(chance, name) ?? '1'))
  if (call.method !== 'GET') return { method: 'POST' as const, url, payload: given }
  const query = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      typeof value === 'object' ? JSON.stringify(value) : String(value),
    ]),
  )
  return { method: 'GET' as const, url, query }
}

type Leak = { readonly call: string; readonly as: string; readonly asked: string; readonly found: string }
/** A caller: who it is, and the mark of its own organisation. */
type Asker = {
  readonly who: string
  readonly client: Client
  readonly mine: string
  /** What it may not see; default: any other mark. */
  readonly foreign?: RegExp
}

/** Makes the calls as the caller; returns the leaks, one per call, and how many responses had its own mark. */
async function walk(
  { who, client, mine, foreign = /〔[A-Z]\d\d〕/ }: Asker,
  each: readonly CallShape[],
): Promise<{ leaks: Leak[]; own: number }> {
  const leaks: Leak[] = []
  let own = 0
  const queue = [...each]
  const hand = async () => {
    for (let call = queue.shift(); call; call = queue.shift()) {
      const options = optionsFor(chanceOf(call.url.length * 31 + who.length), call)
      const reply = await client.raw(options)
      const text = readable(reply.rawPayload, String(reply.headers['content-type'] ?? ''))
      if (text.includes(mine)) own += 1
      const found = [...text.matchAll(new RegExp(foreign, 'g'))].find(match => match[0] !== mine)
      if (!found) continue
      const asked = JSON.stringify(options).slice(0, 300)
      leaks.push({
        call: `${call.method} ${call.url}`,
        as: who,
        asked,
        found: text.slice(Math.max(0, found.index - 160), found.index + 8),
      })
    }
  }
  await Promise.all(Array.from({ length: 4 }, hand))
  return { leaks, own }
}

/** Organisation types that work with a kind: those of its pages and keepers. */
const workers = new Map<string, string>(
  [...documents, ...entities, ...reports].map(one => [
    one.kind,
    `${one.screens.map(screen => screen.orgs).join('')}${'ownerTypes' in one ? one.ownerTypes : ''}`,
  ]),
)
/** The platform makes only one in this many of the calls that are not for it. */
const SHARE = 8

/** Each call is made by one type of organisation in turn, among those it is for; EVERYBODY=1: by all of them. */
function isTurnOf(type: OrgType, call: CallShape): boolean {
  if (process.env.EVERYBODY) return true
  const letters = ['H', 'D', 'V'].filter(letter =>
    (workers.get(call.url.split('/')[3] ?? '') ?? 'HDV').includes(letter),
  )
  return (letters.length > 0 ? letters : ['H', 'D', 'V'])[call.url.length % Math.max(1, letters.length)] === type
}

describe('nothing of another organisation is returned', () => {
  test.each(['H', 'D', 'V'] as const)('of any call that an outsider (%s) makes', async type => {
    const each = calls.filter(call => !unasked.test(call.url) && isTurnOf(type, call))
    const asker = { who: `outsider ${type}`, client: outsiders.get(type)!, mine: markOf(`${type}99`) }
    expect((await walk(asker, each)).leaks).toEqual([])
  })

  test('the same for trade calls that the platform has no pages for', async () => {
    const hasNoPage = ({ url }: CallShape) => /^[^P]+$/.test(workers.get(url.split('/')[3] ?? '') ?? 'P')
    const each = calls.filter(
      (call, at) => hasNoPage(call) && !unasked.test(call.url) && (process.env.EVERYBODY || at % SHARE === 0),
    )
    expect(each.length).toBeGreaterThan(100)
    const platform = { who: 'platform', client: await server.as('platform', 'Spd@2026'), mine: markOf('P01') }
    expect((await walk(platform, each)).leaks).toEqual([])
  })

  test('of any document on any page that the platform reads, but of kinds that it oversees', async () => {
    const overseen = new Set([...documents, ...entities].flatMap(({ kind, overseen: is }) => (is ? [kind] : [])))
    // What the platform sees of an implant's form is written for it, without its patient.
    overseen.add('implantFormOverview')
    const each = calls.filter(
      ({ method, url }) => method === 'GET' && !unasked.test(url) && !overseen.has(url.split('/')[3] ?? ''),
    )
    const client = await server.as('platform', 'Spd@2026')
    const platform = { who: 'platform', client, mine: markOf('P01'), foreign: DOCUMENT_MARK }
    expect((await walk(platform, inTurn(each, 2, 0))).leaks).toEqual([])
  })

  test.each(Object.keys(owners))('of any page that %s reads, whoever its partners are', async code => {
    const each = calls.filter(
      call => call.method === 'GET' && (!call.url.endsWith('/export') || isTurnOf(code.charAt(0) as OrgType, call)),
    )
    const asker = { who: code, client: insiders.get(code)!, mine: markOf(code) }
    const { leaks, own } = await walk(asker, inTurn(each, 2, Object.keys(owners).indexOf(code)))
    expect(leaks).toEqual([])
    // The marks are visible to their owners.
    expect(own).toBeGreaterThan(30)
  })
})

/** The platform's rows that everyone may read: its print templates, and its templates of kits and paths. */
const lent = new Set(['print_template', 'published_template'])

test('a statement without an organisation filter still returns only its own rows, for any table', async () => {
  const { app, owner } = server.database
  const [h01] = await owner<{ id: string }[]>`select id from organisation where code = 'H01'`
  const [p01] = await owner<{ id: string }[]>`select id from organisation where code = 'P01'`
  const tables = await owner<{ name: string }[]>`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id'
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relrowsecurity
       and c.relname not in ('sign_in_failure', 'maker_lot') order by 1`
  const count = async (sql: typeof owner, text: string) =>
    (await sql.unsafe<{ org_id: string; n: number }[]>(text)).map(row => [row.org_id, row.n])
  let notifying = 0
  await app.begin(async tx => {
    await tx`select act_as(${h01!.id}, 0)`
    for (const { name } of tables) {
      const text = `select org_id, count(*)::int as n from ${name} group by 1 order by 1`
      const all = await count(owner, text)
      const mine = (org: unknown) => org === h01!.id || (org === p01!.id && lent.has(name))
      expect(await count(tx as unknown as typeof owner, text), name).toEqual(all.filter(([org]) => mine(org)))
      if (all.some(([org]) => org !== h01!.id)) notifying += 1
    }
  })
  // Most tables have rows of others that could have leaked.
  expect(notifying).toBeGreaterThan(45)
})
