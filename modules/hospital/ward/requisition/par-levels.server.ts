import type { requisition } from '#modules/hospital/ward/requisition/requisition.doc.ts'
import type { ContextOf } from '#server/public/hooks.ts'
import { type Decimal, isPositive, plain, timesIn } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { draftFor } from '#modules/hospital/ward/requisition/draft-for.server.ts'
import type { Fragment } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type Context = ContextOf<typeof requisition>

/** The quantity of one specification that a ward's store should request. */
export type ParProposal = {
  readonly warehouse_id: string
  readonly department_id: string
  readonly source_id: string
  readonly specification_id: string
  readonly quantity: Decimal
}

type Asked = {
  /** Rows of the stores' lists, over `k`. */
  readonly which: Fragment
  /** True to propose everything below its upper limit, not only goods that reached their reorder point. */
  readonly upToMaximum?: boolean
}

const packOf = (tx: Tx): Fragment => tx`
  coalesce(nullif(k.pack_size, 0), (
    select min(g.size) from pack_template g
     where g.org_id = k.org_id and g.specification_id = k.stands_for_id and g.status = 'enabled'
       and k.replenishment = 'packs' and (g.department_id is null or g.department_id = w.department_id)), 1)`

/** The usable quantity in the store, and the requested quantity that did not come yet, drafts included. */
const onHandAndUnderWay = (tx: Tx, org: string): Fragment => tx`
  coalesce((select sum(b.available) from stock_on_hand b
    where b.org_id = ${org} and b.warehouse_id = k.warehouse_id
      and b.specification_id = any((select same_sizes(k.stands_for_id))::bigint[])), 0)
  + coalesce((select sum(greatest(l.base_quantity - coalesce(g.taken, 0), 0))
     from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
     left join line_progress g on g.org_id = l.org_id and g.document_id = l.document_id
       and g.line_no = l.line_no and g.purpose = 'ward_receive'
    where d.org_id = ${org} and d.kind = 'requisition' and d.role = 'own'
      and d.state in ('draft', 'submitted', 'reviewed', 'partial') and d.to_warehouse_id = k.warehouse_id
      and l.specification_id = any((select same_sizes(k.stands_for_id))::bigint[])), 0)`

/**
 * The quantities that wards' stores lack to their upper limits, in whole packs and at least one: the limit less the
 * stock there and the goods under way. Goods that nobody may request, or that are requested by hand, are left out.
 */
export async function parProposals(tx: Tx, session: Session, { which, upToMaximum }: Asked): Promise<ParProposal[]> {
  const org = session.org.id
  const mine = session.warehouses === 'all' ? tx`true` : tx`k.warehouse_id = any(${[...session.warehouses]}::bigint[])`
  const rows = await tx<(ParProposal & { source_id: string | null })[]>`
    with need as (
      select k.warehouse_id, w.department_id,
             coalesce(k.source_warehouse_id, (
               select c.id from warehouse c where c.org_id = ${org} and c.model = 'central' and c.status = 'enabled'
                order by c.id limit 1)) as source_id,
             k.stands_for_id as specification_id, k.reorder_point, k.max_quantity, ${packOf(tx)} as pack,
             ${onHandAndUnderWay(tx, org)} as have
        from stock_limit k
        join warehouse w on w.org_id = k.org_id and w.id = k.warehouse_id and w.model in ('ward', 'cabinet')
       where k.org_id = ${org} and k.replenishment <> 'manual' and w.department_id is not null and ${mine} and ${which})
    select n.warehouse_id, n.department_id, n.source_id, n.specification_id,
           (greatest(floor((n.max_quantity - n.have) / n.pack), 1) * n.pack)::numeric(18,3) as quantity
      from need n
      join hospital_product h on h.org_id = ${org} and h.specification_id = n.specification_id
        and h.status = 'enabled' and h.admission_state = 'admitted'
     where ${upToMaximum ? tx`true` : tx`n.have <= n.reorder_point`} and n.max_quantity > n.have
     order by n.warehouse_id, n.source_id, n.specification_id`
  return rows.filter(row => row.source_id !== null && isPositive(row.quantity))
}

