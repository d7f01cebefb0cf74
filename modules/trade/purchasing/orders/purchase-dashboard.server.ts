import { purchaseFlow } from '#modules/trade/purchasing/orders/purchase-dashboard.ts'
import type { FlowAsked, FlowFigures, ProcessChartHooks } from '#server/public/reports.ts'
import { documentScopeSql, type Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** Purchases of the period, the arrived share of what was due, and the largest suppliers: two statements. */
async function figures(tx: Tx, session: Session, { from, to, partner, mine }: FlowAsked): Promise<FlowFigures> {
  const orders = tx`
    select d.counterparty_id, d.business_date, d.state, l.base_quantity - coalesce(x.taken, 0) as base_quantity,
           coalesce(g.taken, 0) as received,
           coalesce(l.fields->>'expected_date', d.fields->>'expected_date') as due,
           ordered_worth(d.state, l.taxed_amount + l.rounding, l.base_quantity, g.taken, x.taken) as amount
      from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
      left join line_progress g on g.org_id = l.org_id and g.document_id = l.document_id and g.line_no = l.line_no
        and g.purpose = 'receive'
      left join line_progress x on x.org_id = l.org_id and x.document_id = l.document_id and x.line_no = l.line_no
        and x.purpose = 'stop'
     where d.org_id = ${session.org.id} and d.kind = 'purchaseOrder' and d.role = 'own'
       and d.state in ('reviewed', 'partial', 'completed', 'stopped') and ${documentScopeSql(tx, session)}
       and ${partner === null ? tx`true` : tx`d.counterparty_id = ${partner}`}
       and ${
         mine
           ? tx`(d.created_by = ${session.userId}
         or d.handler_id = (select u.employee_id from app_user u where u.id = ${session.userId}))`
           : tx`true`
       }`
  const [row] = await tx<Record<string, string | null>[]>`
    select coalesce(sum(o.amount) filter (where o.business_date between ${from} and ${to}),
      0)::numeric(18,2)::text as ordered_amount,
           (sum(least(o.received, o.base_quantity)) filter (where o.state <> 'stopped' and o.due
             between ${from} and ${to})
             / nullif(sum(o.base_quantity) filter (where o.state <> 'stopped' and o.due between ${from} and ${to}),
               0))::numeric(8,4)::text as arrival_rate
      from (${orders}) o`
  const bars = await tx<{ partner_sn: string; name: string; amount: string }[]>`
    select o.counterparty_id as partner_sn, c.name, sum(o.amount)::numeric(18,2)::text as amount
      from (${orders}) o join organisation c on c.id = o.counterparty_id where o.business_date between ${from} and ${to}
     group by 1, 2 order by sum(o.amount) desc limit 10`
  return { figures: row!, bars }
}

export const purchaseFlowRules: ProcessChartHooks = { flow: purchaseFlow, figures }
