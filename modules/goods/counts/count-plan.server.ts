import { type Day, isDay, today } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { createSystemDraft } from '#server/public/drafts.ts'
import { loadDocument, patchDocument } from '#server/public/documents.ts'
import { inOrganisation, type Tx } from '#server/public/database.ts'
import { systemSessionOf } from '#server/public/organisations.ts'
import type { RecordRow, RecordRules } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import { stockTake } from '#modules/goods/counts/stock-take.doc.ts'
import type { Sql } from 'postgres'

type Plan = {
  readonly id: string
  readonly warehouse_id: string
  readonly take_method: string
  readonly most_goods: number
  readonly last_count_no: string | null
}
type Classed = {
  readonly plan_id: string
  readonly specification_id: string
  readonly class: 'a' | 'b' | 'c'
  readonly is_due: boolean
}

/**
 * The goods in the stores of plans, classed by the value that left the store in a year, the highest first, and whether
 * they were last counted longer ago than their class allows. One statement for any number of plans and goods.
 */
const classed = (tx: Tx, org: string, plans: readonly string[]) => tx<Classed[]>`
  with plan as (
    select * from count_plan where org_id = ${org} and id = any(${plans as string[]}::bigint[])
  ), goods as (
    select distinct k.id as plan_id, k.warehouse_id, b.specification_id
      from plan k join stock_balance b on b.org_id = k.org_id and b.warehouse_id = k.warehouse_id and b.quantity > 0
  ), moved as (
    select g.plan_id, g.specification_id, coalesce(-sum(m.value), 0) as value
      from goods g left join stock_move m on m.org_id = ${org} and m.warehouse_id = g.warehouse_id
        and m.specification_id = g.specification_id and m.quantity < 0 and m.undo_of is null
        and m.at >= posting_now() - interval '1 year'
     group by 1, 2
  ), ranked as (
    select plan_id, specification_id, value, coalesce(
      (sum(value) over (partition by plan_id order by value desc, specification_id) - value) * 100
        / nullif(sum(value) over (partition by plan_id), 0), 100) as before
      from moved
  ), graded as (
    select r.plan_id, r.specification_id, r.value,
           case when r.value > 0 and r.before < k.share_a then 'a'
             when r.value > 0 and r.before < k.share_a + k.share_b then 'b' else 'c' end as class
      from ranked r join plan k on k.id = r.plan_id
  ), counted as (
    select k.id as plan_id, l.specification_id, max(d.business_date) as last
      from plan k join document d on d.org_id = k.org_id and d.warehouse_id = k.warehouse_id and d.kind = 'stockTake'
        and d.role = 'own' and d.state in ('reviewed', 'partial', 'completed', 'stopped')
      join document_line l on l.org_id = d.org_id and l.document_id = d.id
     group by 1, 2
  )
  select g.plan_id, g.specification_id, g.class,
    coalesce(c.last + case g.class when 'a' then k.days_a when 'b' then k.days_b else k.days_c end <= ${today()}::date,
      true) as is_due
    from graded g join plan k on k.id = g.plan_id
    left join counted c on c.plan_id = g.plan_id and c.specification_id = g.specification_id
   order by g.plan_id, g.class, c.last nulls first, g.value desc, g.specification_id`

/** A plan has one count under way: the next one begins when it is over. */
async function isUnderWay(tx: Tx, org: string, plan: Plan): Promise<boolean> {
  if (plan.last_count_no === null) return false
  const [open] = await tx`
    select 1 from document where org_id = ${org} and kind = 'stockTake' and role = 'own' and sn = ${plan.last_count_no}
      and state in ('draft', 'submitted', 'rejected')`
  return open !== undefined
}

/** Creates the count of the due goods; null if none are due, or the last count is still under way. */
async function countDue(tx: Tx, session: Session, plan: Plan): Promise<string | null> {
  const org = session.org.id
  if (await isUnderWay(tx, org, plan)) return null
  const due = (await classed(tx, org, [plan.id])).filter(goods => goods.is_due).slice(0, plan.most_goods)
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

/** 循环盘点生成: on its days each plan gets a count of the due goods, once a day. */
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
    const keys = rows.map(row => String(row.count_plan_sn))
    const goods = Map.groupBy(await classed(tx, session.org.id, keys), one => one.plan_id)
    return rows.map(row => {
      const mine = goods.get(String(row.count_plan_sn)) ?? []
      const number = (name: string) => mine.filter(one => one.class === name).length
      const figures = { goods_a: number('a'), goods_b: number('b'), goods_c: number('c') }
      return { ...row, ...figures, due_goods: mine.filter(one => one.is_due).length }
    })
  },
  actions: { generate },
}
