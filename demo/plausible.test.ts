import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { firstOfNext, OPENING } from '#demo/simulation/calendar.ts'
import { fits } from '#demo/trades.ts'
import { addDays, type Day, today } from '#kernel/values/date.ts'
import { compare } from '#kernel/values/decimal.ts'
import { measures } from '#modules/base/measures/measures.ts'
import { inOrganisation } from '#server/database/transaction.ts'
import { systemSessionOf } from '#server/organisations/organisations.ts'
import { type Database, openDatabase } from '#server/plugins/database.ts'
import { measured } from '#server/reports/measures.ts'
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts'

/** The demo looks like the business of hospitals and their suppliers to somebody who knows it. */
let fresh: FreshDatabase
let database: Database
beforeAll(async () => {
  fresh = await freshDatabase({ demo: true })
  database = await openDatabase(fresh.config)
})
afterAll(async () => {
  await database?.close()
  await fresh?.drop()
})

/** The months that the demo lived from their first to their last day. */
const months: string[] = []
for (
  let month = addDays(today(), 30 - OPENING).slice(0, 7);
  firstOfNext(month) <= today();
  month = firstOfNext(month).slice(0, 7)
)
  months.push(month)

test('a department uses what is of its trade', async () => {
  const rows = await database.owner<{ sn: string; department: string; product: string; name: string }[]>`
    select d.sn, x.code as department, p.code as product, p.name from document d
      join document_line l on l.org_id = d.org_id and l.document_id = d.id
      join department x on x.org_id = d.org_id and x.id = d.department_id
      join specification s on s.id = l.specification_id join product p on p.id = s.product_id
     where d.kind in ('departmentUse', 'surgeryUse') and d.role = 'own'`
  expect(rows.length).toBeGreaterThan(1000)
  expect(rows.filter(row => !fits(row.department, row.product))).toEqual([])
})

test('no single use is more than a fifth of what its hospital uses in a month', async () => {
  const rows = await database.owner<{ hospital: string; sn: string; amount: string; share: string }[]>`
    select * from (
      select o.code as hospital, d.sn, sum(l.taxed_amount) as amount, to_char(d.business_date, 'YYYY-MM') as month,
             round(100 * sum(l.taxed_amount) / sum(sum(l.taxed_amount)) over (
               partition by d.org_id, to_char(d.business_date, 'YYYY-MM')), 1) as share
        from document d join organisation o on o.id = d.org_id
        join document_line l on l.org_id = d.org_id and l.document_id = d.id
       where d.kind in ('departmentUse', 'surgeryUse') and d.role = 'own' and d.red_of_id is null
         and d.state in ('reviewed', 'partial', 'completed')
       group by d.org_id, o.code, d.id, d.sn, d.business_date) u
     where month = any(${months}) order by share desc`
  expect(rows.length).toBeGreaterThan(300)
  expect(rows.filter(row => compare(row.share, '20') > 0)).toEqual([])
})

test('no live document was cancelled before', async () => {
  const { owner } = database
  const rows = await owner`
    select distinct d.kind, d.sn from document d join document_history h
      on h.org_id = d.org_id and h.document_id = d.id and h.to_state = 'cancelled'
     where d.state not in ('cancelled', 'deleted')`
  expect(rows).toEqual([])
  const cancelled = await owner`select 1 from document_history where to_state = 'cancelled' limit 1`
  expect(cancelled).toHaveLength(1)
})

test('a plan for which goods came does not say that none were made ready', async () => {
  const { owner } = database
  const rows = await owner<{ sn: string; role: string; state: string; prepared: string }[]>`
    select d.sn, d.role, coalesce(d.fields->>'prepare_state', '1') as state,
           sum(coalesce((l.fields->>'prepared_quantity')::numeric, 0)) as prepared
      from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
     where d.kind = 'bonePlan' and d.state in ('reviewed', 'partial', 'completed') group by d.org_id, d.id`
  expect(rows.filter(({ prepared }) => compare(prepared, '0') > 0).length).toBeGreaterThan(5)
  expect(rows.filter(({ state, prepared }) => state === '1' && compare(prepared, '0') > 0)).toEqual([])
})

/** Organisations that have each measure in every month. Makers have no uses here: hospitals use few of their own. */
const EVERY_MONTH = {
  purchased: ['H01', 'H02', 'D01', 'D02', 'D03'],
  used: ['H01', 'H02', 'D01', 'D02', 'D03'],
  settled: ['H01', 'H02', 'D01', 'D02', 'D03'],
  sold: ['D01', 'D02', 'D03', 'V01', 'V02', 'V03', 'V04'],
} as const
const named = Object.keys(EVERY_MONTH) as (keyof typeof EVERY_MONTH)[]

describe('no month is without business', () => {
  const organisations = [...new Set(Object.values(EVERY_MONTH).flat())].sort()
  test.each(organisations)('of %s', async code => {
    const [row] = await database.owner<{ id: string }[]>`select id::text as id from organisation where code = ${code}`
    const asked = named.filter(name => (EVERY_MONTH[name] as readonly string[]).includes(code))
    const holes: string[] = []
    await inOrganisation(database.app, row!.id, '0', async tx => {
      const session = await systemSessionOf(database.app, row!.id)
      for (const [at, month] of months.entries()) {
        const days = { begin_date: `${month}-01` as Day, end_date: addDays(firstOfNext(month), -1) }
        const values = await measured(
          tx,
          session,
          asked.map(name => measures[name]),
          days,
        )
        // Goods that were used in the first month are settled in the second.
        for (const name of asked.filter(each => each !== 'settled' || at > 0))
          if (compare(values.get(name) ?? '0', '0') <= 0) holes.push(`${name} ${month}`)
      }
    })
    expect(months.length).toBeGreaterThan(9)
    expect(holes).toEqual([])
  })

  test('and suppliers issue invoices in each but the first', async () => {
    const rows = await database.owner<{ code: string; months: string[] }[]>`
      select o.code, array_agg(distinct left(d.fields->>'invoice_date', 7)) as months
        from document d join organisation o on o.id = d.org_id
       where d.kind = 'outboundInvoice' and d.role = 'own' and d.red_of_id is null
         and d.state in ('reviewed', 'partial', 'completed')
       group by o.code order by o.code`
    expect(rows.map(({ code }) => code)).toEqual([...EVERY_MONTH.sold])
    const holes = rows.flatMap(({ code, months: found }) =>
      months.slice(1).flatMap(month => (found.includes(month) ? [] : [`${code} ${month}`])),
    )
    expect(holes).toEqual([])
  })
})
