import { compare, plain, subtract } from '#kernel/values/decimal.ts'
import type { Problem } from '#kernel/rules/errors.ts'
import { areaKinds } from '#modules/base/vocabulary/storage-conditions.ts'
import type { RecordRow } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** Areas in which goods of several tenants may wait side by side. */
const SHARED = ['pending', 'returned']
/** Areas that cannot be leased. */
const NEVER_LET = ['unqualified', 'stopped']

type Line = {
  readonly id: string | null
  readonly after: Readonly<RecordRow>
  /** The contract's last day, where it is about to change. */
  readonly until?: string
}
type Facts = {
  valid_from: string
  valid_to: string
  stopped_on: string | null
  contract_warehouse: string
  code: string
  area_kind: keyof typeof areaKinds
  area_m2: string
  warehouse_id: string
  status: string
  twice: string | null
  busiest: string
}

/**
 * Refuses a lease line unless it is within the contract's days and warehouse, of an area that may be leased, no larger
 * than the free part on the fullest of those days, and the tenant's only one there at a time. Leases of one area are
 * written one after the other.
 */
export async function checkLine(tx: Tx, session: Session, { id, after, until }: Line): Promise<readonly Problem[]> {
  const org = session.org.id
  const end = (after.end_on as string | null) ?? until ?? null
  await tx`select 1 from lease_area where org_id = ${org} and id = ${String(after.lease_area_sn)} for update`
  const [row] = await tx<Facts[]>`
    with wanted as (
      select c.*, a.code, a.area_kind, a.area_m2, a.warehouse_id as of_warehouse, a.status as area_status,
             a.id as area_id, coalesce(${end}::date, c.valid_to) as until
        from lease_contract c join lease_area a on a.org_id = c.org_id and a.id = ${String(after.lease_area_sn)}
       where c.org_id = ${org} and c.id = ${String(after.lease_contract_sn)}),
    beside as (
      select l.start_on, least(coalesce(l.end_on, c.valid_to), coalesce(c.stopped_on, c.valid_to)) as until, l.area_m2,
             c.lessee_id, c.contract_no
        from wanted n
        join lease_line l on l.org_id = ${org} and l.lease_area_id = n.area_id and l.id is distinct from ${id}
        join lease_contract c on c.org_id = l.org_id and c.id = l.lease_contract_id
       where l.start_on <= n.until
         and least(coalesce(l.end_on, c.valid_to), coalesce(c.stopped_on, c.valid_to)) >=
           ${String(after.start_on)}::date)
    select n.valid_from::text, n.valid_to::text, n.stopped_on::text, n.warehouse_id as contract_warehouse, n.code,
           n.area_kind, n.area_m2::text, n.of_warehouse as warehouse_id, n.area_status as status,
           (select b.contract_no from beside b where b.lessee_id = n.lessee_id limit 1) as twice,
           -- The fullest day is the first of the period or one on which something else begins.
           (select coalesce(max(x.taken), 0)::text from (
              select (select sum(b.area_m2) from beside b where b.start_on <= s.day and b.until >= s.day) as taken
                from (select ${String(after.start_on)}::date as day union select b.start_on from beside b
                       where b.start_on > ${String(after.start_on)}::date) s) x) as busiest
      from wanted n`
  if (!row) return [{ field: 'lease_contract_sn', msg: '请选择租赁合同和库区' }]
  if (row.stopped_on) return [{ field: 'lease_contract_sn', msg: '该合同已停租' }]
  if (row.contract_warehouse !== row.warehouse_id)
    return [{ field: 'lease_area_sn', msg: `库区${row.code}不在合同的租赁仓库中` }]
  if (row.status !== 'enabled') return [{ field: 'lease_area_sn', msg: `库区${row.code}已停用` }]
  if (NEVER_LET.includes(row.area_kind))
    return [{ field: 'lease_area_sn', msg: `库区${row.code}为${areaKinds[row.area_kind]}，不能出租` }]
  const last = end ?? row.valid_to
  if (String(after.start_on) < row.valid_from || last > (until ?? row.valid_to))
    return [{ field: 'start_on', msg: `租期应在合同期内（${row.valid_from}至${until ?? row.valid_to}）` }]
  if (row.twice) return [{ field: 'lease_area_sn', msg: `该承租方在库区${row.code}的租期重叠（合同${row.twice}）` }]
  if (SHARED.includes(row.area_kind)) return []
  const free = subtract(row.area_m2, row.busiest, 3)
  if (compare(String(after.area_m2), free) <= 0) return []
  return [{ field: 'area_m2', msg: `库区${row.code}剩余可租面积${compare(free, '0') < 0 ? '0' : plain(free)}㎡` }]
}

/** Lines that end with a contract are extended with it: their areas must be free until then. */
export async function checkUntil(
  tx: Tx,
  session: Session,
  contract: string,
  until: string,
): Promise<Problem | undefined> {
  const lines = await tx<RecordRow[]>`
    select l.id as lease_line_sn, l.lease_contract_id as lease_contract_sn, l.lease_area_id as lease_area_sn,
           l.area_m2::text, l.start_on::text, null as end_on
      from lease_line l where l.org_id = ${session.org.id} and l.lease_contract_id = ${contract} and l.end_on is null
     order by l.lease_area_id, l.id`
  for (const line of lines) {
    const [problem] = await checkLine(tx, session, { id: String(line.lease_line_sn), after: line, until })
    if (problem) return problem
  }
  return undefined
}
