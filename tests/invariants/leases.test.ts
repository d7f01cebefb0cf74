import { afterAll, beforeAll, expect, test } from 'vitest'
import { documents, entities } from '#app/modules.ts'
import { lotOf, openScene, type Scene } from '../support/fixture.ts'
import { openLease } from '../support/lease.ts'
import { day, type Person } from '../support/story.ts'

/**
 * Lessor and lessee act each for himself: over all calls of leases, neither changes what the other keeps, and a third
 * organisation changes and learns nothing. The kinds and calls come from the registry and the table of calls.
 */
let scene: Scene
let lessor: Person
let third: Person
let notice = ''
let given = ''

const rename = (from: string, to: string) => scene.server.database.owner`
  update document set sn = ${to} where kind = 'leaseNoticeIn' and sn = ${from}`
beforeAll(async () => {
  scene = await openScene()
  const { dealer, shop, inflator } = scene
  await scene.shelve(dealer, shop, [lotOf(inflator, 'ZL0', { quantity: '10' })])
  const lease = await openLease(scene, 'L')
  lessor = lease.platform
  third = scene.vendor
  notice = await dealer.add('leaseNoticeIn', {
    notice_type: 'other',
    rented_area_sn: lease.rented,
    warehouse_model_inner_sn: lease.mine,
    lines: [{ ...lotOf(inflator, 'ZL1'), quantity: '6', price: '113', tax_rate: 13 }],
  })
  await dealer.done('leaseNoticeIn', 'submit', notice)
  // A number that nobody else's own notice can have.
  given = notice
  await rename(given, (notice = 'ZL1-NOTICE'))
  await scene.one(
    `insert into lease_fee
         (org_id, lease_contract_id, lease_line_id, month, charged_by, measure, price, days, month_days, amount)
       select l.org_id, l.lease_contract_id, l.id, $2, 'area', 50, 30, 30, 30, 1500 from lease_line l
        where l.org_id = $1 limit 1 returning id`,
    lease.p,
    day().slice(0, 7),
  )
})
afterAll(async () => {
  if (given) await rename(notice, given)
  await scene?.close()
})

const isOfLeases = ({ kind }: { readonly kind: string }): boolean => /^(lease|lessee|rented)/.test(kind)
const records = entities.filter(isOfLeases).map(({ kind }) => kind)
const notices = documents.filter(isOfLeases).map(({ kind }) => kind)
/** What each side keeps. */
const TABLES = {
  lessor: ['lease_area', 'lease_contract', 'lease_line', 'lease_fee'],
  lessee: ['rented_area'],
} as const

const kept = async (tables: readonly string[]): Promise<string> => {
  const rows = await Promise.all(
    tables.map(table =>
      scene.one(`select md5(coalesce(string_agg(t::text, ',' order by t.id), '')) as hash from ${table} t`),
    ),
  )
  return JSON.stringify(rows)
}
const documentsOf = async (role: 'own' | 'counterparty'): Promise<string> =>
  JSON.stringify(
    await scene.server.database.owner`
      select kind, sn, state, version, md5(fields::text) as fields from document
       where kind = any(${notices}) and role = ${role} order by kind, sn`,
  )

/** A row of each kind that there is, whoever keeps it. */
async function rowsOf(): Promise<ReadonlyMap<string, string>> {
  const { owner } = scene.server.database
  const found = await owner<{ kind: string; sn: string }[]>`
    (select 'leaseArea' as kind, id::text as sn from lease_area limit 1) union all
    (select 'lessee', id::text from lease_contract limit 1) union all
    (select 'leaseLine', id::text from lease_line limit 1) union all
    (select 'leaseFee', id::text from lease_fee limit 1) union all
    (select 'rentedArea', id::text from rented_area limit 1) union all
    (select kind, sn from document where kind = any(${notices}) and role = 'own' limit 1)`
  return new Map(found.map(({ kind, sn }) => [kind, sn]))
}

