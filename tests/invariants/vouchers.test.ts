import { afterAll, beforeAll, expect, test } from 'vitest'
import { add, compare, type Decimal, negate, subtract, sum } from '#kernel/values/decimal.ts'
import { monthVoucher } from '#modules/platform/reports/month-end/month-end.report.ts'
import { inOrganisation } from '#server/database/transaction.ts'
import { statementOf } from '#server/reports/report-sql.ts'
import { openTestServer, type TestServer } from '../support/test-server.ts'

/**
 * The vouchers of each month are whole: whoever enters them all has, beside what the ledger of goods and the ledger of
 * money say, the same figures, at every organisation and in every month of the demo.
 */
let server: TestServer
beforeAll(async () => {
  server = await openTestServer({}, { demo: true })
})
afterAll(() => server?.close())

type Row = {
  readonly account_code: string
  readonly account_name: string
  readonly debit: Decimal
  readonly credit: Decimal
  readonly document_no: string
}
type Month = { readonly org: string; readonly period: string }

const months = () => server.database.owner<Month[]>`
  select distinct org_id::text as org, to_char(at at time zone 'Asia/Shanghai', 'YYYY-MM') as period
    from (select org_id, at from stock_move union all select org_id, at from account_entry) x order by 1, 2`

async function vouchers({ org, period }: Month): Promise<readonly Row[]> {
  const { text, names } = statementOf(monthVoucher)
  const values: Readonly<Record<string, string>> = { organisation: org, period }
  return inOrganisation(server.database.app, org, '0', tx =>
    tx.unsafe<Row[]>(
      text,
      names.map(name => values[name]!),
    ),
  )
}

/** What the month brought to an account: debits less credits. */
const netOf = (rows: readonly Row[], ...codes: readonly string[]): Decimal =>
  rows
    .filter(row => codes.includes(row.account_code))
    .reduce((net, row) => add(net, subtract(row.debit, row.credit, 2), 2), '0.00')

/**
 * What a month changed of own goods at cost, by the ledger alone: `kept` in stores and under way between them,
 * `dispatched` with customers and lessors or on the way there; openings apart. What was granted to a ward whose goods
 * are spent then is not kept any more.
 */
async function worth({ org, period }: Month): Promise<Record<'kept' | 'dispatched', Decimal>> {
  const [row] = await server.database.owner<{ kept: Decimal; dispatched: Decimal }[]>`
    with month as (select (${period} || '-01')::date as day),
    span as (
      select day::timestamp at time zone 'Asia/Shanghai' as since,
        (day + interval '1 month') at time zone 'Asia/Shanghai' as until from month),
    placed as (
      select m.value, case
          when w.model = 'consumed' or w.accounting <> 'use' then 'spent'
          when w.model <> 'transit' then 'kept'
          when d.kind in ('transfer', 'grantOdo') then 'kept'
          when d.regime = 'consigned' or d.kind in ('bonePresale', 'boneBack') then 'dispatched'
          else 'spent' end as place
        from span join stock_move m on m.at >= span.since and m.at < span.until
        join document o on o.org_id = m.org_id and o.id = m.document_id and o.kind <> 'openingStock'
        join warehouse w on w.org_id = m.org_id and w.id = m.warehouse_id
        left join document d on w.model = 'transit' and d.org_id = m.org_id and d.role = 'own' and d.sn = m.location
          and not (d.kind = 'transfer' and d.counterparty_id is not null)
          and not (d.kind = 'grantOdo' and exists (select 1 from warehouse t where t.org_id = d.org_id
            and t.id = d.to_warehouse_id and t.accounting = 'issue'))
       where m.org_id = ${org} and m.owner_id = m.org_id
      union all
      select c.value, 'dispatched' from span join consigned_move c on c.at >= span.since and c.at < span.until
        join document o on o.org_id = c.org_id and o.id = c.document_id and o.kind <> 'openingStock'
       where c.org_id = ${org})
    select coalesce(sum(value) filter (where place = 'kept'), 0)::numeric(18,2)::text as kept,
      coalesce(sum(value) filter (where place = 'dispatched'), 0)::numeric(18,2)::text as dispatched from placed`
  return row!
}

