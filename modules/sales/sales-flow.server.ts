import { kindsAdding } from '#kernel/measure/feeding.ts'
import { addDays, type Day, today } from '#kernel/values/date.ts'
import { compare, type Decimal, isPositive, sum } from '#kernel/values/decimal.ts'
import { measures } from '#modules/measures/measures.ts'
import { overdueReceivable } from '#modules/sales/overdue.server.ts'
import { salesFlow } from '#modules/sales/sales-flow.ts'
import { employeeOf } from '#server/public/organisations.ts'
import type { Fragment } from '#server/public/records.ts'
import {
  type FlowAsked,
  type FlowFigures,
  measuredBy,
  type MeasuredDays,
  type ProcessChartHooks,
} from '#server/public/reports.ts'
import { isRestricted, documentScopeSql, type Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

const TREND_DAYS = 30
const MOST_BARS = 10

type Sold = Readonly<Record<string, string | null>> & { readonly amount: Decimal }

/** 销售额, the measure, by these columns: of the chosen customer, and of the orders that the reader wrote or handles. */
async function salesOf(
  tx: Tx,
  session: Session,
  { partner, mine }: FlowAsked,
  days: MeasuredDays,
  by: readonly string[],
): Promise<readonly Sold[]> {
  const where = partner === null ? {} : { counterparty_sn: partner }
  if (!mine) return measuredBy(tx, session, measures.sold, { ...days, ...where }, by)
  const employee = await employeeOf(tx, session)
  const rows = await measuredBy(tx, session, measures.sold, { ...days, ...where }, [...by, 'author_sn', 'handler_sn'])
  return rows.filter(row => row.author_sn === session.userId || (employee && row.handler_sn === employee))
}

const amountsBy = (rows: readonly Sold[], keyOf: (row: Sold) => string): [string, Decimal][] =>
  [...Map.groupBy(rows, keyOf)].map(([key, all]) => [
    key,
    sum(
      all.map(({ amount }) => amount),
      2,
    ),
  ])

/**
 * The figures of a period: quantities ordered and sold, the share of due orders that was shipped, late orders, and what
 * is still to be invoiced and paid.
 */
async function figures(tx: Tx, session: Session, asked: FlowAsked): Promise<FlowFigures> {
  const { from, to, partner } = asked
  const org = session.org.id
  const mine = asked.mine
    ? tx`(d.created_by = ${session.userId}
      or d.handler_id = (select u.employee_id from app_user u where u.id = ${session.userId}))`
    : tx`true`
  const here = tx`d.org_id = ${org} and d.role = 'own' and ${documentScopeSql(tx, session)} and ${mine}
    and ${partner === null ? tx`true` : tx`d.counterparty_id = ${partner}`}`
  // Balances are not kept by salesperson: users who see only some documents see what the customers of these owe.
  const customer = (column: Fragment): Fragment =>
    partner === null && !asked.mine && !isRestricted(session)
      ? tx`true`
      : tx`${column} in (select d.counterparty_id from document d
        where ${here} and d.kind = any(${kindsAdding('ordered_here', 'shipped')}))`
  const theirs = customer(tx`b.counterparty_id`)
  const [row] = await tx<Record<string, string | null>[]>`
    with line as (
      select d.business_date, d.state, l.base_quantity, coalesce(g.taken, 0) as shipped,
        coalesce(l.fields->>'expected_date', d.fields->>'expected_date') as due,
             ordered_worth(d.state, l.taxed_amount + l.rounding, l.base_quantity, g.taken) as amount
        from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
        left join line_progress g on g.org_id = l.org_id and g.document_id = l.document_id and g.line_no = l.line_no
          and g.purpose = 'ship'
       where ${here} and d.kind = 'salesOrder' and d.state in ('reviewed', 'partial', 'completed', 'stopped'))
    select coalesce(sum(l.amount) filter (where l.business_date between ${from} and ${to}),
      0)::numeric(18,2)::text as ordered_amount,
           (sum(least(l.shipped, l.base_quantity)) filter (where l.state <> 'stopped' and l.due
             between ${from} and ${to})
             / nullif(sum(l.base_quantity) filter (where l.state <> 'stopped' and l.due between ${from} and ${to}),
               0))::numeric(8,4)::text as fill_rate,
           (count(*) filter (where l.state in ('reviewed', 'partial') and l.due < ${today()}
             and l.base_quantity > l.shipped))::text as overdue_lines,
           (select coalesce(sum(b.amount) filter (where b.account = 'receivable_unbilled'), 0)::numeric(18,2)::text
             from account_balance b
             where b.org_id = ${org} and ${theirs}) as unbilled_amount,
           (select coalesce(sum(b.amount) filter (where b.account in ('receivable_unbilled', 'receivable_invoiced')),
             0)::numeric(18,2)::text from account_balance b
             where b.org_id = ${org} and ${theirs}) as receivable_amount
      from line l`
  const first = addDays(today(), 1 - TREND_DAYS)
  const [sold, lately] = await Promise.all([
    salesOf(tx, session, asked, { begin_date: from as Day, end_date: to as Day }, ['counterparty_sn', 'receiver_name']),
    salesOf(tx, session, asked, { begin_date: first, end_date: today() }, ['day']),
  ])
  const bars = amountsBy(sold, row => row.counterparty_sn!)
    .filter(([, amount]) => isPositive(amount))
    .toSorted(([, one], [, other]) => compare(other, one))
    .slice(0, MOST_BARS)
    .map(([partner_sn, amount]) => ({
      partner_sn,
      name: sold.find(row => row.counterparty_sn === partner_sn)!.receiver_name ?? '',
      amount,
    }))
  const byDay = new Map(amountsBy(lately, row => row.day!))
  const trend = Array.from({ length: TREND_DAYS }, (_, at) => {
    const day = addDays(first, at)
    return { day, amount: byDay.get(day) ?? '0.00' }
  })
  const sold_amount = sum(
    sold.map(row => row.amount),
    2,
  )
  const late = await overdueReceivable(tx, org, customer(tx`i.counterparty_id`))
  return { figures: { ...row!, sold_amount, overdue_amount: late.owed }, bars, trend }
}

export const salesFlowRules: ProcessChartHooks = { flow: salesFlow, figures }
