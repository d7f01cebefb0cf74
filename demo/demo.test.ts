import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { addDays, addYears, type Day, today } from '#kernel/values/date.ts'
import { compare } from '#kernel/values/decimal.ts'
import type { OrgType } from '#kernel/values/organisation-type.ts'
import { screenKey } from '#kernel/definition/screen.ts'
import { documents, entities } from '#app/modules.ts'
import { buildApp } from '#app/app.ts'
import { bringHis } from '#demo/his.ts'
import { bringProofs } from '#demo/proofs.ts'
import { OPENING } from '#demo/simulation/calendar.ts'
import { diskStore } from '#server/files/store.ts'
import { demoAccounts, demoPassword } from '#demo/masters/people.ts'
import { chargesHooks } from '#modules/hospital/charges/module.server.ts'
import { performDue } from '#server/outbound/calls.ts'
import { listDocuments } from '#server/documents/list/list.ts'
import { runReport } from '#server/reports/report.ts'
import { lotDates } from '#modules/goods/corrections/lot-dates.report.ts'
import { kitUse } from '#modules/hospital/surgery/kits/kit-use.report.ts'
import { listRecords } from '#server/records/read.ts'
import { connectedHis } from '#server/outbound/his/connected.ts'
import { systemSessionOf } from '#server/organisations/organisations.ts'
import { inOrganisation } from '#server/database/transaction.ts'
import { checkLedgers } from '#server/ledger/check/check.ts'
import { type Database, openDatabase } from '#server/plugins/database.ts'
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts'
import { type ConnectedProvider, startProvider } from '#tests/support/einvoice.ts'
import { connectHis, type StandIn } from '#tests/support/his.ts'
import { md5 } from '#tests/support/test-server.ts'

let his: StandIn
let provider: ConnectedProvider
let fresh: FreshDatabase
let database: Database
const orgs = new Map<string, string>()

beforeAll(async () => {
  const began = Date.now()
  fresh = await freshDatabase({ demo: true })
  console.log(`demo ready after ${Math.round((Date.now() - began) / 1000)} s`)
  database = await openDatabase(fresh.config)
  // Precondition for every viewer: the program was started and a user has signed in.
  const app = await buildApp({ config: fresh.config, database, logger: false })
  await app.inject({ method: 'POST', url: '/v1/login', payload: { userName: 'platform', password: md5(demoPassword) } })
  await app.close()
  // The stand-in of a provider of electronic invoices starts with the demo, and answers what it asked for.
  provider = await startProvider({ database })
  await provider.perform()
  // The stand-in of a HIS starts with the demo, which takes over what it has.
  his = await connectHis({ database }, 'H01')
  await bringHis(database)
  await performDue(database.app, database.owner)
  const store = diskStore(await mkdtemp(path.join(tmpdir(), 'his-')))
  for (const job of chargesHooks.jobs ?? []) await job.run({ ...database, exports: database.owner, store })
  for (const row of await database.owner<{ id: string; code: string }[]>`select id, code from organisation`)
    orgs.set(row.code, row.id)
})
afterAll(async () => {
  await provider.close()
  await his.end()
  await database.close()
  await fresh.drop()
})

test('no action of the demo was refused', () => {
  expect(fresh.given).toMatchObject({ refused: [] })
})

test('of the hospitals one has a HIS and one has none, and somebody signs in at each', async () => {
  const hospitals = demoAccounts.filter(({ org, role }) => org.startsWith('H') && role === '管理员')
  const found: Record<string, boolean> = {}
  for (const { org } of hospitals)
    found[org] = await inOrganisation(
      database.app,
      idOf(org),
      '0',
      async tx => (await connectedHis(tx, idOf(org))) !== null,
    )
  expect(found).toEqual({ H01: true, H02: false })
})

const idOf = (code: string): string => orgs.get(code)!
/**
 * Only a kind that an organisation keeps itself is listed as its own; otherwise, and where its list shows what it was
 * sent, it sees the other side's documents.
 */