test('each document balances, and leads back to itself', async () => {
  for (const month of await months())
    for (const [document, rows] of Map.groupBy(await vouchers(month), row => row.document_no)) {
      const total = (name: 'debit' | 'credit') =>
        sum(
          rows.map(row => row[name]),
          2,
        )
      expect([month.period, document, total('debit')]).toEqual([month.period, document, total('credit')])
    }
})

test('stock and dispatched goods change in the vouchers by what they change in the ledger of goods', async () => {
  const all = await months()
  expect(new Set(all.map(({ org }) => org)).size).toBeGreaterThan(5)
  const seen = new Set<string>()
  for (const month of all) {
    const rows = await vouchers(month)
    const { kept, dispatched } = await worth(month)
    expect([month, '1405', netOf(rows, '1405')]).toEqual([month, '1405', kept])
    expect([month, '1406', netOf(rows, '1406')]).toEqual([month, '1406', dispatched])
    for (const row of rows) seen.add(row.account_name)
  }
  // The demo has what there is to book.
  for (const name of ['主营业务成本', '业务活动费用-卫生材料费', '发出商品-已使用未结算', '待处理财产损溢-盘盈'])
    expect([...seen]).toContain(name)
})

test('accounts with partners change by what the ledger of money says', async () => {
  for (const month of await months()) {
    const rows = await vouchers(month)
    const entries = await server.database.owner<{ account: string; amount: Decimal }[]>`
      select e.account, sum(e.amount)::numeric(18,2)::text as amount
        from account_entry e join document d on d.org_id = e.org_id and d.id = e.document_id
       where e.org_id = ${month.org} and to_char(e.at at time zone 'Asia/Shanghai', 'YYYY-MM') = ${month.period}
         and d.kind not in ('openingReceivable', 'openingPayable') and e.account <> 'rounding'
       group by 1`
    const codes: Readonly<Record<string, string>> = {
      payable_estimated: '2202.02',
      payable_invoiced: '2202.01',
      prepaid: '1123',
      receivable_unbilled: '1122.02',
      receivable_invoiced: '1122.01',
      prereceived: '2203',
      allowance: '6603.02',
    }
    for (const { account, amount } of entries) {
      const owed = account.startsWith('payable') || account === 'prereceived'
      const booked = netOf(rows, codes[account]!)
      expect([month, account, owed ? negate(booked) : booked]).toEqual([month, account, amount])
    }
  }
})

test('the cost of sales is what the reports of what left say', async () => {
  const dealer = await server.as('dealer')
  const { org } = (
    await server.database.owner<{ org: string }[]>`select org_id::text as org from app_user where login = 'dealer'`
  )[0]!
  let sold: Decimal = '0.00'
  for (const month of (await months()).filter(each => each.org === org)) {
    const days = await server.database.owner<{ first: string; last: string }[]>`
      select (${month.period} || '-01')::date::text as first,
        ((${month.period} || '-01')::date + interval '1 month - 1 day')::date::text as last`
    const { list, code, msg } = await dealer.get('/v1/report/outboundVoucher', {
      begin_date: days[0]!.first,
      end_date: days[0]!.last,
      pageSize: '500',
    })
    expect([code, msg]).toEqual([0, expect.anything()])
    const reported = sum(
      (list as { account_name: string; debit: Decimal }[])
        .filter(row => row.account_name === '主营业务成本')
        .map(row => row.debit),
      2,
    )
    expect([month.period, netOf(await vouchers(month), '6401')]).toEqual([month.period, reported])
    sold = add(sold, reported, 2)
  }
  expect(compare(sold, '0')).toBe(1)
})
