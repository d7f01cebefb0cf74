import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase, type FreshDatabase } from '#tests/support/database.ts'
import { buildApp } from '#app/app.ts'
import { type Database, openDatabase } from '#server/plugins/database.ts'
import { checkLedgers } from '#server/ledger/check/check.ts'
import { closeMonths } from './month-close.ts'
import { today } from '#kernel/values/date.ts'
import { md5 } from '#tests/support/test-server.ts'

/** Half a year of the demo: reports from monthly openings equal reports from the first move on. */
let fresh: FreshDatabase
let database: Database
let app: Awaited<ReturnType<typeof buildApp>>
const sessions = new Map<string, string>()
beforeAll(async () => {
  fresh = await freshDatabase({ demo: true })
  database = await openDatabase(fresh.config)
  app = await buildApp({ config: fresh.config, database, logger: false })
  for (const userName of ['hospital', 'dealer']) {
    const payload = { userName, password: md5('Spd@2026') }
    const reply = await app.inject({ method: 'POST', url: '/v1/login', payload })
    sessions.set(userName, `sid=${reply.cookies[0]!.value}`)
  }
})
afterAll(async () => {
  await app?.close()
  await database?.close()
  await fresh?.drop()
})

/** The first day of the month so many months ago. */
function monthsAgo(count: number): string {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - count, 1)).toISOString().slice(0, 10)
}
const dayAfter = (day: string, days: number) => new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)
/** The stock of a day that is still to come is asked for by nobody: early in a month it is that of today. */
const untilToday = (day: string): string => (day < today() ? day : today())

/** The reports of the stock of a day. */
const ofDay = (login: string): readonly string[] => [
  'stockAsOf',
  'stockByProduct',
  'stockByPlace',
  'inventoryDetail',
  ...(login === 'hospital' ? ['centralInventory'] : []),
]
/** Reports of a period, with the stock of its last day. */
const ofPeriod = (login: string): readonly string[] =>
  login === 'hospital' ? ['purchaseUse', 'supplierStatistic', 'stockFlow', 'restockAbnormal'] : ['stockFlow']
/** Reports of a month. */
const ofMonth = (login: string): readonly string[] =>
  login === 'hospital' ? ['warehouseConsumption', 'hygienicMaterials'] : []

type Said = { readonly list: readonly Readonly<Record<string, unknown>>[]; readonly total: number }
/**
 * The rows of an answer in an order of their own, for rows that are alike may change places. The hours of items that
 * are still open are dropped: they have grown when the same report is asked again.
 */
const untimed = ({ list, ...said }: Said): Said => ({
  ...said,
  list: list
    .map(row => (row.is_open === true ? { ...row, hours: null } : row))
    .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
})

/** Limits of which nothing is known but that they are there: too little and too much of many goods, in every month. */
const limitWards = () => database.owner`
  update warehouse_product p set limits_since = null, min_quantity = x.least, reorder_point = x.least,
      max_quantity = greatest(x.least, x.most)
    from (select org_id, warehouse_id, specification_id,
             greatest(0, round(max(held) * (0.1 + specification_id * 7 % 50 / 100.0))) as least,
             greatest(0, round(max(held) * (0.5 + specification_id * 13 % 50 / 100.0))) as most
            from (select *, sum(quantity) over (
                      partition by org_id, warehouse_id, specification_id order by at) as held
                    from stock_move) m
           group by 1, 2, 3) x
   where (p.org_id, p.warehouse_id, p.specification_id) = (x.org_id, x.warehouse_id, x.specification_id)`