const roleOf = (
  { ownerTypes, lifecycle, overseen }: AnyDocument,
  type: OrgType,
  where: Readonly<Record<string, string>>,
) =>
  where.role ??
  ((ownerTypes.includes(type) && !lifecycle.listsCopies?.includes(type)) || (overseen && type === 'P')
    ? 'own'
    : 'counterparty')

describe('every list of a built page has rows', () => {
  const pages = documents.flatMap(definition =>
    definition.screens.flatMap(screen =>
      [...screen.orgs].map(type => ({
        definition,
        screen,
        type: type as OrgType,
        name: `${type} ${screenKey(screen)}`,
      })),
    ),
  )
  test.each(pages)('$name', async ({ definition, screen, type }) => {
    const found: string[] = []
    for (const [code, id] of orgs) {
      if (!code.startsWith(type)) continue
      const session = await systemSessionOf(database.app, id)
      // Lists filtered by "mine" depend on the user: the organisation's list behind them must have rows.
      const { mine: _, ...fixed } = screen.where ?? {}
      const where = {
        ...fixed,
        ...(screen.states ? { state: screen.states.join(',') } : {}),
        role: roleOf(definition, type, screen.where ?? {}),
      }
      const page = await inOrganisation(database.app, id, '0', tx => listDocuments(tx, session, definition, where))
      if (page.list.length > 0) found.push(code)
    }
    expect(found.length, `${definition.title} of ${type}`).toBeGreaterThan(0)
  })
})

test('pieces with codes of their own stand in packs and in kits of operations', async () => {
  const [row] = await database.owner<{ packs: number; kits: number }[]>`
    select count(distinct pack_code) filter (where kit_id is null)::int as packs,
           count(distinct pack_code) filter (where kit_id is not null)::int as kits
      from pack where piece_code is not null and opened_at is null`
  expect(row).toEqual({ packs: 2, kits: 2 })
})

/**
 * Start empty: what people keep for themselves, what they say of a file, the background jobs, which a serving program
 * writes, what comes from the HIS with a patient at the bedside, with its plain dialect, or with a month's end, and
 * what nobody has had to hold back.
 */
const startEmpty = new Set([
  'reportScheme',
  'columnMapping',
  'exportTask',
  'backgroundJob',
  'hisVisit',
  'hisOperation',
  'hisField',
  'hisStaffChange',
  'chargeMonth',
  'goodsFreeze',
])
/** Pages with a tab for each sort of difference: not every sort happened. */
const byDifference = new Set(['hisSpdFeeDetail'])

describe('every list of a record has rows', () => {
  const shared = entities.filter(({ kind }) => !startEmpty.has(kind) && !byDifference.has(kind))
  const pages = shared.flatMap(definition =>
    definition.screens.flatMap(screen =>
      [...screen.orgs].map(type => ({ definition, screen, type: type as OrgType, name: `${type} ${screen.route}` })),
    ),
  )
  test.each(pages)('$name', async ({ definition, screen, type }) => {
    const found: string[] = []
    for (const [code, id] of orgs) {
      if (!code.startsWith(type)) continue
      const session = await systemSessionOf(database.app, id)
      const page = await inOrganisation(database.app, id, '0', tx =>
        listRecords(tx, session, definition, { ...screen.where }),
      )
      if (page.list.length > 0) found.push(code)
    }
    expect(found.length, `${definition.title} of ${type}`).toBeGreaterThan(0)
  })
})

test('what differs from the HIS has rows in one of its tabs at least', async () => {
  const session = await systemSessionOf(database.app, idOf('H01'))
  for (const definition of entities.filter(({ kind }) => byDifference.has(kind))) {
    const rows = await Promise.all(
      definition.screens.map(screen =>
        inOrganisation(database.app, idOf('H01'), '0', tx => listRecords(tx, session, definition, { ...screen.where })),
      ),
    )
    expect(rows.flatMap(({ list }) => list).length).toBeGreaterThan(0)
  }
})

