import { today } from '#kernel/values/date.ts'
import { quotaUsed } from '#modules/hospital/ward/quota/quota-use.server.ts'
import type { RecordRules } from '#server/public/records.ts'

export const departmentQuotaRules: RecordRules = {
  kind: 'departmentQuota',
  visible: (tx, session) =>
    session.departments === 'all' && session.warehouses === 'all'
      ? tx`true`
      : // Of a ward its people see the quota, and nobody else's.
        tx`(t.department_id = any(${session.departments === 'all' ? [] : [...session.departments]}::bigint[])
          or t.department_id in (select w.department_id from warehouse w where w.org_id = t.org_id
            and w.id = any(${session.warehouses === 'all' ? [] : [...session.warehouses]}::bigint[])))`,
  columns: (tx, session) => {
    const used = tx`(select ${quotaUsed(tx, session.org.id, today())} from (select t.*) q)`
    return { used_amount: used, left_amount: tx`(t.amount - ${used})::numeric(18,2)` }
  },
  async check(tx, session, { id, after }) {
    if ((after.status ?? 'enabled') !== 'enabled') return []
    const [other] = await tx`
      select 1 from department_quota q
       where q.org_id = ${session.org.id} and q.department_id = ${String(after.department_inner_sn)}
         and q.custom_type_id is not distinct from ${(after.custom_type_sn as string | null | undefined) ?? null}
         and q.id is distinct from ${id} and q.status = 'enabled'
         and daterange(q.valid_from, q.valid_to, '[]') && daterange(
           ${String(after.valid_from)}::date, ${(after.valid_to as string | null | undefined) ?? null}::date, '[]')`
    return other ? [{ field: 'valid_from', msg: '该科室同一分类在此期间已有额度，请先停用或设置其失效日期' }] : []
  },
}
