import { BusinessError } from '#kernel/rules/errors.ts'
import { syncStaff } from '#modules/hospital/his/staff/synchronise.server.ts'
import { everUsed, type RecordRules } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

const DEEPEST = 6

/** The ancestors of a department, from itself up to the root. */
async function ancestors(tx: Tx, session: Session, id: string): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    with recursive up as (
      select d.id, d.parent_id, 1 as step from department d where d.org_id = ${session.org.id} and d.id = ${id}
      union all
      select d.id, d.parent_id, up.step + 1 from up join department d on d.org_id = ${session.org.id}
        and d.id = up.parent_id where up.step < 20)
    select id from up order by step`
  return rows.map(row => row.id)
}

/** The number of tree levels from a department down, itself included. */
async function heightOf(tx: Tx, session: Session, id: string | null): Promise<number> {
  if (id === null) return 1
  const [row] = await tx<{ height: number }[]>`
    with recursive down as (
      select d.id, 1 as step from department d where d.org_id = ${session.org.id} and d.id = ${id}
      union all
      select d.id, down.step + 1 from down join department d on d.org_id = ${session.org.id} and d.parent_id = down.id
        where down.step < 20)
    select max(step)::int as height from down`
  return row?.height ?? 1
}

export const departmentRules: RecordRules = {
  kind: 'department',
  remoteCalls: { sync: syncStaff },
  platformReads: 'P',
  columns: (tx, session) => ({
    employee_count: tx`(select count(*)::int from employee e
      where e.org_id = ${session.org.id} and e.department_id = t.id and e.status = 'enabled')`,
    warehouse_count: tx`(select count(*)::int from warehouse w
      where w.org_id = ${session.org.id} and w.department_id = t.id)`,
  }),
  async check(tx, session, change) {
    const parent = (change.after.parent_sn ?? null) as string | null
    const above = parent === null ? [] : await ancestors(tx, session, parent)
    if (change.id !== null && above.includes(change.id))
      return [{ field: 'parent_sn', msg: '上级科室不能是自己或自己的下级' }]
    if (above.length + (await heightOf(tx, session, change.id)) > DEEPEST)
      return [{ field: 'parent_sn', msg: `科室最多${DEEPEST}级` }]
    const [duplicate] = await tx`
      select 1 from department where org_id = ${session.org.id} and parent_id is not distinct
        from ${parent}::bigint and name = ${String(change.after.name)} and id is distinct from ${change.id}::bigint
        limit 1`
    if (duplicate)
      throw new BusinessError('duplicate', `同级科室名称【${String(change.after.name)}】已存在`, [
        { field: 'name', msg: '同级科室名称已存在' },
      ])
    return []
  },
  async mayLeave(tx, session, action, row) {
    const id = String(row.department_inner_sn)
    if (action === 'del') {
      const isUsed = await everUsed(
        tx,
        session,
        { department: 'parent_id', employee: 'department_id', warehouse: 'department_id', document: 'department_id' },
        id,
      )
      if (isUsed) throw new BusinessError('blocked', '科室已被使用，不能删除')
      return
    }
    const [busy] = await tx`
      select 1 from document d where d.org_id = ${session.org.id} and d.department_id = ${id}
        and d.state in ('draft', 'submitted', 'rejected', 'reviewed', 'partial')
       union all
      select 1 from warehouse w join stock_balance b on b.org_id = w.org_id and b.warehouse_id = w.id and b.quantity > 0
       where w.org_id = ${session.org.id} and b.org_id = ${session.org.id} and w.department_id = ${id} limit 1`
    if (busy) throw new BusinessError('blocked', '科室仍有库存或未完成单据，不能停用')
  },
}
