import { type Day, isDay, today } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { createSystemDraft } from '#server/public/drafts.ts'
import { loadDocument, patchDocument } from '#server/public/documents.ts'
import { inOrganisation, type Tx } from '#server/public/database.ts'
import { systemSessionOf } from '#server/public/organisations.ts'
import type { RecordRow, RecordRules } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import { stockTake } from '#modules/counts/stock-take.doc.ts'
import type { Sql } from 'postgres'

type Plan = {
  readonly id: string
  readonly warehouse_id: string
  readonly take_method: string
  readonly most_goods: number
  readonly last_count_no: string | null
}
type Classed = { readonly specification_id: string; readonly class: 'a' | 'b' | 'c'; readonly is_due: boolean }

/**
 * The goods in the stores of plans, classed by the value that left each store in a year, the highest first, and
 * whether they were last counted longer ago than their class allows. One statement for any number of goods.
 */
const classed = (tx: Tx, org: string, plan: string) => tx<Classed[]>`
  with moved as (
    select b.specification_id, coalesce(-sum(m.value), 0) as value
      from (select distinct b.specification_id, k.warehouse_id from count_plan k
              join stock_balance b on b.org_id = k.org_id and b.warehouse_id = k.warehouse_id and b.quantity > 0
             where k.org_id = ${org} and k.id = ${plan}) b
      left join stock_move m on m.org_id = ${org} and m.warehouse_id = b.warehouse_id
        and m.specification_id = b.specification_id and m.quantity < 0 and m.undo_of is null
        and m.at >= posting_now() - interval '1 year'
     group by b.specification_id
  ), ranked as (
    select specification_id, value, coalesce(
      (sum(value) over (order by value desc, specification_id) - value) / nullif(sum(value) over (), 0), 1) as before
      from moved
  ), counted as (
    select l.specification_id, max(d.business_date) as last
      from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
      join count_plan k on k.org_id = d.org_id and k.warehouse_id = d.warehouse_id and k.id = ${plan}
     where d.org_id = ${org} and d.kind = 'stockTake' and d.role = 'own'
       and d.state in ('reviewed', 'partial', 'completed', 'stopped')
     group by 1
  )
  select x.specification_id, x.class, coalesce(c.last + x.days <= ${today()}::date, true) as is_due
    from (select r.specification_id, r.value, k.days_a, k.days_b, k.days_c,
            case when r.value > 0 and r.before * 100 < k.share_a then 'a'
              when r.value > 0 and r.before * 100 < k.share_a + k.share_b then 'b' else 'c' end as class,
            case when r.value > 0 and r.before * 100 < k.share_a then k.days_a
              when r.value > 0 and r.before * 100 < k.share_a + k.share_b then k.days_b else k.days_c end as days
            from ranked r join count_plan k on k.org_id = ${org} and k.id = ${plan}) x
    left join counted c on c.specification_id = x.specification_id
   order by x.class, c.last nulls first, x.value desc, x.specification_id`

/** A plan has one count under way: the next one begins when it is over. */
async function isUnderWay(tx: Tx, org: string, plan: Plan): Promise<boolean> {
  if (plan.last_count_no === null) return false
  const [open] = await tx`
    select 1 from document where org_id = ${org} and kind = 'stockTake' and role = 'own' and sn = ${plan.last_count_no}
      and state in ('draft', 'submitted', 'rejected')`
  return open !== undefined
}

/** The count of what is due; null where nothing is, or the last one is still under way. */
async function countDue(tx: Tx, session: Session, plan: Plan): Promise<string | null> {
  const org = session.org.id
  if (await isUnderWay(tx, org, plan)) return null
  const due = (await classed(tx, org, plan.id)).filter(goods => goods.is_due).slice(0, plan.most_goods)
  if (due.length === 0) return null
  const header = {
    warehouse_model_inner_sn: plan.warehouse_id,
    take_type: 'cycle',
    take_method: plan.take_method,
    plan_date: today(),
  }
  const sn = await createSystemDraft(tx, session, 'stockTake', header, [])
  const doc = await loadDocument(tx, org, stockTake, sn)
  const scope = { count_plan_sn: plan.id, cycle_goods: due.map(goods => goods.specification_id) }
  await patchDocument(tx, session, doc, scope, 'withAction')
  await tx`update count_plan set last_on = ${today()}, last_count_no = ${sn}, version = version + 1
    where org_id = ${org} and id = ${plan.id}`
  return sn
}

const weekday = (day: Day): number => new Date(`${day}T00:00:00Z`).getUTCDay()
const isPlanned: Readonly<Record<string, (day: Day) => boolean>> = {
  daily: isDay,
  workdays: day => weekday(day) >= 1 && weekday(day) <= 5,
  weekly: day => weekday(day) === 1,
  monthly: day => day.endsWith('-01'),
}

/** 循环盘点生成: on its days each plan gets a count of what is due, once a day. */
export async function countByPlan(owner: Sql): Promise<number> {
  const plans = await owner<(Plan & { org_id: string; calendar: string })[]>`
    select org_id, id, warehouse_id, take_method, most_goods, last_count_no, calendar from count_plan
     where status = 'enabled' and last_on is distinct from ${today()}::date order by org_id, id`
  let made = 0
  for (const plan of plans) {
    if (!isPlanned[plan.calendar]?.(today())) continue
    const session = await systemSessionOf(owner, plan.org_id)
    if ((await inOrganisation(owner, plan.org_id, '0', tx => countDue(tx, session, plan))) !== null) made++
  }
  return made
}

async function generate(tx: Tx, session: Session, row: Readonly<RecordRow>): Promise<RecordRow> {
  const sn = await countDue(tx, session, {
    id: String(row.count_plan_sn),
    warehouse_id: String(row.warehouse_model_inner_sn),
    take_method: String(row.take_method),
    most_goods: row.most_goods as number,
    last_count_no: (row.last_count_no as string | null) ?? null,
  })
  if (sn === null) throw new BusinessError('rule', '没有到期需要盘点的品规，或上次生成的盘点单尚未审核')
  return { last_on: today(), last_count_no: sn }
}

export const countPlanRules: RecordRules = {
  kind: 'countPlan',
  table: 'count_plan',
  columns: tx => ({
    goods_a: tx`null::int`,
    goods_b: tx`null::int`,
    goods_c: tx`null::int`,
    due_goods: tx`null::int`,
  }),
  complete: async (tx, session, rows) => {
    const shown: RecordRow[] = []
    for (const row of rows) {
      const goods = await classed(tx, session.org.id, String(row.count_plan_sn))
      const number = (name: string) => goods.filter(one => one.class === name).length
      const figures = { goods_a: number('a'), goods_b: number('b'), goods_c: number('c') }
      shown.push({ ...row, ...figures, due_goods: goods.filter(one => one.is_due).length })
    }
    return shown
  },
  actions: { generate },
}
