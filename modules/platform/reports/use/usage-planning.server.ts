import { BusinessError } from '#kernel/rules/errors.ts'
import { logOperation } from '#server/public/audit.ts'
import type { Tx } from '#server/public/database.ts'
import type { ReportCall, ReportRules } from '#server/public/reports.ts'
import type { Session } from '#server/public/session.ts'

type Proposal = { specification_sn: string; department_sn: string; low: string; high: string }
type Place = Proposal & {
  department_name: string
  product_name: string
  stores: string[]
  /** Rows of the stores' lists that say its limits today. */
  rows: { id: string; warehouse_id: string; low: string; high: string }[]
}

/** The stores of each department, with the limits of the goods in their lists today. */
const placesOf = (tx: Tx, org: string, proposals: readonly Proposal[]) => tx<Place[]>`
  select a.*, d.name as department_name, p.name as product_name,
         coalesce((select array_agg(w.id order by w.id) from warehouse w where w.org_id = ${org}
           and w.department_id = a.department_sn and w.model = 'ward' and w.status = 'enabled'), '{}') as stores,
         coalesce((select jsonb_agg(jsonb_build_object('id', k.id::text, 'warehouse_id', k.warehouse_id::text,
             'low', k.min_quantity::text, 'high', k.max_quantity::text))
           from stock_limit k join warehouse w on w.org_id = k.org_id and w.id = k.warehouse_id
          where k.org_id = ${org} and w.department_id = a.department_sn
            and k.stands_for_id = coalesce(z.stands_for_id, a.specification_sn)), '[]'::jsonb) as rows
    from jsonb_to_recordset(${tx.json(proposals)})
           as a(specification_sn bigint, department_sn bigint, low numeric, high numeric)
    join department d on d.org_id = ${org} and d.id = a.department_sn
    join specification s on s.id = a.specification_sn join product p on p.id = s.product_id
    left join mapped_size z on z.specification_id = a.specification_sn`

/** The store whose list gets the limits: the one that has the goods already, else the department's only store. */
function storeOf(place: Place): string {
  const [only, ...others] = place.rows.length > 0 ? place.rows.map(row => row.warehouse_id) : place.stores
  if (only !== undefined && others.length === 0) return only
  const why = only === undefined ? '没有启用的科室库' : '有多个仓库，请在仓库产品中分别设置'
  throw new BusinessError('rule', `【${place.department_name}】${why}：${place.product_name}`)
}

/** One statement for all of them; what the limits were and are is one entry of the operation log. */
async function write(tx: Tx, session: Session, places: readonly Place[]): Promise<void> {
  const given = places.map(place => ({
    store: storeOf(place),
    specification: place.specification_sn,
    row: place.rows[0]?.id ?? null,
    low: place.low,
    high: place.high,
  }))
  await tx`
    select keep_limits(${session.org.id}, array(
      select k.id from warehouse_product k
        join jsonb_to_recordset(${tx.json(given)}) as a(store bigint, specification bigint, row bigint)
          on k.warehouse_id = a.store and (k.id = a.row or k.specification_id = a.specification)
       where k.org_id = ${session.org.id}))`
  await tx`
    insert into warehouse_product (org_id, warehouse_id, specification_id, min_quantity, reorder_point, max_quantity)
    select ${session.org.id}, a.store, coalesce(k.specification_id, a.specification), a.low, a.low, a.high
      from jsonb_to_recordset(${tx.json(given)}) as a(store bigint, specification bigint, row bigint, low numeric,
        high numeric)
      left join warehouse_product k on k.org_id = ${session.org.id} and k.id = a.row
    on conflict (org_id, warehouse_id, specification_id) do update
      set min_quantity = excluded.min_quantity, reorder_point = excluded.reorder_point,
        max_quantity = excluded.max_quantity, limits_since = posting_now(), status = 'enabled',
        version = warehouse_product.version + 1`
  const said = ({ department_name, product_name }: Place, low: string, high: string) =>
    `${department_name} ${product_name}：${low}-${high}`
  await logOperation(tx, session, {
    subject: 'warehouseProduct',
    action: 'edit',
    actionName: '应用建议上下限',
    key: null,
    before: { limits: places.map(place => said(place, place.rows[0]?.low ?? '无', place.rows[0]?.high ?? '无')) },
    after: { limits: places.map(place => said(place, place.low, place.high)) },
  })
}

/** 应用建议上下限: the proposed limits become those of the departments' stores; each change is in the operation log. */
const applyLimits: ReportCall = async ({ tx, session, rows }) => {
  const proposals = rows.flatMap((row): Proposal[] =>
    row.proposed_low && row.department_sn
      ? [
          {
            specification_sn: String(row.specification_sn),
            department_sn: String(row.department_sn),
            low: String(row.proposed_low),
            high: String(row.proposed_high),
          },
        ]
      : [],
  )
  if (proposals.length === 0) throw new BusinessError('rule', '所选产品用量偶发，没有建议上下限')
  const places = await placesOf(tx, session.org.id, proposals)
  await write(tx, session, places)
  const idle = rows.length - places.length
  return { said: `已更新${places.length}行的上下限${idle > 0 ? `；${idle}行用量偶发，没有建议值` : ''}` }
}

export const usagePlanningRules: ReportRules = { kind: 'usagePlanning', calls: { applyLimits } }
