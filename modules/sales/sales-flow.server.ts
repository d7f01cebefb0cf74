import { addDays, today } from '#kernel/values/date.ts'
import { overdueReceivable } from '#modules/sales/overdue.server.ts'
import { salesFlow } from '#modules/sales/sales-flow.ts'
import type { Fragment } from '#server/public/records.ts'
import type { FlowAsked, FlowFigures, ProcessChartHooks } from '#server/public/reports.ts'
import { isRestricted, documentScopeSql, type Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

const TREND_DAYS = 30

/**
 * What was ordered and sold in the period, how much of what was due was shipped, what is late, what is still to be
 * invoiced and paid.
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
  // Returns count on the day of their review; reversals on their own day, with their own sign.
  const sold = tx`
    select d.counterparty_id,
      case when d.kind = 'saleReturn'
      then coalesce((d.reviewed_at at time zone 'Asia/Shanghai')::date, d.business_date)
      else d.business_date end as business_date, case when d.kind = 'saleReturn' then -d.taxed_amount
      else d.taxed_amount end as amount
      from document d where ${here} and d.kind in ('saleOdo', 'saleReturn') and d.regime is distinct
        from 'consigned' and d.state in ('reviewed', 'partial', 'completed', 'reversed')`
  // Balances are not kept by salesperson: users who see only some documents see what the customers of these owe.
  const customer = (column: Fragment): Fragment =>
    partner === null && !asked.mine && !isRestricted(session)
      ? tx`true`
      : tx`${column} in (select d.counterparty_id from document d
        where ${here} and d.kind in ('salesOrder', 'saleOdo'))`
  const theirs = customer(tx`b.counterparty_id`)
  const [row] = await tx<Record<string, string | null>[]>`
    with line as (
      select d.business_date, d.state, l.base_quantity, coalesce(g.taken, 0) as shipped,
        coalesce(l.fields->>'expected_date', d.fields->>'expected_date') as due,
             case when d.state = 'stopped'
               then round(l.taxed_amount * least(coalesce(g.taken, 0) / nullif(l.base_quantity, 0), 1), 2)
               else l.taxed_amount end as amount
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
           (select coalesce(sum(s.amount) filter (where s.business_date between ${from} and ${to}),
             0)::numeric(18,2)::text from (${sold}) s) as sold_amount,
           (select coalesce(sum(b.amount) filter (where b.account = 'receivable_unbilled'), 0)::numeric(18,2)::text
             from account_balance b
             where b.org_id = ${org} and ${theirs}) as unbilled_amount,
           (select coalesce(sum(b.amount) filter (where b.account in ('receivable_unbilled', 'receivable_invoiced')),
             0)::numeric(18,2)::text from account_balance b
             where b.org_id = ${org} and ${theirs}) as receivable_amount
      from line l`
  const bars = await tx<{ partner_sn: string; name: string; amount: string }[]>`
    select s.counterparty_id as partner_sn, c.name, sum(s.amount)::numeric(18,2)::text as amount from (${sold}) s
      join organisation c on c.id = s.counterparty_id
     where s.business_date between ${from} and ${to} group by 1, 2 having sum(s.amount) > 0 order by sum(s.amount) desc
       limit 10`
  const first = addDays(today(), 1 - TREND_DAYS)
  const days = await tx<{ day: string; amount: string }[]>`
    select s.business_date::text as day, sum(s.amount)::numeric(18,2)::text as amount from (${sold}) s
      where s.business_date between ${first} and ${today()} group by 1 order by 1`
  const trend = Array.from({ length: TREND_DAYS }, (_, at) => {
    const day = addDays(first, at)
    return { day, amount: days.find(each => each.day === day)?.amount ?? '0.00' }
  })
  const late = await overdueReceivable(tx, org, customer(tx`d.counterparty_id`))
  return { figures: { ...row!, overdue_amount: late?.owed ?? '0.00' }, bars, trend }
}

export const salesFlowRules: ProcessChartHooks = { flow: salesFlow, figures }
