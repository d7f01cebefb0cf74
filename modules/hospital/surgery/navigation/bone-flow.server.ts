import { addDays, today } from '#kernel/values/date.ts'
import { type Decimal, divide, isZero, sum } from '#kernel/values/decimal.ts'
import { boneFlow } from '#modules/hospital/surgery/navigation/bone-flow.ts'
import type { FlowAsked, FlowFigures, ProcessChartHooks } from '#server/public/reports.ts'
import type { Fragment } from '#server/public/records.ts'
import { documentScopeSql, type Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** Days that the strip of coming operations shows, and days of completed plans that the rate of use looks at. */
const COMING = 7
const LOOKED_AT = 182

/** A day of the strip: operations of a hospital, or with a supplier; how many of them are urgent. */
export type ComingDay = {
  readonly day: string
  readonly partner_sn: string
  readonly name: string
  readonly count: number
  readonly urgent: number
}
export type UsageMonth = { readonly month: string; readonly carried: string; readonly used: string }

/** Plans as their list shows them: a hospital's own; a supplier's copies and what he wrote himself. */
const plans = (tx: Tx, session: Session, { partner, mine }: FlowAsked): Fragment => tx`
  from document d where d.org_id = ${session.org.id} and d.kind = 'bonePlan'
    and ${session.org.type === 'H' ? tx`d.role = 'own'` : tx`d.role in ('own', 'counterparty')`}
    and d.state in ('submitted', 'reviewed', 'partial', 'completed') and ${documentScopeSql(tx, session)}
    and ${partner === null ? tx`true` : tx`${partner} in (d.counterparty_id, d.from_org_id)`}
    and ${
      mine
        ? tx`(d.created_by = ${session.userId}
      or d.handler_id = (select u.employee_id from app_user u where u.id = ${session.userId}))`
        : tx`true`
    }`

/** Used of carried, of all months together: 18 of 120 pieces are 0.1500; null while nothing was carried. */
export function usageRate(months: readonly UsageMonth[]): Decimal | null {
  const of = (name: 'carried' | 'used') =>
    sum(
      months.map(month => month[name]),
      3,
    )
  return isZero(of('carried')) ? null : divide(of('used'), of('carried'), 4)
}

const live = (tx: Tx) => tx`d.state in ('reviewed', 'partial')`
const dayOf = (tx: Tx, name: string) => tx`((d.fields->>${name})::timestamptz at time zone 'Asia/Shanghai')::date`

/** The quantities that went out with completed plans of ours and that were used, month by month. */
const usageByMonth = (tx: Tx, session: Session, { partner }: FlowAsked) => tx<UsageMonth[]>`
  select to_char(p.business_date, 'YYYY-MM') as month, sum(p.total_quantity)::numeric(18,3)::text as carried,
         sum(coalesce(g.taken, 0))::numeric(18,3)::text as used
    from document p
    join document d on d.org_id = p.org_id and d.id = p.source_document_id
    left join line_progress g on g.org_id = p.org_id and g.document_id = p.id and g.line_no = 0 and g.purpose = 'use'
   where p.org_id = ${session.org.id} and p.kind = 'bonePresale' and p.role = 'own' and p.state = 'completed'
     and d.kind = 'bonePlan' and d.state = 'completed' and ${documentScopeSql(tx, session)}
     and p.business_date >= ${addDays(today(), -LOOKED_AT)}::date
     and ${partner === null ? tx`true` : tx`p.counterparty_id = ${partner}`}
   group by 1 having sum(p.total_quantity) > 0 order by 1`

async function figures(tx: Tx, session: Session, asked: FlowAsked): Promise<FlowFigures> {
  const yesterday = addDays(today(), -1)
  const isTrader = session.org.type !== 'H'
  const [row] = await tx<Record<string, string>[]>`
    select count(*) filter (where ${dayOf(tx, 'surgery_at')} = ${today()}::date)::text as today_count,
           count(*) filter (where ${live(tx)} and coalesce(d.fields->>'pre_state', '1') = '1'
             and ${dayOf(tx, 'deliver_by')} <= ${yesterday}::date)::text as late_count,
           count(*) filter (where ${live(tx)} and coalesce(d.fields->>'use_state', '1') = '1'
             and ${dayOf(tx, 'surgery_at')} <= ${yesterday}::date)::text as unused_count
      ${plans(tx, session, asked)}`
  const [out] = isTrader
    ? await tx<Record<string, string>[]>`
        select (select count(*)::text from implant_kit k where k.org_id = ${session.org.id}
                 and k.out_plan_id is not null and ${ofStores(tx, session)}) as out_count,
               (select count(*)::text from tools_kit k where k.org_id = ${session.org.id}
                 and k.out_plan_id is not null and ${ofStores(tx, session)}) as out_sets,
               (select count(*)::text from implant_kit k where k.org_id = ${session.org.id}
                 and k.out_plan_id is not null and k.due_back_on < ${today()}::date
                 and ${ofStores(tx, session)}) as overdue_count`
    : []
  const months = isTrader ? await usageByMonth(tx, session, asked) : []
  const rate = isTrader ? { usage_rate: usageRate(months) } : {}
  return {
    figures: { ...row!, ...out, ...rate },
    bars: [],
    more: { coming: await comingDays(tx, session, asked), months },
  }
}

const ofStores = (tx: Tx, session: Session): Fragment =>
  session.warehouses === 'all' ? tx`true` : tx`k.warehouse_id = any(${[...session.warehouses]}::bigint[])`

const comingDays = (tx: Tx, session: Session, asked: FlowAsked) => tx<ComingDay[]>`
  select x.day::text as day, x.partner as partner_sn, o.name, count(*)::int as count,
         count(*) filter (where x.urgent)::int as urgent
    from (select ${dayOf(tx, 'surgery_at')} as day, d.fields->>'surgery_type' = 'emergency' as urgent,
                 case when d.role = 'own' then d.counterparty_id else d.from_org_id end as partner
            ${plans(tx, session, asked)}) x
    join organisation o on o.id = x.partner
   where x.day between ${today()}::date and ${addDays(today(), COMING - 1)}::date
   group by 1, 2, 3 order by 1, 3`

export const boneFlowRules: ProcessChartHooks = {
  flow: boneFlow({ today: today(), yesterday: addDays(today(), -1) }),
  figures,
}
