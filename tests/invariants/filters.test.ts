import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OrgType } from '#kernel/values/organisation-type.ts'
import type { Screen } from '#kernel/definition/screen.ts'
import { documents, entities, reports } from '#app/modules.ts'
import { type Client, openTestServer, type TestServer } from '../support/test-server.ts'

/** Whatever a page can be narrowed by narrows the same list for a program: no filter is known to the browser alone. */
let server: TestServer
const people = new Map<OrgType, Client>()
const logins: Readonly<Record<OrgType, string>> = { P: 'platform', H: 'hospital', D: 'dealer', V: 'vendor' }

beforeAll(async () => {
  server = await openTestServer()
  for (const [type, login] of Object.entries(logins) as [OrgType, string][]) people.set(type, await server.as(login))
})
afterAll(() => server?.close())

/** The filters that every list of documents has, on whichever page. */
const ofEveryDocument =
  'sn state source_sn source_org_sn source_type counterparty_sn warehouse_model_inner_sn specification_sn lot_no ' +
  'begin_date end_date q'
/** The filters that programs of others rely on beside those. */
const promised: Readonly<Record<string, string>> = {
  registrationAudit: 'name system_type state',
  orgRelation: 'system_type',
  product: 'scope q',
  specification: 'product_sn q',
  stockBalance: 'warehouse_model_inner_sn specification_sn lot_no in_transit consigned_out',
  unitLabel: 'specification_sn status q',
  accountBalance: 'counterparty_sn',
  warehouse: 'type',
}
type Asked = { readonly url: string; readonly orgs: string; readonly names: readonly string[] }
const ofScreens = (url: string, screens: readonly Screen[], more: readonly string[] = []): Asked[] =>
  screens.map(({ orgs, filters, numberNames = [], where = {} }) => ({
    url,
    orgs,
    names: [...filters, ...numberNames, ...Object.keys(where), ...more],
  }))

const lists = (): Asked[] => [
  ...documents.flatMap(({ kind, screens }) =>
    ofScreens(`/v1/business/${kind}/list`, screens, ofEveryDocument.split(' ')),
  ),
  ...entities.flatMap(({ kind, screens }) =>
    ofScreens(`/v1/business/${kind}/list`, screens, promised[kind]?.split(' ') ?? []),
  ),
  ...reports.flatMap(({ kind, screens }) => ofScreens(`/v1/report/${kind}`, screens)),
]

test('every filter of every page, and every name by which a message points at a document, is one of its call', async () => {
  const unknown: string[] = []
  let asked = 0
  for (const { url, orgs, names } of lists()) {
    // Values that few fields can have: what matters is whether the call knows the names.
    const query = Object.fromEntries(names.map(name => [name, '0']))
    const reply = JSON.stringify(await people.get(orgs[0] as OrgType)!.get(url, query))
    unknown.push(...Object.keys(query).flatMap(name => (reply.includes(`没有“${name}”这个`) ? [`${url}?${name}`] : [])))
    asked += Object.keys(query).length
  }
  expect(unknown).toEqual([])
  expect(asked).toBeGreaterThan(1000)
  const stray = await people.get('H')!.get('/v1/business/requisition/list', { zz_stray: '0', sn: '0' })
  expect(JSON.stringify(stray)).toContain('没有“zz_stray”这个')
})