test('documents needing evidence proceed once files are kept; suppliers refill, compare and sell on', async () => {
  await bringProofs(database, diskStore(await mkdtemp(path.join(tmpdir(), 'proofs-'))))
  const scanned = await database.owner`
    select 1 from document where kind = 'supplierApplication' and role = 'counterparty'
      and fields->>'attachment_count' = '1' and cardinality(attachments) = 1`
  expect(scanned).toHaveLength(1)
  const [row] = await database.owner<Record<string, number>[]>`
    select (count(*) filter (where kind = 'stockCorrection' and fields->>'answer_state' = '2'))::int as agreed,
           (count(*) filter (where kind = 'firstSellProduct' and state = 'reviewed'))::int as judged,
           (count(*) filter (where fields->>'replenish_sn' is not null))::int as refilled,
           (count(*) filter (where fields->>'compare_state' = '2'))::int as compared,
           (count(*) filter (where kind = 'purchaseGrn' and fields->>'sale_sn' is not null))::int as sold_on,
           (count(*) filter (where kind = 'purchaseOrder' and handler_id is not null))::int as handled
      from document where role = 'own' or kind in ('departmentUse', 'surgeryUse')`
  expect(row).toMatchObject({ agreed: 1, judged: 1 })
  for (const action of ['handled', 'refilled', 'compared', 'sold_on']) expect(row![action], action).toBeGreaterThan(0)
})

test('all books agree', async () => {
  const found = await checkLedgers(database.owner)
  expect(found.slice(0, 20).map(finding => finding.msg)).toEqual([])
})

test('old months are closed at hospital and dealer from the first on, with vouchers to export; later ones are open', async () => {
  const { owner } = database
  for (const code of ['H01', 'D01']) {
    const months = await owner<{ state: string }[]>`
      select state from accounting_month where org_id = ${orgs.get(code)!} order by id`
    const closed = months.findIndex(({ state }) => state === 'open')
    expect([code, closed > 1, months.length - closed]).toEqual([code, true, 3])
    expect(months.slice(0, closed).every(({ state }) => state === 'closed')).toBe(true)
  }
})

test('an outgoing invoice has a discount, and is asked of the provider of electronic invoices', async () => {
  const found = await database.owner<{ discount: string; amount: string }[]>`
    select l.fields->>'discount_amount' as discount, l.taxed_amount::text as amount
      from e_invoice e join document_line l on l.org_id = e.org_id and l.document_id = e.document_id
     where coalesce(l.fields->>'discount_amount', '') <> '' and e.org_id = ${orgs.get('D01')!}`
  expect(found.length).toBeGreaterThan(0)
  for (const { discount, amount } of found) {
    expect(compare(discount, '0')).toBe(1)
    expect(compare(discount, amount)).toBe(-1)
  }
})

test('goods are exchanged on their original order; money is matched again or waits', async () => {
  const [row] = await database.owner<Record<string, number>[]>`
    select (select count(*)::int from document where kind = 'purchaseReturn' and role = 'own'
      and fields->>'is_exchange' = 'true' and state in ('reviewed', 'partial', 'completed')) as exchanged,
           (select count(*)::int from document where kind = 'saleReturn' and role = 'own'
             and fields->>'is_exchange' = 'true' and state in ('reviewed', 'partial', 'completed')) as home,
           (select count(*)::int from document_history where action = 'match') as matched,
           (select count(*)::int from document d where kind = 'receipt' and role = 'own' and exists (
              select 1 from document_history h where h.org_id = d.org_id and h.document_id = d.id
                and h.action = 'unmatch') and not exists (
              select 1 from document_line l where l.org_id = d.org_id and l.document_id = d.id
                and l.source_line_no is not null)) as waits`
  for (const action of ['exchanged', 'home', 'matched', 'waits']) expect(row![action], action).toBeGreaterThan(0)
})

test('no intercompany message is left that the other side refused', async () => {
  const rows = await database.owner`select last_error from intercompany_message where delivered_at is null`
  expect(rows.map(row => row.last_error)).toEqual([])
})

