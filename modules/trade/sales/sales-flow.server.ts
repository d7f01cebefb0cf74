import { addDays, type Day, today } from '#kernel/values/date.ts'
import { compare, type Decimal, isPositive, sum } from '#kernel/values/decimal.ts'
import { narrowed } from '#kernel/wall/flow-leads.ts'
import { measures } from '#modules/base/measures/measures.ts'
import { salesFlow } from '#modules/trade/sales/sales-flow.ts'
import {
  type FlowAsked,
  type FlowFigures,
  measured,
  measuredBy,
  type MeasuredDays,
  type ProcessChartHooks,
} from '#server/public/reports.ts'
import { documentScopeSql, type Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

const TREND_DAYS = 30
const MOST_BARS = 10

type Sold = Readonly<Record<string, string | null>> & { readonly amount: Decimal }

const amountsBy = (rows: readonly Sold[], keyOf: (row: Sold) => string): [string, Decimal][] =>
  [...Map.groupBy(rows, keyOf)].map(([key, all]) => [
    key,
    sum(
      all.map(({ amount }) => amount),
      2,
    ),
  ])

/** The measures of what the chosen customers owe now, by the name of each amount on the page. */
const OWED = {
  unbilled_amount: measures.receivableUnbilled,
  receivable_amount: measures.receivable,
  overdue_amount: measures.overdueReceivable,
} as const

/**
 * The figures of a period: quantities ordered and sold, the share of due orders that was shipped, and what is still to
 * be invoiced and paid. What is sold and owed are measures, read under the filters of the pages behind
 * them.
 */
async function figures(tx: Tx, session: Session, asked: FlowAsked): Promise<FlowFigures> {
  const { from, to, partner } = asked
  const mine = asked.mine
    ? tx`(d.created_by = ${session.userId}
      or d.handler_id = (select u.employee_id from app_user u where u.id = ${session.userId}))`
    : tx`true`
  const [row] = await tx<Record<string, string | null>[]>`
    with line as (
      select d.business_date, d.state, l.base_quantity - coalesce(x.taken, 0) as base_quantity,
        coalesce(g.taken, 0) as shipped,
        coalesce(l.fields->>'expected_date', d.fields->>'expected_date') as due,
             ordered_worth(d.state, l.taxed_amount + l.rounding, l.base_quantity, g.taken, x.taken) as amount
        from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
        left join line_progress g on g.org_id = l.org_id and g.document_id = l.document_id and g.line_no = l.line_no
          and g.purpose = 'ship'
        left join line_progress x on x.org_id = l.org_id and x.document_id = l.document_id and x.line_no = l.line_no
          and x.purpose = 'stop'
       where d.org_id = ${session.org.id} and d.role = 'own' and ${documentScopeSql(tx, session)} and ${mine}
         and ${partner === null ? tx`true` : tx`d.counterparty_id = ${partner}`}
         and d.kind = 'salesOrder' and d.state in ('reviewed', 'partial', 'completed', 'stopped'))
    select coalesce(sum(l.amount) filter (where l.business_date between ${from} and ${to}),
      0)::numeric(18,2)::text as ordered_amount,
           (sum(least(l.shipped, l.base_quantity)) filter (where l.state <> 'stopped' and l.due
             between ${from} and ${to})
             / nullif(sum(l.base_quantity) filter (where l.state <> 'stopped' and l.due between ${from} and ${to}),
               0))::numeric(8,4)::text as fill_rate
      from line l`
  const first = addDays(today(), 1 - TREND_DAYS)
  const soldBy = (days: MeasuredDays, by: readonly string[]) =>
    measuredBy(tx, session, measures.sold, { ...days, ...narrowed(measures.sold.of, asked) }, by)
  const now = { begin_date: today(), end_date: today() }
  const [sold, lately, owed] = await Promise.all([
    soldBy({ begin_date: from as Day, end_date: to as Day }, ['counterparty_sn', 'receiver_name']),
    soldBy({ begin_date: first, end_date: today() }, ['day']),
    measured(tx, session, Object.values(OWED), { ...now, ...narrowed(measures.receivable.of, asked) }),
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
  const owedNow = Object.fromEntries(
    Object.entries(OWED).map(([name, measure]) => [name, owed.get(measure.name) ?? null]),
  )
  return { figures: { ...row!, sold_amount, ...owedNow }, bars, trend }
}

export const salesFlowRules: ProcessChartHooks = { flow: salesFlow, figures }