async function everyReport(): Promise<Map<string, unknown>> {
  const said = new Map<string, unknown>()
  for (const [login, cookie] of sessions) {
    for (const ago of [0, 1, 2, 4]) {
      const first = monthsAgo(ago)
      const middle = { begin_date: dayAfter(first, -9), end_date: dayAfter(first, 12) }
      const asked = {
        stockFinance: [{ period: first.slice(0, 7) }, { period: first.slice(0, 7), ownership: 'own' }],
        ...Object.fromEntries(
          ofDay(login).map(kind => [
            kind,
            [{ end_date: dayAfter(first, -1) }, { end_date: untilToday(dayAfter(first, 3)) }],
          ]),
        ),
        ...Object.fromEntries(ofPeriod(login).map(kind => [kind, [middle]])),
        ...Object.fromEntries(ofMonth(login).map(kind => [kind, [{ period: first.slice(0, 7) }]])),
        inventorySummaryReport: [{ begin_date: first, end_date: dayAfter(first, 14) }, middle],
        psiDetail: [
          { begin_date: first, end_date: dayAfter(first, 14) },
          middle,
          { ...middle, document_kind: 'purchaseGrn' },
        ],
      }
      for (const [kind, queries] of Object.entries(asked))
        for (const query of queries) {
          const url = `/v1/report/${kind}?${new URLSearchParams({ pageSize: '500', ...query })}`
          const { msg, list, total, summary } = (await app.inject({ url, headers: { cookie } })).json()
          expect(msg, url).toBe('')
          said.set(`${login} ${url}`, { ...untimed({ list, total }), summary })
        }
    }
  }
  return said
}

test('reports say the same from the openings of months as from the first move, and the books prove the openings', async () => {
  const { owner } = database
  await owner`delete from month_opening`
  await owner`delete from month_sealed`
  await owner`delete from month_figure`
  await owner`delete from limit_breach`
  // Business dates later than the posting, across the start of a month.
  const first = monthsAgo(1)
  await owner`
    update stock_move m set business_date = ${dayAfter(first, 3)} from (
      select org_id, id from stock_move where at < ${first}::date order by at desc limit 3) x
        where x.org_id = m.org_id and x.id = m.id`
  await limitWards()
  const before = await everyReport()
  for (const [asked, said] of before)
    if (asked.includes('restockAbnormal')) expect((said as Said).total, asked).toBeGreaterThan(10)
  expect([...before.values()].filter(said => (said as { total?: number }).total! > 0).length).toBeGreaterThan(40)
  // A version before wrote these.
  await owner`update stock_move set document_kind = null where id % 7 = 0`
  await closeMonths(owner)
  const [unnamed] = await owner<{ count: number }[]>`
    select count(*)::int as count from stock_move where document_kind is null`
  expect(unnamed!.count).toBe(0)
  const [sealed] = await owner<{ count: number }[]>`select count(*)::int as count from month_sealed`
  expect(sealed!.count).toBeGreaterThanOrEqual(5)
  const after = await everyReport()
  const otherwise = [...before].filter(([asked, said]) => JSON.stringify(after.get(asked)) !== JSON.stringify(said))
  expect(otherwise.map(([asked]) => asked)).toEqual([])
  // Running again does nothing, and two at once do it once.
  await Promise.all([closeMonths(owner), closeMonths(owner)])
  expect(await checkLedgers(owner)).toEqual([])
  await owner`update month_opening set quantity = quantity + 1
      where (org_id, month, lot_id) = (select org_id, month, lot_id from month_opening order by 1, 2, 3 limit 1)`
  expect((await checkLedgers(owner))[0]).toMatchObject({ check: 'monthOpenings' })
  await owner`update month_opening set quantity = quantity - 1
      where (org_id, month, lot_id) = (select org_id, month, lot_id from month_opening order by 1, 2, 3 limit 1)`
  await owner`update month_figure set in_value = in_value + 1
      where (org_id, month, specification_id) = (select org_id, month, specification_id from month_figure order by 1,
      2, 3 limit 1)`
  expect((await checkLedgers(owner)).map(({ check }) => check)).toContain('monthFigures')
  await owner`update limit_breach set ended_at = ended_at + interval '1 hour'
      where (org_id, warehouse_id, specification_id, side, begun_at) = (
        select org_id, warehouse_id, specification_id, side, begun_at from limit_breach
         where side = 'over' and ended_at is not null order by 1, 2, 3, 5 limit 1)`
  expect((await checkLedgers(owner)).map(({ check }) => check)).toContain('limitBreaches')
})