test('the trade reaches today, and nothing is dated in the future', async () => {
  const [row] = await database.owner<{ last: string; first: string; future: number }[]>`
    select max(business_date) as last, min(business_date) as first,
      (count(*) filter (where created_at > now()))::int as future from document`
  expect(row).toEqual({ last: today(), first: addDays(today(), -OPENING), future: 0 })
})

test("the first size of each of the maker's high-value products can be ordered all along the chain", async () => {
  const rows = await database.owner<{ code: string; maker: number; dealer: number }[]>`
    select s.code, (count(*) filter (where u.holder_org_id = ${idOf('V01')}))::int as maker,
      (count(*) filter (where u.holder_org_id = ${idOf('D01')}))::int as dealer
      from product p join lateral (select * from specification x where x.product_id = p.id order by x.code limit 1) s
        on true
      left join unit u on u.specification_id = s.id and u.status = 'in_stock'
     where p.manufacturer_id = ${idOf('V01')} and p.is_high_value and p.is_unit_coded and p.status = 'released'
     group by s.code order by s.code`
  expect(rows.length).toBeGreaterThan(10)
  expect(rows.filter(row => row.maker < 3 || row.dealer < 3)).toEqual([])
})

test('stock ages: some lots have expired on the shelf, others soon will', async () => {
  const day = today()
  const rows = await database.owner<{ code: string; expired: number; soon: number; later: number }[]>`
    select o.code, (count(*) filter (where s.expiry_date < ${day}))::int as expired,
      (count(*) filter (where s.expiry_date between ${day} and ${addDays(day, 90)}))::int as soon,
           (count(*) filter (where s.expiry_date between ${addDays(day, 91)} and ${addDays(day, 180)}))::int as later
      from stock_balance b join stock_lot s on s.org_id = b.org_id and s.lot_id = b.lot_id
        join organisation o on o.id = b.org_id
       -- The platform keeps what its tenants brought, and nothing of its own.
       where b.owner_id = b.org_id or o.system_type <> 0 group by o.code order by o.code`
  expect(rows.filter(row => row.expired === 0 || row.soon === 0 || row.later === 0).map(row => row.code)).toEqual([])
})

test('operations on loaned goods are in the calendar of this week, from one asked for to one that is sold', async () => {
  const rows = await database.owner<{ state: string | null }[]>`
    select distinct s.fields->>'follow_state' as state from document s
     where s.kind = 'surgeryPlan' and s.org_id = ${idOf('H01')}
       and date_trunc('week', (s.fields->>'surgery_at')::timestamptz at time zone 'Asia/Shanghai')
         = date_trunc('week', now() at time zone 'Asia/Shanghai')`
  expect(rows.length).toBeGreaterThan(1)
})

test('a numbered kit went out to an operation: what was used and what came home is what was sent', async () => {
  const session = await systemSessionOf(database.app, idOf('D01'))
  const asked = { begin_date: addDays(today(), -30), end_date: today() }
  const { list } = await inOrganisation(database.app, idOf('D01'), '0', tx => runReport(tx, session, kitUse, asked))
  expect(list.map(row => [row.sent_quantity, row.used_quantity, row.returned_quantity, row.open_quantity])).toEqual([
    ['2.000', '1.000', '1.000', '0.000'],
    ['2.000', '0.000', '2.000', '0.000'],
  ])
})

test.each(['H01', 'H02'])('a lot that %s keeps with a mistyped expiry waits for its correction', async code => {
  const session = await systemSessionOf(database.app, idOf(code))
  const { list } = await inOrganisation(database.app, idOf(code), '0', tx => runReport(tx, session, lotDates, {}))
  const sent = list.filter(row => row.origin === 'delivery' && String(row.lot_no).startsWith('T'))
  expect(sent.map(row => [row.typed_expiry_date === addYears(row.kept_expiry_date as Day, 1), row.quantity])).toEqual([
    [true, '2.000'],
  ])
})

test('no patient of a hospital is known outside it', async () => {
  const rows = await database.owner`
    select 1 from document where role = 'counterparty' and fields ?| array['patient_name', 'patient_no',
      'admission_no', 'surgery_name', 'implant_site'] limit 1`
  expect(rows.length).toBe(0)
})