/**
 * One requisition draft per asking and supplying store, in the caller's name where he may write them; returns their
 * numbers.
 */
export async function claimProposals(
  tx: Tx,
  session: Session,
  proposals: readonly ParProposal[],
  remark: string,
): Promise<string[]> {
  const made: string[] = []
  for (const lines of Map.groupBy(proposals, row => `${row.warehouse_id} ${row.source_id}`).values()) {
    const { department_id, source_id, warehouse_id } = lines[0]!
    const header = {
      department_inner_sn: department_id,
      warehouse_model_inner_sn: source_id,
      to_warehouse_model_inner_sn: warehouse_id,
      claim_type: 'refill',
      remark,
    }
    const wanted = lines.map(line => ({ specification_sn: line.specification_id, quantity: line.quantity }))
    made.push(await draftFor(tx, session, 'requisition', header, wanted))
  }
  return made
}

/** 按补货点生成: a requisition for what reached its reorder point, in one store or in all that the caller sees. */
export async function fromPar(tx: Tx, session: Session, body: Readonly<Record<string, unknown>>) {
  const store = (body.to_warehouse_model_inner_sn as string | null | undefined) ?? null
  const which = store === null ? tx`w.model = 'ward'` : tx`k.warehouse_id = ${store}`
  const short = await parProposals(tx, session, { which })
  if (short.length === 0) throw new BusinessError('rule', '没有低于补货点的科室库产品')
  const made = await claimProposals(tx, session, short, '按补货点生成')
  return { ...(made.length === 1 ? { sn: made[0] } : {}), result: `已生成${made.length}张申领单：${made.join('、')}` }
}

/**
 * Goods that a store gets in packs are requested in whole packs, and so is everything where the ward requests packs: of
 * the size in the store's list, else of the smallest template.
 */
export async function wholePacks({ tx, session, doc }: Context): Promise<void> {
  const [store, asksForPacks] = [doc.to_warehouse_model_inner_sn, doc.claim_type === 'pack']
  if (!store && !asksForPacks) return
  const sizes = [...new Set(doc.lines.map(line => line.specification_sn))]
  const packs = await tx<{ specification_id: string; pack: Decimal | null }[]>`
    select a.id as specification_id, coalesce(listed.pack, template.size) as pack
      from unnest(${sizes}::bigint[]) a(id)
      left join mapped_size z on z.specification_id = a.id
      left join lateral (
        select ${packOf(tx)} as pack from stock_limit k
          join warehouse w on w.org_id = k.org_id and w.id = k.warehouse_id
         where k.org_id = ${session.org.id} and k.warehouse_id = ${store}
           and k.stands_for_id = coalesce(z.stands_for_id, a.id) and k.replenishment = 'packs' limit 1) listed on true
      left join lateral (
        select min(t.size) as size from pack_template t
         where ${asksForPacks} and t.org_id = ${session.org.id} and t.specification_id = a.id and t.status = 'enabled'
           and t.pack_type = 'single'
           and (t.department_id is null or t.department_id = ${doc.department_inner_sn})) template on true`
  for (const line of doc.lines) {
    const pack = packs.find(row => row.specification_id === line.specification_sn)?.pack ?? null
    const say = (msg: string) =>
      new BusinessError('rule', msg, [{ line: line.line_no, field: pack ? 'quantity' : 'specification_sn', msg }])
    if (pack === null && asksForPacks) throw say(`第${line.line_no}行：该规格没有启用的定数包模板，请改用其他申领类型`)
    if (pack === null) continue
    if (timesIn(line.base_quantity, pack) === null)
      throw say(`第${line.line_no}行：数量必须为定数${plain(pack)}的整数倍`)
  }
}