type Answered = { readonly call: string; readonly code: number; readonly leaks: readonly string[] }
/** What the contract and the notice say, and nobody else may read. */
const SECRETS = ['LZ-1', '"lot_no":"ZL1"']
/** What asks about a document as it is typed, and writes nothing. */
const onlyAsks = ({ call }: Answered): boolean => /\/(rehearse|offers)$/.test(call)

/** Every changing call of these kinds, on the row of its kind, and what was answered. */
async function tryAll(who: Person, kinds: readonly string[]): Promise<readonly Answered[]> {
  const rows = await rowsOf()
  const answered: Answered[] = []
  for (const { method, url, takesFiles } of scene.server.app.callTable) {
    const [, kind, call] = /^\/v1\/business\/(\w+)\/(\w+)$/.exec(url) ?? []
    const sn = kind === undefined ? undefined : rows.get(kind)
    // Anybody may write a row of his own, which may have the same number.
    if (method !== 'POST' || takesFiles || sn === undefined || call === 'add' || !kinds.includes(kind!)) continue
    for (const version of [1, 2, 3]) {
      const body = { sn, version, keys: [sn], reason: '试', org_sn: scene.d, source_org_sn: scene.d }
      for (const sent of [body, { sn, version }, { sn, version, reason: '试' }, { keys: [sn] }]) {
        const reply = await who.client.post(url, sent)
        const leaks = SECRETS.filter(secret => JSON.stringify(reply).includes(secret))
        answered.push({ call: `${kind}/${call}`, code: reply.code, leaks })
      }
    }
  }
  return answered
}

test('there are kinds of both sides, and calls on them', async () => {
  expect(records).toEqual(expect.arrayContaining(['leaseArea', 'lessee', 'leaseLine', 'rentedArea']))
  expect(notices).toEqual(expect.arrayContaining(['leaseNoticeIn', 'leaseNoticeOut']))
  expect((await rowsOf()).size).toBeGreaterThan(5)
})

test('a third organisation changes nothing of a lease, and no call is answered', async () => {
  const all = async () => [
    await kept([...TABLES.lessor, ...TABLES.lessee]),
    await documentsOf('own'),
    await documentsOf('counterparty'),
  ]
  const before = await all()
  const answered = await tryAll(third, [...records, ...notices])
  expect(answered.length).toBeGreaterThan(20)
  expect(answered.filter(one => one.code === 0 && !onlyAsks(one))).toEqual([])
  expect(answered.filter(({ leaks }) => leaks.length > 0)).toEqual([])
  expect(await all()).toEqual(before)
})

test('a lessee changes nothing that the lessor keeps', async () => {
  const before = await kept(TABLES.lessor)
  const answered = await tryAll(scene.dealer, records)
  expect(answered.length).toBeGreaterThan(10)
  expect(answered.filter(({ call, code }) => code === 0 && !call.startsWith('rentedArea/'))).toEqual([])
  expect(await kept(TABLES.lessor)).toBe(before)
})

test('a lessor changes neither what the lessee keeps nor his documents, beside his answers', async () => {
  const before = [await kept(TABLES.lessee), await scene.dealer.info('leaseNoticeIn', notice)]
  const { actions } = await lessor.info('leaseNoticeIn', notice)
  const own = await tryAll(lessor, ['rentedArea'])
  expect(own.filter(({ code }) => code === 0)).toEqual([])
  for (const { method, url } of scene.server.app.callTable) {
    const [, call] = /^\/v1\/business\/leaseNoticeIn\/(\w+)$/.exec(url) ?? []
    if (method !== 'POST' || call === undefined || (actions as string[]).includes(call)) continue
    const { code } = await lessor.client.post(url, { sn: notice, version: 1, source_org_sn: scene.d, reason: '试' })
    expect({ call, code }).not.toEqual({ call, code: 0 })
  }
  expect([await kept(TABLES.lessee), await scene.dealer.info('leaseNoticeIn', notice)]).toEqual(before)
})
