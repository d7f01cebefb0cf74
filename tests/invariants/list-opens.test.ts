import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { documents as kinds, entities } from '#app/modules.ts'
import { type Client, openTestServer, type TestServer } from '../support/test-server.ts'

/** What a list shows to somebody, its own call opens for the same person: a page that lists a row has the row. */
const documents: readonly AnyDocument[] = kinds
let server: TestServer
const administrators = { P: 'platform', H: 'hospital', D: 'dealer', V: 'vendor' } as const
const people = new Map<string, Client>()
const organisations = new Map<string, string>()

const FORBIDDEN = 403

type Place = { readonly store: string; readonly department: string }

beforeAll(async () => {
  server = await openTestServer()
  const { owner } = server.database
  for (const [type, login] of Object.entries(administrators)) {
    people.set(login, await server.as(login))
    const [user] = await owner<{ org: string }[]>`select org_id as org from app_user where login = ${login}`
    organisations.set(type, user!.org)
  }
  for (const login of ['nurse', 'h02']) people.set(login, await server.as(login))
  for (const [type, org] of organisations) await writeDocuments(type, org)
  const [second] = await owner<{ org: string }[]>`select org_id as org from app_user where login = 'h02'`
  await writeDocuments('H', second!.org)
}, 300_000)
afterAll(() => server?.close())

/** No place, and two stores with their departments. */
async function placesOf(org: string): Promise<readonly (Place | null)[]> {
  const rows = await server.database.owner<Place[]>`
    select id as store, department_id as department from warehouse
     where org_id = ${org} and department_id is not null order by id limit 2`
  return [null, ...rows]
}

let serial = 0
/** Bare documents of every kind that an organisation of the type keeps or is sent, at each place. */
async function writeDocuments(type: string, org: string): Promise<void> {
  const other = organisations.get(type === 'D' ? 'H' : 'D') ?? org
  const places = await placesOf(org)
  const rows = documents.flatMap(({ kind, ownerTypes, intercompany }) => {
    const owns = ownerTypes === '' || ownerTypes.includes(type)
    const roles = [...(owns ? ['own'] : []), ...((intercompany.copies ?? []).length > 0 ? ['counterparty'] : [])]
    return roles.flatMap(role =>
      places.map(place => ({
        org_id: org,
        kind,
        sn: `OPEN-${(serial += 1)}-${kind}`,
        from_org_id: role === 'own' ? org : other,
        role,
        state: 'reviewed',
        business_date: '2026-01-01',
        counterparty_id: role === 'own' ? null : other,
        warehouse_id: place?.store ?? null,
        department_id: place?.department ?? null,
        created_by: 0,
      })),
    )
  })
  await server.database.owner`insert into document ${server.database.owner(rows)}`
}

test('what a list shows to somebody opens for the same person: of every kind of document and record', async () => {
  const shut: string[] = []
  const opened = new Set<string>()
  // Who only picks rows of a record on another page reads the columns that name them, and has no page to open.
  const columns = new Map<string, number>()
  const isPicked = (kind: string, row: object) => Object.keys(row).length < (columns.get(kind) ?? 0)
  for (const [login, who] of people)
    for (const { kind, key } of [...documents.map(each => ({ kind: each.kind, key: 'sn' })), ...entities]) {
      const reply = await who.get(`/v1/business/${kind}/list`, { pageSize: '100', pageNum: '1' })
      // Of rows that are alike one is enough.
      const sorts = Map.groupBy(reply.code === 0 ? reply.list : [], row => `${row.role} ${row.org_sn} ${row.status}`)
      for (const row of [...sorts.values()].map(rows => rows[0]!)) {
        const whose = row.role === undefined ? {} : { role: String(row.role), source_org_sn: String(row.org_sn) }
        const info = await who.get(`/v1/business/${kind}/info`, { sn: String(row[key]), ...whose })
        columns.set(kind, Math.max(columns.get(kind) ?? 0, Object.keys(row).length))
        if (info.code === 0) opened.add(kind)
        else if (info.code !== FORBIDDEN || !isPicked(kind, row))
          shut.push(`${login} ${kind} ${row[key]}: ${info.code} ${info.msg}`)
      }
    }
  expect(shut).toEqual([])
  expect(documents.map(({ kind }) => kind).filter(kind => !opened.has(kind))).toEqual([])
}, 600_000)

test('the platform opens what it oversees by its number alone, unless several organisations have the number', async () => {
  const platform = people.get('platform')!
  const { owner } = server.database
  for (const { kind, title } of documents.filter(({ overseen }) => overseen)) {
    const { list } = await platform.get(`/v1/business/${kind}/list`, { pageSize: '100', pageNum: '1' })
    const row = list[0]!
    const ask = () => platform.get(`/v1/business/${kind}/info`, { sn: String(row.sn) })
    expect([kind, (await ask()).info?.org_sn]).toEqual([kind, row.org_sn])
    const another = [...organisations.values()].find(org => org !== row.org_sn)!
    await owner`
      insert into document (org_id, kind, sn, from_org_id, role, state, business_date, created_by)
        values (${another}, ${kind}, ${String(row.sn)}, ${another}, 'own', 'reviewed', '2026-01-01', 0)`
    expect([kind, (await ask()).msg]).toEqual([kind, `有多家机构的${title}${row.sn}，请指明机构`])
    const named = await platform.get(`/v1/business/${kind}/info`, {
      sn: String(row.sn),
      source_org_sn: String(row.org_sn),
    })
    expect([kind, named.info?.org_sn]).toEqual([kind, row.org_sn])
    await owner`delete from document where org_id = ${another} and sn = ${String(row.sn)}`
  }
})
